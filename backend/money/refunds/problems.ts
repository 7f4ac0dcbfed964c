import type { Clock } from '@florin/shared/ports.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { isStaffRefusal, staffError } from '../../people/staff/problems.ts';
import type { IdentifyRefusal } from './identify.ts';
import type { AnyRefundRefusal, RefundRefusal } from './refund.ts';

/** Messages in the specification's words where it has them. decisions: Conventions. */
export const refundProblems = {
  payment_link_not_found: { status: 404, message: 'There is no such payment link' },
  payment_not_found: { status: 404, message: 'There is no such payment' },
  payment_already_cancelled: { status: 409, message: 'Payment has already been cancelled' },
  payment_already_refunded: { status: 409, message: 'Payment has already been refunded' },
  refund_exceeds_payment: { status: 409, message: 'Refund exceeds original sale amount' },
  remaining_changed: {
    status: 409,
    message: 'Another amount is left of this payment than when this refund was decided on. Nothing was returned',
  },
  payment_not_at_gateway: { status: 409, message: 'Payment did not reach the gateway, so there is nothing to refund' },
  payment_at_reader: {
    status: 409,
    message:
      'The card reader of a terminal authorised this payment and returns its money: void or refund it at the terminal',
  },
  payment_link_not_paid: { status: 409, message: 'This link has not been paid, so there is nothing to refund' },
  payment_outcome_unknown: {
    status: 409,
    message:
      'Whether this payment took money is not known yet: the gateway is being polled. Try again in a few minutes',
  },
  payment_declined: { status: 409, message: 'Payment was declined and took no money, so there is nothing to refund' },
  settlement_rejected: {
    status: 409,
    message: 'The bank rejected the settlement of this payment: it took no money, so there is nothing to refund',
  },
  not_a_card_payment: { status: 409, message: 'Payment was made in bitcoin: record a bitcoin refund instead' },
  not_a_bitcoin_payment: { status: 409, message: 'Payment was made by card: refund it to the card instead' },
  payment_already_settled: { status: 409, message: 'Payment has settled and can only be refunded' },
  payment_not_settled: { status: 409, message: 'Payment has not settled yet: until it has, it can only be cancelled' },
  payment_settling: {
    status: 409,
    message: 'Payment has yet to settle: it can be neither cancelled nor refunded until it has',
  },
  payment_not_identified: { status: 409, message: 'The link has several payments: name the one you mean in paymentId' },
  refund_in_progress: { status: 409, message: 'Another refund of this payment is not decided yet' },
  refund_withdrawn: {
    status: 409,
    message: 'This terminal gave the request up before it arrived; nothing was sent to the gateway',
  },
  request_differs: { status: 409, message: 'This request id stands for another refund' },
} as const satisfies ProblemTable<RefundRefusal['kind'] | IdentifyRefusal['kind']>;

/** The API's response to each refusal. */
export function refundError<Refusal extends RefundRefusal | IdentifyRefusal>(refusal: Refusal) {
  return errorBy(refundProblems, refusal);
}

/** The response to a terminal, whose refunds staff authorise and which tells no remainder. */
export function terminalRefundError(refusal: AnyRefundRefusal, clock: Clock) {
  if (refusal.kind === 'remaining_changed' || refusal.kind === 'payment_at_reader')
    throw new Error(`a terminal was refused with ${refusal.kind}`);
  return isStaffRefusal(refusal) ? staffError(refusal, clock) : refundError(refusal);
}
