import { z } from 'zod';
import { amountMinor, amountSats } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { receiptReference } from '../receipts.ts';
import { json } from '../responses.ts';
import { lines } from '../text.ts';
import { outcomeOnEvidence } from './evidence.ts';

export const refundKind = z.enum(['CANCEL', 'REFUND_SALE', 'REFUND']);
export const refundStatus = z.enum(['pending', 'approved', 'declined', 'failed', 'recorded']);
/** The status of a payment including settlement and refunds. */
export const paymentStatus = z.enum([
  'pending',
  'declined',
  'failed',
  'unsettled',
  'settled',
  'cancelled',
  'settlement_rejected',
  'partly_refunded',
  'refunded',
]);

export const staffReference = z.object({
  id: id('staff'),
  name: z.string().meta({ example: 'Ada' }),
  staffNumber: z.string(),
});

export const refundRecord = z
  .object({
    id: id('ref'),
    kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN']),
    status: refundStatus.meta({
      description:
        '`pending`: its outcome is not known yet. `approved`: the money goes back. `declined`: the bank refused. `failed`: nothing was returned, see `failureCause`. `recorded`: a bitcoin refund, which is returned out of band',
    }),
    amountInCents: z.int().nullable().meta({ description: 'Smallest currency unit; null for bitcoin refunds' }),
    amount: z.int().nullable().meta({ description: 'Satoshis; null for card refunds' }),
    currency: z.string(),
    paymentId: id('pay'),
    paymentLinkId: id('pl').nullable(),
    originalSaleId: id('sale').nullable().meta({ description: 'The terminal’s sale that it returns the money of' }),
    source: z.enum(['api', 'portal', 'terminal']).meta({ description: 'Where it was requested' }),
    staff: staffReference.nullable().meta({
      description: 'The staff member who authorised it at a terminal, and against whose daily limit it counts',
    }),
    requestedBy: staffReference.nullable().default(null).meta({
      description: 'The staff member who requested it, if a second one approved it; otherwise null',
    }),
    approvedBy: staffReference.nullable().default(null).meta({
      description: 'The staff member who approved it for `requestedBy`; otherwise null',
    }),
    apiKeyId: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'As the requester gave it; null if none was given' }),
    gatewayReference: z.string().nullable(),
    gatewayMessage: z.string().nullable(),
    /** The cause of a failed refund, for programs; `gatewayMessage` is for people. */
    failureCause: z.enum(['gateway_unreachable', 'never_arrived', 'resolved_by_hand']).nullable(),
    /** The progress of a pending refund, for people; null once it is final. */
    pendingDetail: z.string().nullable(),
    remainingInCents: z.int().nullable().meta({ description: 'The amount of the payment that can still be refunded' }),
    remainingSats: z.int().nullable().meta({ description: 'The same of a bitcoin payment, in satoshis' }),
    paymentStatus: paymentStatus.meta({ description: 'The status of the payment' }),
    receipt: receiptReference.default(null).meta({ description: 'Its receipt; null if no money was returned' }),
    createdAt: timestamp,
    settledAt: timestamp.nullable().meta({ description: 'When its outcome was known; null until then' }),
  })
  .meta({
    id: 'Refund',
    example: {
      id: 'ref_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
      kind: 'REFUND_SALE',
      status: 'approved',
      amountInCents: 500,
      amount: null,
      currency: 'GBP',
      paymentId: 'pay_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
      paymentLinkId: 'pl_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
      originalSaleId: null,
      source: 'api',
      staff: null,
      requestedBy: null,
      approvedBy: null,
      apiKeyId: 'key_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
      reason: 'Returned goods',
      gatewayReference: '26112109301234567',
      gatewayMessage: 'AUTHCODE:123456',
      failureCause: null,
      pendingDetail: null,
      remainingInCents: 750,
      remainingSats: null,
      paymentStatus: 'partly_refunded',
      receipt: { url: 'https://pay.example/r/5pVhGfWq8nCkY2mTzRb7Lx' },
      createdAt: '2026-11-21T09:30:00.000Z',
      settledAt: '2026-11-21T09:30:01.000Z',
    },
  });
