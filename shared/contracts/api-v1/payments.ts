import { z } from 'zod';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { saleReversal } from '../device-v1/sales.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { actorRecord, terminalReference } from './actors.ts';
import { outcomeOnEvidence } from './evidence.ts';
import { linkPayment, paymentMethod, whatItPaid } from './payment-links.ts';
import { paymentStatus } from './refunds.ts';

/** A payment, however it was taken. */
export const paymentRecord = linkPayment
  .extend({
    paymentLinkId: id('pl').nullable(),
    terminal: terminalReference.nullable().meta({ description: 'Where it was taken; null for an online payment' }),
    saleId: z.string().nullable().meta({ description: 'The terminal’s id of the sale' }),
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
    createdAt: timestamp,
  })
  .meta({ id: 'Payment' });
export type PaymentRecord = z.infer<typeof paymentRecord>;

/** From `from` (inclusive) to `to` (exclusive). */
export const period = {
  from: timeGiven.optional().meta({ description: 'From this time on' }),
  to: timeGiven.optional().meta({ description: 'Before this time' }),
};

export const listPayments = contract({
  name: 'listPayments',
  method: 'GET',
  path: '/api/v1/payments',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List payments, newest first',
  description: 'Every payment that was started, whether or not it took money. `from` and `to` apply to `createdAt`.',
  tag: 'Payments',
  query: pageQuery('payments').extend({
    status: paymentStatus.optional(),
    method: paymentMethod.optional(),
    paymentLinkId: id('pl').optional(),
    deviceId: id('dev').optional().meta({ description: 'Taken on this terminal' }),
    ...period,
  }),
  responses: { 200: json(listOf(paymentRecord)) },
  origin: 'project',
});

export const getPayment = contract({
  name: 'getPayment',
  method: 'GET',
  path: '/api/v1/payments/{id}',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'Read one payment',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  responses: { 200: json(paymentRecord) },
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

export const resolvePayment = contract({
  ...outcomeOnEvidence('payment'),
  name: 'resolvePayment',
  path: '/api/v1/payments/{id}/resolve',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  responses: { 200: json(linkPayment) },
  errors: { 404: ['payment_not_found'], 409: ['payment_not_pending', 'still_asking'] },
});
