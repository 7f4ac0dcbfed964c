import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';

/** How a page whose words are English writes amounts and times: as the customer's browser is set, or as the business does. */
export type Writing = {
  amount(amountMinor: number, currency: string): string;
  sats(count: number): string;
  /** Of one bitcoin, by its decimal text. */
  price(price: string, currency: string): string;
  /** With the day and the time zone, which is the business's. */
  dateTime(at: number): string;
  time(at: number): string;
};

export function writingFor(
  languages: readonly string[],
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): Writing {
  const numbers = latinDigits(languages.find(isWritten) ?? locale);
  // Months are words of the page.
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

/** Whether this is a language tag whose numbers are known here: browsers may send anything. */
function isWritten(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The digits of card numbers, of wallets and of everything else on the page. */
function latinDigits(tag: string): string {
  return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}
