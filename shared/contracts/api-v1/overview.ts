import { z } from 'zod';
import { contract } from '../contract.ts';
import { json } from '../responses.ts';

const sum = (what: string, example: number) => z.int().meta({ description: what, example });
const count = (what: string) => z.int().meta({ description: `Number of ${what}`, example: 3 });

const sums = {
  currency: z.string().meta({ description: '`BTC`: the amounts are satoshis', example: 'GBP' }),
  takenInCents: sum('The amount taken by payments', 12500),
  voidedInCents: sum('What was voided before it settled, of payments of this or an earlier day', 1250),
  rejectedInCents: sum('What the bank refused to settle, of payments of this or an earlier day', 0),
  refundedInCents: sum('The amount refunded to customers', 500),
  netInCents: sum('takenInCents less voidedInCents, rejectedInCents and refundedInCents', 10750),
  paymentCount: count('payments'),
  voidCount: count('voids'),
  rejectedCount: count('rejected settlements'),
  refundCount: count('refunds'),
  tipInCents: sum(
    'The tips in netInCents: those in takenInCents less those given back, on the day of the void, refund or rejection, so that it may be negative. A refund gives back a tip only as far as less than the tip is left of the payment',
    0,
  ),
  tipCount: count('tips in tipInCents, those given back subtracted'),
};

export const rail = z
  .enum(['card', 'wallet', 'lightning', 'onchain'])
  .meta({ description: 'How money moved; `wallet`: Apple Pay and Google Pay, which are cards underneath' });

/** How many days, with today. */
export const daysBack = z.coerce
  .string<string | number>()
  .regex(/^(?:[1-9]|[1-8]\d|9[0-2])$/, { error: 'must be a whole number from 1 to 92' })
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 92 }, description: 'With today' });

/** What moved on one rail in one currency. */
export const railSums = z.object({ rail, ...sums });

const overviewDay = z
  .object({
    day: z.string().meta({ description: 'In the time zone of the business', example: '2026-11-21' }),
    rails: z.array(railSums).meta({ description: 'Those on which money moved that day' }),
    totals: z.array(z.object(sums)).meta({ description: 'All rails together, for each currency' }),
  })
  .meta({ id: 'OverviewDay' });

export const overviewRecord = z
  .object({
    timeZone: z.string().meta({ description: 'Of the business', example: 'Europe/London' }),
    currency: z.string().meta({ description: 'Of the business', example: 'GBP' }),
    today: overviewDay,
    sameDayLastWeek: overviewDay.meta({ description: 'The whole day a week ago' }),
    days: z.array(overviewDay).meta({ description: 'Newest first, from today; days on which nothing moved are empty' }),
    isComplete: z.boolean().meta({
      description: 'False for a moment after money moved, or while earlier payments are still being added up',
    }),
  })
  .meta({ id: 'Overview' });
export type OverviewRecord = z.infer<typeof overviewRecord>;

export const getOverview = contract({
  name: 'getOverview',
  method: 'GET',
  path: '/api/v1/overview',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'Read what was taken and returned today and on the last days',
  description:
    'The lines of `/transactions`, each counted on the day of its time: a refund of an earlier payment counts on the day of the refund.',
  tag: 'Overview',
  mayBeStale: true,
  query: z.strictObject({
    days: daysBack.default(14),
  }),
  responses: { 200: json(overviewRecord) },
  origin: 'project',
});