const pendingExample = {
  status: 'pending',
  gatewayReference: null,
  gatewayMessage: null,
  receipt: null,
  settledAt: null,
} as const;
const bitcoinExample = {
  kind: 'BITCOIN',
  status: 'recorded',
  amountInCents: null,
  amount: 25_000,
  remainingInCents: null,
  remainingSats: 5_000,
  gatewayReference: null,
  gatewayMessage: null,
} as const;
export type RefundRecord = z.infer<typeof refundRecord>;

/** Conflicts with the payment's state (409), for every kind of caller. The messages are those of the specification. */
export const refundErrorReasons = [
  'payment_already_cancelled',
  'payment_already_refunded',
  'refund_exceeds_payment',
  'payment_not_at_gateway',
  'payment_outcome_unknown',
  'payment_declined',
  'settlement_rejected',
  'not_a_card_payment',
  'payment_already_settled',
  'payment_not_settled',
  'payment_settling',
  'refund_in_progress',
] as const;

/** The same for merchants, who are not at the reader that authorised a payment by itself. */
export const merchantRefundReasons = [...refundErrorReasons, 'payment_at_reader'] as const;

/** A caller who may refund may read the refunds it made. decisions: Refund record. */
const mayReadRefunds = { anyOf: ['sales:read', 'take-payments:write'] } as const;

const refundReason = lines(500).meta({
  description: 'The reason, for the merchant’s records',
  example: 'Returned goods',
});

/** Zero is a remainder too: of a payment that others returned in the meantime. */
const remainingSeen = (unit: string) =>
  z
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must not be negative' })
    .optional()
    .meta({
      description: `What was left of the payment, in ${unit}, when the refund was decided on: the refund is refused if it is another amount now`,
    });

const cardRefundFields = {
  amountInCents: amountMinor.optional(),
  remainingSeen: remainingSeen('the smallest unit of the currency'),
  reason: refundReason.optional(),
};

type KindAndAmount = { readonly kind: z.infer<typeof refundKind>; readonly amountInCents?: number | undefined };

/** A void returns the whole payment; a refund says how much. */
function checkAmount({ kind, amountInCents }: KindAndAmount, context: z.core.$RefinementCtx): void {
  const path = ['amountInCents'];
  if (kind === 'CANCEL' && amountInCents !== undefined)
    context.addIssue({ code: 'custom', path, message: 'must not be set: CANCEL voids the whole payment' });
  if (kind !== 'CANCEL' && amountInCents === undefined)
    context.addIssue({ code: 'custom', path, message: `is required for ${kind}` });
}

const cardRefundExamples = {
  examples: [
    { kind: 'REFUND_SALE', amountInCents: 500, reason: 'Returned goods' },
    { kind: 'CANCEL', reason: 'Wrong order' },
  ],
};

const cardRefundBody = z
  .object({
    kind: refundKind,
    ...cardRefundFields,
    paymentId: id('pay').optional().meta({ description: 'The payment of the link, if it has several' }),
  })
  .superRefine(checkAmount)
  .meta(cardRefundExamples);

export const createCardRefund = contract({
  name: 'createCardRefund',
  method: 'POST',
  path: '/api/v1/payment-links/{id}/refunds/card',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Cancel or refund a card payment',
  permissionsFor: {
    description: 'REFUND, which is not limited by the payment, also requires refunds:write.',
    of: ({ kind }) => (kind === 'REFUND' ? ['refunds:write'] : []),
  },
  tag: 'Refunds',
  params: z.object({ id: id('pl') }),
  body: cardRefundBody,
  responses: { 201: json(refundRecord), 202: json(refundRecord, pendingExample) },
  errors: {
    404: ['payment_link_not_found', 'payment_not_found'],
    409: [...merchantRefundReasons, 'remaining_changed', 'payment_link_not_paid', 'payment_not_identified'],
  },
  idempotent: true,
});

const bitcoinRefundBody = z.object({
  amount: amountSats,
  remainingSeen: remainingSeen('satoshis'),
  reason: refundReason.optional(),
});
const bitcoinRefundReasons = [
  'payment_link_not_paid',
  'refund_exceeds_payment',
  'remaining_changed',
  'payment_not_at_gateway',
  'payment_outcome_unknown',
  'payment_declined',
  'settlement_rejected',
  'payment_already_cancelled',
  'not_a_bitcoin_payment',
] as const;

