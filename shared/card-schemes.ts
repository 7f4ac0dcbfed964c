import { z } from 'zod';

/** One spelling of each card scheme, from the reader to the pages. */
export const cardScheme = z
  .enum(['Visa', 'Mastercard', 'Maestro', 'American Express', 'Discover', 'Diners Club', 'JCB', 'UnionPay', 'Other'])
  .meta({ description: 'Spelled in one way, whichever reader or bank named it. More may come.', example: 'Visa' });
export type CardScheme = z.infer<typeof cardScheme>;

/** Maestro before Mastercard, whose name some banks put beside it. */
const words: readonly (readonly [RegExp, CardScheme])[] = [
  [/maestro/, 'Maestro'],
  [/master ?card/, 'Mastercard'],
  [/visa|^electron/, 'Visa'],
  [/amex|american express/, 'American Express'],
  [/discover/, 'Discover'],
  [/diners/, 'Diners Club'],
  [/jcb/, 'JCB'],
  [/union ?pay/, 'UnionPay'],
];

/** The scheme that a reader or a bank names in a word of its own; null where it names none. */
export function cardSchemeOf(word: string): CardScheme | null {
  const text = word.trim().toLowerCase();
  if (text === '') return null;
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? 'Other';
}

/** What people read of a card beside its last digits. */
export function cardNameOf(scheme: CardScheme | null | undefined): string {
  return !scheme || scheme === 'Other' ? 'Card' : scheme;
}
