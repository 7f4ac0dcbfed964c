import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';

/** Formats amounts and times as the page's sentences are written: in English. */
export type Writing = {
  amount(amountMinor: number, currency: string): string;
  sats(count: number): string;
  /** The price of one bitcoin, from its decimal string. */
  price(price: string, currency: string): string;
  /** With day and time zone, which is the business's. */
  dateTime(at: number): string;
  time(at: number): string;
};

/**
 * Formats for the first English locale of the browser, otherwise for the business's if it is English, otherwise for British
 * English: numbers and words are in one language. Times are in the business's time zone.
 */
export function writingFor(
  languages: readonly string[],
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): Writing {
  const english = latinDigits([...languages, locale].find(isEnglish) ?? 'en-GB');
  const clock = { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' } as const;
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return {
    amount: (amountMinor, currency) => formatAmount(amountMinor, currency, english),
    sats: count => formatSats(count, english),
    price: (price, currency) =>
      new Intl.NumberFormat(english, { style: 'currency', currency }).format(price as Intl.StringNumericLiteral),
    dateTime: at => new Intl.DateTimeFormat(english, { ...day, ...clock }).format(at),
    time: at => new Intl.DateTimeFormat(english, clock).format(at),
  };
}

/** Whether this is a tag of English: browsers may send anything. */
function isEnglish(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language === 'en';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Latin digits, as in card numbers, wallets and the rest of the page. */
function latinDigits(tag: string): string {
  return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}
