import { z } from 'zod';
import { amountMinor, amountSats } from '../../money.ts';
import { contract, id, listOf, page, timestamp } from '../contract.ts';

export const refundKind = z.enum(['CANCEL', 'REFUND_SALE', 'REFUND']);
export const refundStatus = z.enum(['pending', 'approved', 'declined', 'failed', 'recorded']);
/** What a payment looks like to a person: its settlement and its refunds in one word. */
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

export const staffReference = z.object({ id: z.string(), name: z.string(), staffNumber: z.string() });

export const refundRecord = z
  .object({
    id: id('ref'),
    kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN']),
    status: refundStatus,
    amountInCents: z.int().nullable().meta({ description: 'Smallest currency unit; null for bitcoin refunds' }),
    amount: z.int().nullable().meta({ description: 'Satoshis; null for card refunds' }),
    currency: z.string(),
    paymentId: id('pay'),
    paymentLinkId: id('pl').nullable(),
    source: z.enum(['api', 'portal', 'terminal']),
    staff: staffReference.nullable(),
    apiKeyId: z.string().nullable(),
    reason: z.string().nullable(),
    gatewayReference: z.string().nullable(),
    gatewayMessage: z.string().nullable(),
    /** What is being done about a pending refund, in words; null once it is final. */
    pendingDetail: z.string().nullable(),
    remainingInCents: z.int().nullable().meta({ description: 'What can still be refunded on the payment' }),
    paymentStatus,
    createdAt: timestamp,
    settledAt: timestamp.nullable(),
  })
  .meta({ id: 'Refund' });
export type RefundRecord = z.infer<typeof refundRecord>;

/** Refusals because of the state of things (409). The messages are those of the specification. */
export const refundRefusalReasons = [
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
  'payment_not_identified',
  'refund_in_progress',
] as const;

const cardRefundBody = z
  .object({
    kind: refundKind,
    amountInCents: amountMinor.optional(),
    paymentId: id('pay').optional().meta({ description: 'Which payment of the link, when it took several' }),
    reason: z.string().max(500).optional(),
  })
  .superRefine((body, context) => {
    if (body.kind === 'CANCEL' && body.amountInCents !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['amountInCents'],
        message: 'must be left out: CANCEL voids the whole payment',
      });
    }
    if (body.kind !== 'CANCEL' && body.amountInCents === undefined) {
      context.addIssue({ code: 'custom', path: ['amountInCents'], message: `is required for ${body.kind}` });
    }
  });

export const createCardRefund = contract({
  name: 'createCardRefund',
  method: 'POST',
  path: '/api/v1/payment-links/{id}/refunds/card',
  caller: 'apiKey',
  permissions: ['take-payments:write'],
  summary: 'Cancel or refund a card payment',
  description:
    'CANCEL and REFUND_SALE need take-payments:write. REFUND, which is not capped by the payment, also needs refunds:write.',
  tag: 'Refunds',
  params: z.object({ id: id('pl') }),
  body: cardRefundBody,
  answers: { 201: refundRecord, 202: refundRecord },
  refusals: { 409: refundRefusalReasons },
  idempotent: true,
});

export const createBitcoinRefund = contract({
  name: 'createBitcoinRefund',
  method: 'POST',
  path: '/api/v1/payment-links/{id}/refunds/bitcoin',
  caller: 'apiKey',
  permissions: ['take-payments:write'],
  summary: 'Record a bitcoin refund that you return out of band',
  tag: 'Refunds',
  params: z.object({ id: id('pl') }),
  body: z.object({ amount: amountSats, reason: z.string().max(500).optional(), paymentId: id('pay').optional() }),
  answers: { 201: refundRecord },
  refusals: {
    409: [
      'refund_exceeds_payment',
      'payment_not_identified',
      'payment_not_at_gateway',
      'payment_outcome_unknown',
      'payment_declined',
      'payment_already_cancelled',
      'not_a_bitcoin_payment',
    ],
  },
  idempotent: true,
});

export const listRefunds = contract({
  name: 'listRefunds',
  method: 'GET',
  path: '/api/v1/refunds',
  caller: 'apiKey',
  permissions: ['sales:read'],
  summary: 'List refunds, newest first',
  tag: 'Refunds',
  query: page.extend({ paymentId: id('pay').optional(), status: refundStatus.optional() }),
  answers: { 200: listOf(refundRecord) },
  origin: 'project',
});

export const getRefund = contract({
  name: 'getRefund',
  method: 'GET',
  path: '/api/v1/refunds/{id}',
  caller: 'apiKey',
  permissions: ['sales:read'],
  summary: 'Read one refund',
  tag: 'Refunds',
  params: z.object({ id: id('ref') }),
  answers: { 200: refundRecord },
  origin: 'project',
});

/** For a refund whose outcome the gateway could not tell: a manager decides it by what they saw there. */
export const resolveRefund = contract({
  name: 'resolveRefund',
  method: 'POST',
  path: '/api/v1/refunds/{id}/resolve',
  caller: 'apiKey',
  permissions: ['take-payments:write', 'refunds:write'],
  summary: 'Decide a pending refund on evidence',
  description:
    'Only where the gateway stays silent: say what its own records show and where you saw it. The evidence is kept in the audit log. A refund that is final does not change.',
  tag: 'Refunds',
  params: z.object({ id: id('ref') }),
  body: z
    .object({
      outcome: z.enum(['approved', 'failed']),
      evidence: z.string().trim().min(10).max(2000),
      gatewayReference: z.string().min(1).max(100).optional(),
    })
    .refine(body => body.outcome === 'failed' || body.gatewayReference !== undefined, {
      path: ['gatewayReference'],
      error: 'is required for an approved refund',
    }),
  answers: { 200: refundRecord },
  refusals: { 409: ['refund_not_pending', 'refund_in_progress'] },
  idempotent: true,
  origin: 'project',
});
