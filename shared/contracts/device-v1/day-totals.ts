import { z } from 'zod';
import { railSums } from '../api-v1/overview.ts';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';

const railTotals = railSums.extend({
  takenSats: z.int().meta({ description: 'The satoshis received for takenInCents; 0 for cards', example: 0 }),
  refundedSats: z.int().meta({ description: 'The satoshis returned for refundedInCents; 0 for cards', example: 0 }),
});
export type RailTotals = z.infer<typeof railTotals>;

/** What the figures of a day do not tell yet: its outcome is not known, or a person has to decide it. */
const openItems = z.object({
  kind: z.enum(['unknown_sale', 'unknown_refund', 'discrepancy']),
  currency: z.string().meta({ example: 'GBP' }),
  count: z.int(),
  amountInCents: z
    .int()
    .meta({ description: 'Of the sales, the refunds, or the sales with a discrepancy', example: 0 }),
});
export type OpenItems = z.infer<typeof openItems>;

const scopeTotals = z.object({
  rails: z.array(railTotals).meta({ description: 'Those on which money moved that day' }),
  open: z.array(openItems).meta({ description: 'Of this day or earlier, and open now' }),
});
export type ScopeTotals = z.infer<typeof scopeTotals>;

export const dayTotals = z
  .object({
    date: z.iso.date().meta({ description: 'In the time zone of the business', example: '2026-11-21' }),
    timeZone: z.string().meta({ description: 'Of the business', example: 'Europe/London' }),
    from: timestamp.meta({ description: 'When the day began' }),
    to: timestamp.meta({ description: 'When the day ends, or ended' }),
    asOf: timestamp.meta({ description: 'When these figures were read' }),
    terminal: scopeTotals.meta({ description: 'What was taken and returned on this terminal' }),
    business: scopeTotals.meta({ description: 'What was taken and returned anywhere in the business' }),
  })
  .meta({ id: 'DayTotals' });
export type DayTotals = z.infer<typeof dayTotals>;

export const getDayTotals = contract({
  name: 'getDayTotals',
  method: 'GET',
  path: '/device/v1/day-totals',
  authentication: ['deviceToken'],
  summary: 'Read what was taken and returned on a day',
  description:
    'The lines of `/api/v1/transactions` of that day, added up: all of them for the business, and those done on this terminal. A refund of an earlier payment counts on the day of the refund, on the terminal that made it.',
  tag: 'Sales',
  query: z.strictObject({
    date: z.iso.date().optional().meta({ description: 'In the time zone of the business; default: today' }),
  }),
  responses: { 200: json(dayTotals) },
  origin: 'project',
});
