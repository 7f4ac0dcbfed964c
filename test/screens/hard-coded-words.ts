import type { Page } from '@playwright/test';

/** What pictures show that no table of words holds: names, numbers, and what Intl writes in Spanish. */
const data = [
  'Harbour Street Coffee',
  'Front counter',
  'The Old Customs House Restaurant, Rooms & Delicatessen',
  'Upstairs terrace, second till by the window',
  'Upstairs terrace, second till, window 12',
  'Amara Okafor',
  'Bartholomew Featherstonehaugh',
  'Till software',
  'Point of sale of the garden centre at the old mill',
  'Kiosk by the door',
  'Table 12',
  'Order 1042',
  'CARD DECLINED',
  'REFUND DECLINED',
  'The bank never received this payment',
  'The currency is not that of this business',
  'American Express',
  'Mastercard',
  'Visa',
  'INV-\\d+',
  'A7C',
  '24112114325501XR92KQ4',
  '9F3E6B7C|8F3E6B7C|E6B7C|F3E6B7C|3E6B7C',
  'GBP|KWD|JPY|EUR',
  '\\bsats?\\b',
  // A receipt of a customer with another language.
  '\\d{1,2}\\.? \\p{L}{3,5}\\.? \\d{4}',
  // A support code.
  '\\b[BCDFGHJKMPQRTVWXY2346789]{6}\\b',
  'K7M TQX|K 7 M T Q X',
  'https://pay\\.florin\\.example',
  'RD-\\d+',
  'The service refused a record of this terminal',
  'It is kept here\\. Call support\\.',
  'Grace Fitzgerald',
  // The language button: Spanish words are replaced.
  '\\bES\\b|Español',
  // Keys of the keyboard.
  '^[a-zA-Z]$',
].map(pattern => new RegExp(pattern, 'gu'));

function namesOfDates(): RegExp {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15));
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 5, 1 + day));
  const write = (options: Intl.DateTimeFormatOptions, dates: readonly number[]) =>
    dates.map(date => new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', ...options }).format(date));
  const names = [
    ...write({ month: 'long' }, months),
    ...write({ month: 'short' }, months),
    ...write({ weekday: 'long' }, days),
  ];
  return new RegExp(`\\b(?:${names.join('|')}|de)\\b`, 'gu');
}

const known = [...data, namesOfDates()];

/** The texts on the page, read out ones included, that come from no table: they are not in the pseudo-language. */
export async function hardCodedWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>();
    const root = document.querySelector('.terminal:not([hidden])') ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // The names of the languages are in no language of their own.
      if (node.parentElement?.closest('[lang]') === document.documentElement) found.add(node.nodeValue ?? '');
    }
    for (const element of root.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.add(element.getAttribute(name) ?? '');
    }
    return [...found];
  });
  return texts.filter(text => {
    const rest = known.reduce((left, pattern) => left.replaceAll(pattern, ''), text.trim());
    return /[a-z]{2}|[a-z]\b/iu.test(rest.replaceAll(/[^\x20-\x7e]+/g, ''));
  });
}
