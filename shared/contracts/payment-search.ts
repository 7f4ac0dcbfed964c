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
  'by its amount as people write it (12.50, 12,50 or 1250), its invoice number, the card’s last four digits, the time of day when it was started (14:35, to within five minutes, in the last seven days), the day (28/11/2026, 28 Nov, yesterday), the address of a receipt, the gateway’s reference, the reference of its terminal sale or link, its sale id or its id. `searchedFor` says which of these the text was taken for';

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
