import { z } from 'zod';

/** The names of card schemes, the same in every record and on every page. */
export const cardScheme = z
  .enum(['Visa', 'Mastercard', 'Maestro', 'American Express', 'Discover', 'Diners Club', 'JCB', 'UnionPay', 'Other'])
  .meta({ description: 'One spelling for all readers and banks. More values may be added.', example: 'Visa' });
export type CardScheme = z.infer<typeof cardScheme>;

/** Maestro before Mastercard, because some banks return both names. */
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

/** The scheme in a reader's or bank's text; null if it names none. */
export function cardSchemeOf(word: string): CardScheme | null {
  const text = word.trim().toLowerCase();
  if (text === '') return null;
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? 'Other';
}

/** The display name of a card's scheme. */
export function cardNameOf(scheme: CardScheme | null | undefined): string {
  return !scheme || scheme === 'Other' ? 'Card' : scheme;
}
