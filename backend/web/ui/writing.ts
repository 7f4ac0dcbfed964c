import { currencyDisplayOf } from '@florin/shared/amounts.ts';
import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';
import type { CustomerLanguage, InCustomerLanguages } from '@florin/shared/languages.ts';
import { formatWithZone } from '@florin/shared/zone-names.ts';
import { type Chosen, wordsIn } from '../../foundation/language.ts';
import type { ReceiptWords } from '../../money/receipts/words/receipt-words.ts';
import type { PayerWords } from '../words/payer-words.ts';

/** Everything that customers' pages say, in every language. */
export type WordTables = {
  readonly payer: InCustomerLanguages<PayerWords>;
  readonly receipt: InCustomerLanguages<ReceiptWords>;
};

/** Words, amounts and times of one language: a page never mixes two. */
export type Writing = Chosen<CustomerLanguage> & {
  readonly words: PayerWords;
  /** The words that a page shares with the receipts. */
  readonly receiptWords: ReceiptWords;
  amount(amountMinor: number, currency: string): string;
  sats(count: number): string;
  /** The price of one bitcoin, from its decimal string. */
  price(price: string, currency: string): string;
  /** With day and time zone, which is the business's. */
  dateTime(at: number): string;
  time(at: number): string;
};

/**
 * Writes in the first accepted language that there are words in, otherwise in the business's, otherwise in English;
 * amounts in that language's locale and times in the business's time zone.
 */
export function writingFor(
  { payer, receipt }: WordTables,
  accepted: readonly string[],
  business: { readonly locale: string; readonly timeZone: string },
): Writing {
  const { words, language, locale } = wordsIn(payer, accepted, business.locale);
  const { timeZone } = business;
  const clock = { hour: 'numeric', minute: '2-digit', locale, timeZone } as const;
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return {
    words,
    receiptWords: receipt[language],
    language,
    locale,
    amount: (amountMinor, currency) => formatAmount(amountMinor, currency, locale),
    sats: count => formatSats(count, locale),
    price: (price, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: currencyDisplayOf(currency),
      }).format(price as Intl.StringNumericLiteral),
    dateTime: at => formatWithZone(at, { ...day, ...clock }),
    time: at => formatWithZone(at, clock),
  };
}
