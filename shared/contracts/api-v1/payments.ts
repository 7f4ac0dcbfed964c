import { z } from 'zod';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { saleReversal } from '../device-v1/sales.ts';
import { listOf, pageQuery } from '../lists.ts';
import { searchFacts, searchText } from '../payment-search.ts';
import { receiptReference } from '../receipts.ts';
import { eventStream, json } from '../responses.ts';
import { actorRecord, terminalReference } from './actors.ts';
import { outcomeOnEvidence } from './evidence.ts';
import { linkPayment, paymentMethod, whatItPaid } from './payment-links.ts';
import { paymentStatus, refundStatus } from './refunds.ts';

/** A payment, however it was taken. */
export const paymentRecord = linkPayment
  .extend({
    paymentLinkId: id('pl').nullable(),
    link: z
      .object({ id: id('pl'), description: z.string(), externalReference: z.string().nullable() })
      .nullable()
      .meta({ description: 'The payment link over which it was paid; null if it was not' }),
    terminal: terminalReference.nullable().meta({ description: 'Where it was taken; null for an online payment' }),
    saleId: z.string().nullable().meta({ description: 'The terminal’s id of the sale' }),
    reference: z.string().nullable().meta({
      description: 'What staff noted of the sale at the terminal, or the software that started it calls it',
      example: 'Table 12',
    }),
    tipInCents: z.int().meta({
      description: 'The part of `amountInCents` that is a tip: added on the reader, or all of it over a tip link',
      example: 0,
    }),
    ...whatItPaid,
    refundedInCents: z.int().meta({
      description:
        'The amount returned: refunded, or voided before settlement; for bitcoin, the share of the amount that corresponds to the satoshis recorded as refunded, rounded down',
      example: 500,
    }),
    pendingInCents: z.int().meta({ description: 'Held by refunds whose outcome is not known yet', example: 0 }),
    remainingInCents: z.int().meta({ description: 'The amount that can still be refunded', example: 750 }),
    reversal: saleReversal.nullable().meta({
      description:
        'For a terminal sale reversed after the authorisation was sent: the reason and the progress of returning the money',
    }),
    receipt: receiptReference.meta({ description: 'Its receipt; null if it took no money' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Payment' });
export type PaymentRecord = z.infer<typeof paymentRecord>;

/** The record of one payment, with its refunds. */
export const paymentDetail = paymentRecord
  .extend({
    refunds: z
      .array(
        z.object({
          id: id('ref'),
          kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN']),
          status: refundStatus,
          amountInCents: z.int().nullable().meta({ description: 'Smallest currency unit; null for bitcoin refunds' }),
          amountSats: z.int().nullable().meta({ description: 'Satoshis; null for card refunds' }),
          isReversal: z.boolean().meta({ description: 'Whether the service itself returned the money of a sale' }),
          by: actorRecord,
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'Its voids and refunds, oldest first, with who asked for them; at most 100' }),
  })
  .meta({ id: 'PaymentDetail' });
export type PaymentDetail = z.infer<typeof paymentDetail>;

/** From `from` (inclusive) to `to` (exclusive). */
export const period = {
  from: timeGiven.optional().meta({ description: 'From this time on' }),
  to: timeGiven.optional().meta({ description: 'Before this time' }),
};

const mayReadPayments = { anyOf: ['take-payments:read', 'sales:read'] } as const;

export const listPayments = contract({
  name: 'listPayments',
  method: 'GET',
  path: '/api/v1/payments',
  authentication: ['apiKey'],
  permissions: [mayReadPayments],
  summary: 'List payments, newest first, and find one',
  description:
    'Every payment that was started, whether or not it took money. `from` and `to` apply to `createdAt`. A call reads a limited number of payments: where filters match few of many, `nextCursor` continues after an incomplete page, and `searchedBackTo` says how far the page got.',
  tag: 'Payments',
  mayBeStale: true,
  query: pageQuery('payments').extend({
    q: searchText('a payment'),
    status: paymentStatus.optional(),
    refunded: z
      .enum(['none', 'part', 'full'])
      .optional()
      .meta({ description: 'Of payments that took money: how much of it was returned. A voided payment took none' }),
    rail: z
      .enum(['card', 'wallet', 'lightning', 'onchain'])
      .optional()
      .meta({ description: '`wallet`: Apple Pay and Google Pay' }),
    method: paymentMethod.optional(),
    paymentLinkId: id('pl').optional(),
    deviceId: id('dev').optional().meta({ description: 'Taken on this terminal' }),
    staffId: id('staff').optional().meta({ description: 'Refunded or voided by this member of staff' }),
    ...period,
  }),
  responses: {
    200: json(listOf(paymentRecord).extend(searchFacts)),
  },
  origin: 'project',
});

export const getPayment = contract({
  name: 'getPayment',
  method: 'GET',
  path: '/api/v1/payments/{id}',
  authentication: ['apiKey'],
  permissions: [mayReadPayments],
  summary: 'Read one payment',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  responses: { 200: json(paymentDetail) },
  errors: { 404: ['payment_not_found'] },
  origin: 'project',
});

/** The kinds of timeline entries. */
export const timelineKinds = [
  'payment_started',
  'customer_asked_to_confirm',
  'payment_recorded',
  'payment_approved',
  'payment_declined',
  'payment_failed',
  'payment_unknown',
  'payment_resolved',
  'bitcoin_received',
  'bitcoin_claim_requested',
  'bitcoin_claim_disputed',
  'payment_settling',
  'payment_unsettled',
  'payment_settled',
  'payment_voided_elsewhere',
  'settlement_rejected',
  'sale_completed',
  'sale_reversed',
  'refund_requested',
  'refund_recorded',
  'refund_unknown',
  'refund_approved',
  'refund_declined',
  'refund_failed',
  'discrepancy_found',
  'discrepancy_resolved',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineEntry = z
  .object({
    id: id('evt'),
    kind: z.enum(timelineKinds).meta({ description: 'A stable code for programs' }),
    message: z.string().meta({ description: 'The same for people', example: 'A refund of £5.00 was requested' }),
    refundId: id('ref').nullable().meta({ description: 'The id of its refund' }),
    by: actorRecord,
    terminal: terminalReference.nullable().meta({ description: 'The terminal used' }),
    detail: z.record(z.string(), z.unknown()).meta({
      description: 'Further facts, depending on the kind',
      example: { kind: 'REFUND_SALE', amountMinor: 500, currency: 'GBP' },
    }),
    at: timestamp,
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntryRecord = z.infer<typeof timelineEntry>;

export const getPaymentTimeline = contract({
  name: 'getPaymentTimeline',
  method: 'GET',
  path: '/api/v1/payments/{id}/timeline',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'Everything that happened to a payment and its refunds, oldest first',
  description:
    'Unlike other lists, which are newest first: entries are in the order in which they were recorded, and `nextCursor` continues with later ones.',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  query: pageQuery('timeline'),
  responses: { 200: json(listOf(timelineEntry)) },
  errors: { 404: ['payment_not_found'] },
  origin: 'project',
});

export const followPayments = contract({
  name: 'followPayments',
  method: 'GET',
  path: '/api/v1/payments/subscribe',
  authentication: ['apiKey'],
  permissions: [mayReadPayments],
  summary: 'Follow everything that happens to payments, as it happens',
  description:
    'Server-sent events: `open` at first, then `payment-changed` for each new entry of the timeline of any payment. A client that lost the connection sends the id of the last event it saw as Last-Event-ID and gets everything since, nothing twice; where that is too long ago, `open` again, and lists have to be read anew. A comment every fifteen seconds keeps the connection.',
  tag: 'Payments',
  responses: {
    200: eventStream({
      open: z.object({}),
      'payment-changed': z.object({
        paymentId: id('pay'),
        kind: z.enum(timelineKinds).meta({ description: 'As in the timeline of the payment' }),
        at: timestamp,
      }),
    }),
  },
  origin: 'project',
});

export const resolvePayment = contract({
  ...outcomeOnEvidence('payment'),
  name: 'resolvePayment',
  path: '/api/v1/payments/{id}/resolve',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  responses: { 200: json(linkPayment) },
  errors: { 404: ['payment_not_found'], 409: ['payment_not_pending', 'still_asking'] },
});
