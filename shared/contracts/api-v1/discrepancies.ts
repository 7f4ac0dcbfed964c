import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { decidedOnEvidence, evidence } from './evidence.ts';

/** Kinds of rejected callbacks, by the failed check. */
export const rejectedCallbackKinds = [
  'callback_malformed',
  'callback_bad_signature',
  'callback_merchant_differs',
  'callback_operation_differs',
  'callback_reference_differs',
  'callback_gateway_reference_differs',
  'callback_currency_differs',
  'callback_amount_differs',
  'callback_contradictory',
] as const;
export type RejectedCallbackKind = (typeof rejectedCallbackKinds)[number];

/** Contradictions between the gateway and our records, and overdue obligations. */
export const discrepancyKinds = [
  'payment_approved_late',
  'payment_declined_late',
  'payment_amount_differs',
  'payment_approved_twice',
  'payment_unconfirmed',
  'payment_voided_elsewhere',
  'settlement_rejected',
  'settlement_rejected_late',
  'refund_approved_late',
  'refund_declined_late',
  'refund_amount_differs',
  'refund_approved_twice',
  'refund_unconfirmed',
  'refund_not_recorded',
  'reversal_declined',
  'reversal_overdue',
  'sale_not_completed',
  'sale_reversed_too_late',
  'sale_currency_differs',
  'sale_paid_after_end',
  'sale_outcome_unknown',
  'reader_totals_differ',
  'bitcoin_payment_reverted',
  'bitcoin_payment_in_excess',
  'reply_not_believed',
  ...rejectedCallbackKinds,
] as const;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

const facts = z.record(z.string(), z.unknown());

export const discrepancy = z
  .object({
    id: id('dis'),
    kind: z.enum(discrepancyKinds),
    status: z.enum(['open', 'resolved']),
    needs: z.enum(['decision', 'acknowledgement']).meta({
      description:
        'decision: state which side is right. acknowledgement: nothing depends on it; it stays open until it is acknowledged.',
    }),
    message: z.string().meta({
      description:
        'What it means and what to do, in the first language of Accept-Language among English and German, otherwise in English',
    }),
    paymentId: id('pay')
      .nullable()
      .meta({ description: 'Null where it is of no payment: `reader_totals_differ` is of a reader’s day' }),
    refundId: id('ref').nullable(),
    recorded: facts.meta({ description: 'Our records’ state when it was found' }),
    gateway: facts.meta({ description: 'The gateway’s report' }),
    contestedInCents: z.int().meta({ description: 'Held on the payment until this is resolved' }),
    createdAt: timestamp,
    resolution: z
      .object({
        outcome: z.enum(['gateway_right', 'records_right']),
        evidence: z.string().meta({ description: 'Empty where it was acknowledged without any' }),
        by: z.object({
          kind: z.string().meta({ description: 'Its kind, as of an `Actor`', example: 'api_key' }),
          id: z.string().nullable(),
        }),
        resolvedAt: timestamp,
      })
      .nullable(),
  })
  .meta({ id: 'Discrepancy' });
export type DiscrepancyRecord = z.infer<typeof discrepancy>;

export const resolutionBody = z.object({
  outcome: z.enum(['gateway_right', 'records_right']).meta({
    description:
      'Which side is right. With gateway_right the contested amount counts as returned; with records_right it can be refunded again. For a sale that was not completed, gateway_right keeps the payment and records_right reverses it. If only an acknowledgement is needed, either value has the same effect.',
  }),
  evidence: evidence
    .optional()
    .meta({ description: 'What was seen and where. Required for a decision; an acknowledgement needs none' }),
});

export const listDiscrepancies = contract({
  name: 'listDiscrepancies',
  method: 'GET',
  path: '/api/v1/discrepancies',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'List discrepancies with the gateway, newest first',
  tag: 'Discrepancies',
  query: pageQuery('discrepancies').extend({
    status: z.enum(['open', 'resolved']).optional(),
    kind: z.enum(discrepancyKinds).optional(),
    paymentId: id('pay').optional(),
  }),
  responses: { 200: json(listOf(discrepancy)) },
  origin: 'project',
});

export const resolveDiscrepancy = contract({
  ...decidedOnEvidence,
  name: 'resolveDiscrepancy',
  path: '/api/v1/discrepancies/{id}/resolve',
  summary: 'Resolve a discrepancy on evidence',
  description:
    'State which side is right and the evidence: both sides, the decider and the evidence are kept in the audit log and the timeline.',
  tag: 'Discrepancies',
  params: z.object({ id: id('dis') }),
  body: resolutionBody,
  responses: { 200: json(discrepancy) },
  errors: {
    400: ['evidence_required'],
    404: ['discrepancy_not_found'],
    409: ['discrepancy_already_resolved', 'refund_not_decided', 'payment_not_decided'],
  },
});
