import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';

/** Formats amounts and times on English pages for the customer's browser or the business's locale. */
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
 * Formats numbers for the first supported language of the browser, otherwise for the business's locale. Dates use an
 * English locale of these two, otherwise British English, and the business's time zone.
 */
export function writingFor(
  languages: readonly string[],
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): Writing {
  const numbers = latinDigits(languages.find(isWritten) ?? locale);
  // Month names are in the page's language.
  const dates = [numbers, locale].find(each => /^en\b/.test(each)) ?? 'en-GB';
  const clock = { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' } as const;
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return {
    amount: (amountMinor, currency) => formatAmount(amountMinor, currency, numbers),
    sats: count => formatSats(count, numbers),
    price: (price, currency) =>
      new Intl.NumberFormat(numbers, { style: 'currency', currency })
        .format(price as Intl.StringNumericLiteral)
        .replace('￥', '¥'),
    dateTime: at => new Intl.DateTimeFormat(dates, { ...day, ...clock }).format(at),
    time: at => new Intl.DateTimeFormat(dates, clock).format(at),
  };
}

/** Whether this is a supported language tag: browsers may send anything. */
function isWritten(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Latin digits, as in card numbers, wallets and the rest of the page. */
function latinDigits(tag: string): string {
  return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}
