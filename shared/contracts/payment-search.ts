import { z } from 'zod';
import { timestamp } from './contract.ts';
import { oneLine } from './text.ts';

/** What a text that people type may be the value of. */
export const searchTerm = z
  .object({
    field: z.enum([
      'amount',
      'card_last_four',
      'invoice_number',
      'payment_id',
      'sale_id',
      'gateway_reference',
      'reference',
      'time',
      'day',
      'receipt',
    ]),
    value: z.string().meta({ description: 'The value that was looked for', example: '12.50' }),
  })
  .meta({ id: 'SearchTerm' });
export type SearchTerm = z.infer<typeof searchTerm>;

const what =
  'by its amount as people write it (12.50, 12,50 or 1250), its invoice number, the card’s last four digits, the time of day when it was started (14:35, to within five minutes, in the last seven days), the day (28/11/2026, 28 Nov, yesterday), the address of a receipt, the gateway’s reference, the reference of its terminal sale or link (its beginning, from three characters on; capitals or not), its sale id or its id. `searchedFor` says which of these the text was taken for';

/** From how many characters on a text is also the beginning of a reference: fewer would find what an amount does not mean. */
const leastOfBeginning = 3;

/**
 * The references that a text finds, from `first` to `last` in the order of their bytes, by their keys. Only the letters A to Z
 * are the same in capitals: databases agree on no others.
 */
export function matchingReferences(typed: string): { readonly first: string; readonly last: string } {
  const first = referenceKey(typed);
  return { first, last: typed.length < leastOfBeginning ? first : `${first}\u{10ffff}` };
}

/** Whether a reference is one that a text finds. */
export function isMatchingReference(reference: string, typed: string): boolean {
  const [key, wanted] = [referenceKey(reference), referenceKey(typed)];
  return typed.length < leastOfBeginning ? key === wanted : key.startsWith(wanted);
}

const referenceKey = (text: string) => text.replace(/[A-Z]/g, letter => letter.toLowerCase());

/** `?q=` of a list of payments. */
export function searchText(found: 'a payment' | 'a sale') {
  return oneLine(100)
    .optional()
    .meta({ description: `Finds ${found} ${what}`, example: '12.50' });
}

/** What the answer of a list with `?q=` says about the search. */
export const searchFacts = {
  searchedBackTo: timestamp.nullable().meta({
    description:
      'Set where older payments were not looked through yet: the time of the oldest that was. `nextCursor` goes on from there',
    example: null,
  }),
  searchedFor: z.array(searchTerm).nullable().meta({ description: 'What `q` was taken for; null without it' }),
};
