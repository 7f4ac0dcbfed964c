import { z } from 'zod';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { saleReversal } from '../device-v1/sales.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { actorRecord, terminalReference } from './actors.ts';
import { outcomeOnEvidence } from './evidence.ts';
import { linkPayment, paymentMethod, whatItPaid } from './payment-links.ts';
import { paymentStatus } from './refunds.ts';

/** A payment by itself, however it was taken. */
export const paymentRecord = linkPayment
  .extend({
    paymentLinkId: id('pl').nullable(),
    terminal: terminalReference.nullable().meta({ description: 'Where it was taken; null for an online payment' }),
    saleId: z.string().nullable().meta({ description: 'The terminal’s own id of the sale' }),
    ...whatItPaid,
    refundedInCents: z.int().meta({
      description:
        'What was given back: refunded, or voided before the bank took it; of bitcoin, the share of the amount that the satoshis recorded as refunded are, rounded down',
      example: 500,
    }),
    pendingInCents: z.int().meta({ description: 'Held until it is known whether it went back', example: 0 }),
    remainingInCents: z.int().meta({ description: 'What can still be refunded', example: 750 }),
    reversal: saleReversal.nullable().meta({
      description:
        'Of a terminal’s sale that was reversed after the bank was asked: why, and how far returning the money is',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Payment' });
export type PaymentRecord = z.infer<typeof paymentRecord>;

/** From and up to, not including, a time. */
export const period = {
  from: timeGiven.optional().meta({ description: 'From this time on' }),
  to: timeGiven.optional().meta({ description: 'Up to this time, not including it' }),
};

export const listPayments = contract({
  name: 'listPayments',
  method: 'GET',
  path: '/api/v1/payments',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List payments, newest first',
  description: 'Every payment that was started, whether it took money or not. `from` and `to` go by `createdAt`.',
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

/** What can happen to a payment and its refunds. */
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
  'payment_cancelled_elsewhere',
  'settlement_rejected',
  'sale_completed',
  'sale_given_up',
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
    kind: z.enum(timelineKinds).meta({ description: 'A stable word a program can act on' }),
    message: z.string().meta({ description: 'The same in plain words', example: 'A refund of £5.00 was asked for' }),
    refundId: id('ref').nullable().meta({ description: 'Of the refund it is about' }),
    by: actorRecord,
    terminal: terminalReference.nullable().meta({ description: 'Where it was done' }),
    detail: z.record(z.string(), z.unknown()).meta({
      description: 'What else is known of it, by kind',
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
    'Unlike other lists, which are newest first: entries are in the order they were recorded in, and `nextCursor` goes on with what happened later.',
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
