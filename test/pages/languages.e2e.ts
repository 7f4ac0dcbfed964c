import { join } from 'node:path';
import { customerLanguages } from '@florin/shared/languages.ts';
import { expect, type Page, test } from '@playwright/test';
import { isInPart } from '../support/part.ts';
import { expectAccessible, pictures } from './payer.ts';
import { gallery, type Look, states } from './states/gallery.ts';

let pages: Awaited<ReturnType<typeof gallery>>;
test.beforeAll(async () => {
  pages = await gallery();
});

const onPhone = { width: 390, height: 844 };
const widths = [{ width: 320, height: 640 }, onPhone, { width: 768, height: 1024 }, { width: 1280, height: 800 }];

/** What is written in no language, or in its own: names, numbers, codes and the names of languages. */
const data = [
  /Harbour Street Coffee|Invoice 7: two chairs|(Two chairs and a table, delivered to the second floor\. ?)+|Two chairs|Anna\b/g,
  /1 High Street|London W1A 1AA|order-7|INV-\d+|\b(pay|rcp)_\w+|\b(ab){32}\b|Visa|Apple Pay|Google Pay/g,
  /\d+ (November|December) 2026( at [\d:]+ GMT)?|[\d:]+ GMT|[\d,]+ sats?\b/g,
  /English|Deutsch|Français|Español/g,
];

/** Texts with letters of English, which no word of the test's language has. */
function untranslated(texts: readonly string[]): string[] {
  return texts.filter(text => /[a-z]{2}/i.test(data.reduce((rest, known) => rest.replace(known, ''), text)));
}

/** Everything that is read of the page, seen or not. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, node =>
      node.parentElement?.closest('script, style, noscript') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    const texts = [document.title];
    while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '');
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'content'])
      for (const element of document.querySelectorAll(`[${name}]:not(meta[name]):not(meta[property="og:type"])`))
        texts.push(element.getAttribute(name) ?? '');
    texts.push(...Object.values(JSON.parse(document.body.dataset.words ?? '{}') as Record<string, string>));
    return texts.map(text => text.replace('{time}', '').trim()).filter(text => text !== '');
  });
}

/** The texts that leave the sheet, or the element that cuts them off. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: text } = walker;
      const holder = text.parentElement;
      if (!holder || holder.closest('svg, noscript, script, .visually-hidden')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      let around: Element | null = holder;
      while (around && !around.matches('.sheet') && getComputedStyle(around).overflow === 'visible')
        around = around.parentElement;
      const room = around?.getBoundingClientRect();
      const isInside = Array.from(range.getClientRects()).every(
        ({ left, right }) => room && left >= room.left - 0.5 && right <= room.right + 0.5,
      );
      if (!isInside) found.push(text.nodeValue ?? '');
    }
    return found;
  });
}

for (const name of Object.keys(states) as (keyof typeof states)[])
  test(`every state of the ${name} page says only what is in the tables, and shows all of it on any screen`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ deviceScaleFactor: 1 });
    await pages.serveTo(context);
    const page = await context.newPage();
    for (const state of Object.keys(states[name])) {
      if (!isInPart(`${name} ${state}`, 3)) continue;
      await page.goto(await pages.show(name, state, { language: 'pseudo' }));
      expect([state, untranslated(await textsOf(page))]).toEqual([state, []]);
      for (const size of widths) {
        await page.setViewportSize(size);
        expect([state, size.width, await cutOff(page)]).toEqual([state, size.width, []]);
        await keep(page, `pseudo-${name}-${state}-${size.width}`);
      }
    }
    await context.close();
  });

/** Deadlines and the one next step of a phone's first screen. */
const firstScreen = [
  ['pay', 'none', '#status'],
  ['pay', 'bitcoin open', '[data-countdown]'],
  ['checkout', 'PENDING lightning', '[data-countdown]'],
  ['checkout', 'PENDING onchain', '[data-countdown]'],
] as const;

for (const language of customerLanguages.filter((_, index) => isInPart(index, customerLanguages.length)))
  test(`every page in ${language} is accessible in light and dark, and says until when to pay at first sight`, async ({
    browser,
  }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme, viewport: onPhone });
      await pages.serveTo(context);
      const page = await context.newPage();
      for (const [name, state] of sampled) {
        await page.goto(await pages.show(name, state, looks[colorScheme](language)));
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expectAccessible(page, `${language} ${name} ${state}`);
        for (const size of [...widths, onPhone]) {
          await page.setViewportSize(size);
          expect([name, size.width, await cutOff(page)]).toEqual([name, size.width, []]);
          await keep(page, `${language}-${colorScheme}-${size.width}-${name}-${state}`);
        }
      }
      for (const [name, state, what] of firstScreen) {
        await page.goto(await pages.show(name, state, { language }));
        await expect(page.locator(what).last()).toBeInViewport({ ratio: 1 });
      }
      await context.close();
    }
  });

const sampled = [
  ['pay', 'none'],
  ['pay', 'part-paid'],
  ['checkout', 'PENDING lightning'],
  ['tip', 'open'],
  ['receipt', 'refunded sale'],
] as const;

/** With the shop's colour in the light, and without in the dark. */
const looks = {
  light: (language: Look['language']): Look => ({ language, accentColour: '#c2410c' }),
  dark: (language: Look['language']): Look => ({ language }),
};

async function keep(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
}
