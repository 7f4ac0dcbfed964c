import { takenBack } from '@florin/shared/amounts.ts';
import { bitcoin, formatAmount, formatSats } from '@florin/shared/bitcoin.ts';
import type { CustomerLanguage } from '@florin/shared/languages.ts';
import type { ReceiptFacts, ReceiptReturn } from '@florin/shared/receipts/document.ts';
import { formatWithZone } from '@florin/shared/zone-names.ts';
import type { Chosen } from '../../foundation/language.ts';
import type { ReceiptWords } from './words/receipt-words.ts';

type Amount = { readonly amountMinor: number; readonly amountSats: number | null };

/** A receipt's words and figures in one language. */
export type WrittenReceipt = {
  readonly words: ReceiptWords;
  /** The amount alone, as it stands out; bitcoin with its worth below. */
  readonly amount: string;
  readonly worth: string | null;
  /** Each fact with its name, in the order of the receipt. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The ids of its records, which support asks for. */
  readonly ids: readonly (readonly [name: string, value: string])[];
  /** What was taken back since, and what is left; empty if nothing was. */
  readonly returns: readonly {
    readonly name: string;
    readonly at: string;
    readonly amount: string;
    readonly url: string | null;
  }[];
  readonly left: string;
  /** Of a void or refund: the sale that it belongs to. */
  readonly ofSale: string | null;
  /** Of a void: what it means for the customer's card. */
  readonly meaning: string | null;
};

/** Writes a receipt in these words, and its figures in their locale; times are in the business's time zone. */
export function writtenReceipt(
  facts: ReceiptFacts,
  { words, locale }: Pick<Chosen<CustomerLanguage>, 'locale'> & { readonly words: ReceiptWords },
): WrittenReceipt {
  const { timeZone, currency, sale } = facts;
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  const dateTime = (at: string) => formatWithZone(Date.parse(at), { ...day, ...clock, locale, timeZone });
  const date = (at: string) => new Intl.DateTimeFormat(locale, { ...day, timeZone }).format(Date.parse(at));
  const money = (minor: number) => formatAmount(minor, currency, locale);
  const worthOf = ({ amountMinor, amountSats }: Amount) =>
    amountSats === null || currency === bitcoin ? null : money(amountMinor);
  const amountOf = ({ amountMinor, amountSats }: Amount) =>
    amountSats === null ? money(amountMinor) : formatSats(amountSats, locale);
  const left = { amountMinor: facts.remainingMinor, amountSats: facts.remainingSats };
  const isNothingLeft = (left.amountSats ?? left.amountMinor) === 0;
  return {
    words,
    amount: amountOf(facts),
    worth: worthOf(facts),
    facts: factLines(facts, words, { dateTime, money }),
    ids: [
      [words.facts.payment, facts.paymentId],
      [words.facts.receipt, facts.id],
    ],
    returns: facts.returns.map(each => ({
      name: words.returns[each.kind],
      at: dateTime(each.at),
      amount: takenBack(amountOf(returnedAmount(each))),
      url: each.url,
    })),
    left: isNothingLeft ? words.nothingLeft : amountOf(left),
    ofSale: sale === null ? null : words.ofSale(amountOf(sale), date(sale.at)),
    meaning: facts.kind === 'void' ? words.voidMeans : null,
  };
}

/** Of a void, neither paid nor returned: only the card. */
function paidWithName(kind: ReceiptFacts['kind'], { facts, card }: ReceiptWords): string {
  switch (kind) {
    case 'sale':
      return facts.paidWith;
    case 'refund':
      return facts.returnedTo;
    case 'void':
      return card;
  }
}

const returnedAmount = ({ amountMinor, amountSats }: ReceiptReturn): Amount => ({ amountMinor, amountSats });

type Formats = { readonly dateTime: (at: string) => string; readonly money: (minor: number) => string };

function factLines(
  facts: ReceiptFacts,
  words: ReceiptWords,
  { dateTime, money }: Formats,
): (readonly [string, string])[] {
  const { kind, paidWith, tipMinor } = facts;
  const names = words.facts;
  const when = { sale: names.paidOn, void: names.voidedOn, refund: names.refundedOn }[kind];
  const lines: readonly (readonly [string, string | null])[] = [
    [when, dateTime(facts.at)],
    [names.tip, tipMinor === null ? null : money(tipMinor)],
    [names.for, facts.description],
    [names.reference, facts.reference],
    [paidWithName(kind, words), paidWithText(paidWith, words)],
    [names.read, entryText(paidWith.entryMode, words)],
    [names.application, paidWith.applicationId ?? null],
    [names.authorisation, kind === 'sale' ? paidWith.authorisationCode : null],
    [names.transaction, kind === 'sale' ? paidWith.transactionId : null],
    [names.invoice, facts.invoiceNumber],
  ];
  return lines.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]));
}

/** What was paid with: the method, or a card by its scheme and last four digits. */
export function paidWithText(
  { method, cardScheme, cardLastFour }: Pick<ReceiptFacts['paidWith'], 'method' | 'cardScheme' | 'cardLastFour'>,
  words: ReceiptWords,
): string {
  if (cardLastFour === null) return words.methods[method];
  const scheme = cardScheme === null || cardScheme === 'Other' ? words.card : cardScheme;
  const card = `${scheme} •••• ${cardLastFour}`.replaceAll(' ', '\u00a0');
  return method === 'card' ? card : `${words.methods[method]}, ${card}`;
}

/** As the reader named it, where there is no word for that. */
function entryText(entryMode: string | null, { entryModes }: ReceiptWords): string | null {
  if (entryMode === null || !Object.hasOwn(entryModes, entryMode)) return entryMode;
  return entryModes[entryMode as keyof typeof entryModes];
}