export const createBitcoinRefund = contract({
  name: 'createBitcoinRefund',
  method: 'POST',
  path: '/api/v1/payment-links/{id}/refunds/bitcoin',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Record a bitcoin refund that you return out of band',
  tag: 'Refunds',
  params: z.object({ id: id('pl') }),
  body: bitcoinRefundBody.extend({ paymentId: id('pay').optional() }),
  responses: { 201: json(refundRecord, bitcoinExample) },
  errors: {
    404: ['payment_link_not_found', 'payment_not_found'],
    409: [...bitcoinRefundReasons, 'payment_not_identified'],
  },
  idempotent: true,
});

/** Links are under a different path, which has the same refund operations. */
export const createCardRefundOfLink = contract({
  ...createCardRefund,
  name: 'createCardRefundOfLink',
  path: '/api/v1/payment-link/{id}/refunds/card',
  summary: 'Cancel or refund a card payment (the same under the path of links)',
  origin: 'project',
});

export const createBitcoinRefundOfLink = contract({
  ...createBitcoinRefund,
  name: 'createBitcoinRefundOfLink',
  path: '/api/v1/payment-link/{id}/refunds/bitcoin',
  summary: 'Record a bitcoin refund that you return out of band (the same under the path of links)',
  origin: 'project',
});

export const createCardRefundOfPayment = contract({
  name: 'createCardRefundOfPayment',
  method: 'POST',
  path: '/api/v1/payments/{id}/refunds/card',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Cancel or refund any card payment: of a sale on a terminal or of a link',
  tag: 'Refunds',
  params: z.object({ id: id('pay') }),
  body: z
    .object({ kind: refundKind.exclude(['REFUND']), ...cardRefundFields })
    .superRefine(checkAmount)
    .meta(cardRefundExamples),
  responses: { 201: json(refundRecord), 202: json(refundRecord, pendingExample) },
  errors: { 404: ['payment_not_found'], 409: [...merchantRefundReasons, 'remaining_changed'] },
  idempotent: true,
  origin: 'project',
});

export const createBitcoinRefundOfPayment = contract({
  name: 'createBitcoinRefundOfPayment',
  method: 'POST',
  path: '/api/v1/payments/{id}/refunds/bitcoin',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Record a bitcoin refund of any bitcoin payment: of a sale on a terminal, a checkout, a tip or a link',
  tag: 'Refunds',
  params: z.object({ id: id('pay') }),
  body: bitcoinRefundBody,
  responses: { 201: json(refundRecord, { ...bitcoinExample, paymentLinkId: null }) },
  errors: { 404: ['payment_not_found'], 409: bitcoinRefundReasons },
  idempotent: true,
  origin: 'project',
});

export const listRefunds = contract({
  name: 'listRefunds',
  method: 'GET',
  path: '/api/v1/refunds',
  authentication: ['apiKey'],
  permissions: [mayReadRefunds],
  summary: 'List refunds, newest first',
  tag: 'Refunds',
  mayBeStale: true,
  query: pageQuery('refunds').extend({ paymentId: id('pay').optional(), status: refundStatus.optional() }),
  responses: { 200: json(listOf(refundRecord)) },
  origin: 'project',
});

export const getRefund = contract({
  name: 'getRefund',
  method: 'GET',
  path: '/api/v1/refunds/{id}',
  authentication: ['apiKey'],
  permissions: [mayReadRefunds],
  summary: 'Read one refund',
  tag: 'Refunds',
  params: z.object({ id: id('ref') }),
  responses: { 200: json(refundRecord) },
  errors: { 404: ['refund_not_found'] },
  origin: 'project',
});

export const resolveRefund = contract({
  ...outcomeOnEvidence('refund'),
  name: 'resolveRefund',
  path: '/api/v1/refunds/{id}/resolve',
  tag: 'Refunds',
  params: z.object({ id: id('ref') }),
  responses: { 200: json(refundRecord) },
  errors: { 404: ['refund_not_found'], 409: ['refund_not_pending', 'still_asking'] },
});
