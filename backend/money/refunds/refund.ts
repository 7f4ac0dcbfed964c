import { type Actor, type ActorColumns, actorOfColumns } from '@florin/shared/actor.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { type Money, money } from '@florin/shared/money.ts';
import type { SentOperation } from '../../gateways/gateway.ts';
import { staffReferenceOf } from '../../people/staff/log-entry.ts';
import type { StaffRefusal } from '../../people/staff/refusal.ts';
import {
  amountOf,
  awaitsSettlement,
  heldMinor,
  isBitcoin,
  isSettlementRejected,
  isSettling,
  nextPollAt,
  paymentStatusOf,
  remainingMinor,
  remainingSats,
  timestamp,
  timestampOf,
} from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import type { RefundActorKind, RefundKind, RefundRow } from './rows.ts';
import type { StaffName } from './store.ts';

/** Why a refund was not begun. Nothing was sent and nothing is held. Specification: Refund preconditions. */
export type RefundRefusal =
  | { readonly kind: 'payment_not_found' }
  | { readonly kind: 'payment_already_cancelled' }
  | { readonly kind: 'payment_already_refunded' }
  | { readonly kind: 'refund_exceeds_payment'; readonly remaining: number }
  /** The caller decided on another remainder; the payment changed since. */
  | { readonly kind: 'remaining_changed'; readonly remaining: number }
  /** It never reached the gateway: there is no reference to refund. */
  | { readonly kind: 'payment_not_at_gateway' }
  /** Whether it took money is not known yet. */
  | { readonly kind: 'payment_outcome_unknown' }
  | { readonly kind: 'payment_declined' }
  /** The bank refused to settle it: it took no money. */
  | { readonly kind: 'settlement_rejected' }
  | { readonly kind: 'not_a_card_payment' }
  | { readonly kind: 'payment_at_reader' }
  | { readonly kind: 'not_a_bitcoin_payment' }
  | { readonly kind: 'payment_already_settled' }
  | { readonly kind: 'payment_not_settled' }
  /** Handed to the bank, or credited, and not settled yet: neither void nor refund is possible until it is. */
  | { readonly kind: 'payment_settling'; readonly retryAfter: string | null }
  /** Another refund of this payment is not decided yet, and this one could contradict it. */
  | { readonly kind: 'refund_in_progress' }
  /** The terminal gave this request up as lost before it arrived. */
  | { readonly kind: 'refund_withdrawn' }
  /** The caller's own id stands for another request already. */
  | { readonly kind: 'request_differs' };

export type RefundActor = Extract<Actor, { kind: RefundActorKind }>;

/** The actor who requested the refund. */
export function refundActor(refund: ActorColumns<RefundActorKind>): RefundActor {
  return actorOfColumns(refund) as RefundActor;
}

/** Where the refund was requested, for people; a reversal counts as requested at its terminal. */
export function sourceOf({ actorKind }: Pick<RefundRow, 'actorKind'>): RefundRecord['source'] {
  switch (actorKind) {
    case 'staff':
    case 'terminal':
      return 'terminal';
    case 'portal_user':
      return 'portal';
    case 'api_key':
      return 'api';
  }
}

export type CardRefundRefusal = Exclude<RefundRefusal, { kind: 'not_a_bitcoin_payment' }>;
export type AnyRefundRefusal = CardRefundRefusal | StaffRefusal;
export type BitcoinRefundRefusal = Extract<
  RefundRefusal,
  {
    kind:
      | 'payment_not_found'
      | 'payment_already_cancelled'
      | 'payment_not_at_gateway'
      | 'payment_outcome_unknown'
      | 'payment_declined'
      | 'settlement_rejected'
      | 'not_a_bitcoin_payment'
      | 'refund_exceeds_payment'
      | 'remaining_changed'
      | 'request_differs'
      | 'refund_withdrawn';
  }
>;

export type CardRefundKind = Exclude<RefundKind, 'BITCOIN'>;

/** What else happened to the payment, as far as the kind of refund depends on it. */
export type OtherRefunds = { readonly pending: boolean; readonly final: boolean };

/**
 * Whether the state of the payment allows a card refund. `null`: it does. The caller holds the payment's lock.
 * Cancel and refund-sale exclude each other: a void needs an untouched unsettled payment, a refund a settled one.
 */
export function refusalOfCardRefund(options: {
  /** Whether it is requested where the reader is that authorised the payment: no one else can return its money. */
  readonly isAtTerminal: boolean;
  readonly payment: PaymentRow;
  readonly kind: CardRefundKind;
  readonly amountMinor: number;
  readonly others: OtherRefunds;
}): CardRefundRefusal | null {
  const { isAtTerminal, payment, kind, amountMinor, others } = options;
  if (isBitcoin(payment.method)) return { kind: 'not_a_card_payment' };
  const untaken = refusalOfUntaken(payment);
  if (untaken) return untaken;
  if (payment.authorisedBy === 'reader' && !isAtTerminal) return { kind: 'payment_at_reader' };
  if (payment.gatewayReference === null) return { kind: 'payment_not_at_gateway' };
  const isSettled = payment.status === 'settled';
  const settling = { kind: 'payment_settling', retryAfter: nextPollAt(payment) } as const;
  switch (kind) {
    case 'CANCEL':
      if (payment.refundedMinor > 0 || others.final) return { kind: 'payment_already_refunded' };
      if (payment.reservedMinor > 0 || payment.contestedMinor > 0 || others.pending)
        return { kind: 'refund_in_progress' };
      if (isSettling(payment)) return settling;
      return isSettled ? { kind: 'payment_already_settled' } : null;
    case 'REFUND_SALE': {
      // What is held on an unsettled payment is a void whose outcome is not known.
      if (!isSettled && payment.reservedMinor > 0) return { kind: 'refund_in_progress' };
      const remaining = remainingMinor(payment);
      // A reversal requests the remainder, which others may be returning or have returned.
      if (amountMinor === 0)
        return { kind: heldMinor(payment) > 0 ? 'refund_in_progress' : 'payment_already_refunded' };
      if (amountMinor > remaining) return { kind: 'refund_exceeds_payment', remaining };
      if (isSettled) return null;
      return awaitsSettlement(payment) ? settling : { kind: 'payment_not_settled' };
    }
    case 'REFUND':
      // A credit beside a void that may go through would return the money twice.
      return !isSettled && payment.reservedMinor > 0 ? { kind: 'refund_in_progress' } : null;
  }
}

/** Refuses a refund that was decided on when another amount was left. The caller holds the payment's lock. */
export function refusalOfRemainingSeen(
  seen: number | null | undefined,
  remaining: number,
): Extract<RefundRefusal, { kind: 'remaining_changed' }> | null {
  return seen === null || seen === undefined || seen === remaining ? null : { kind: 'remaining_changed', remaining };
}

/** Why there is no money of this payment to return. */
function refusalOfUntaken(payment: PaymentRow): (BitcoinRefundRefusal & CardRefundRefusal) | null {
  if (isSettlementRejected(payment)) return { kind: 'settlement_rejected' };
  switch (payment.status) {
    case 'pending':
      return { kind: 'payment_outcome_unknown' };
    case 'declined':
      return { kind: 'payment_declined' };
    case 'failed':
      return { kind: 'payment_not_at_gateway' };
    case 'cancelled':
      return { kind: 'payment_already_cancelled' };
    case 'settlement_rejected':
      return { kind: 'settlement_rejected' };
    case 'unsettled':
    case 'settled':
      return null;
  }
}

/** Whether a bitcoin refund may be recorded: at most what the payment received. `null`: it may. */
export function refusalOfBitcoinRefund(payment: PaymentRow, amountSats: number): BitcoinRefundRefusal | null {
  if (!isBitcoin(payment.method)) return { kind: 'not_a_bitcoin_payment' };
  const untaken = refusalOfUntaken(payment);
  if (untaken) return untaken;
  const remaining = remainingSats(payment);
  return amountSats > remaining ? { kind: 'refund_exceeds_payment', remaining } : null;
}

/** Whether a refund of this kind is held against the payment while pending and counts against it once approved. */
export function isCapped(kind: RefundKind): boolean {
  return kind === 'CANCEL' || kind === 'REFUND_SALE';
}

function refundAmount(refund: RefundRow): Money {
  return money(refund.amountMinor, refund.currency);
}

/**
 * The amount by which the gateway identifies the operation: for a CANCEL the amount requested, whatever the bank
 * approved.
 */
export function sentAmountOf(refund: RefundRow, payment: PaymentRow): Money {
  return refund.kind === 'CANCEL' ? amountOf(payment) : refundAmount(refund);
}

/** Who authorised a refund at a terminal, and who requested it if that was another person. */
export type StaffOfRefund = { readonly staff: StaffName | null; readonly requestedBy: StaffName | null };

/** Of a refund that no staff member authorised. */
export const nobody: StaffOfRefund = { staff: null, requestedBy: null };

/** A refund with what its readers need beside it. */
export type RefundView = {
  readonly refund: RefundRow;
  readonly payment: PaymentRow;
} & StaffOfRefund;

/** The refund record of the API and of the terminal alike. decisions: Refund record. */
export function refundRecordOf(
  { refund, payment, staff, requestedBy }: RefundView,
  receipts: ReceiptAddresses,
): RefundRecord {
  const bitcoin = refund.kind === 'BITCOIN';
  return {
    id: refund.id,
    kind: refund.kind,
    status: refund.status,
    amountInCents: bitcoin ? null : refund.amountMinor,
    amount: refund.amountSats,
    currency: refund.currency,
    paymentId: refund.paymentId,
    paymentLinkId: refund.paymentLinkId,
    originalSaleId: payment.saleId,
    source: sourceOf(refund),
    staff: staff && staffReferenceOf(staff),
    requestedBy: requestedBy && staffReferenceOf(requestedBy),
    approvedBy: requestedBy && staff && staffReferenceOf(staff),
    apiKeyId: refund.actorKind === 'api_key' ? refund.actorId : null,
    reason: refund.reason,
    gatewayReference: refund.gatewayReference,
    gatewayMessage: gatewayMessageOf(refund),
    failureCause: refund.failureCause,
    pendingDetail: refund.status === 'pending' ? pendingDetailOf(refund) : null,
    remainingInCents: bitcoin ? null : remainingMinor(payment),
    remainingSats: bitcoin ? remainingSats(payment) : null,
    paymentStatus: paymentStatusOf(payment),
    receipt: receipts.ofRefund(refund),
    createdAt: timestamp(refund.createdAt),
    // Named by the API: the time of the outcome, not of the bank's settlement.
    settledAt: timestampOf(refund.outcomeAt),
  };
}

/** A repetition with the same key returns the same failure, so the message must say that a retry needs a new key. */
function gatewayMessageOf(refund: RefundRow): string | null {
  const { failureCause, gatewayMessage } = refund;
  const isRetried = failureCause === 'gateway_unreachable' && sourceOf(refund) === 'api';
  return isRetried ? `${gatewayMessage}. Nothing moved. A new attempt needs a new Idempotency-Key` : gatewayMessage;
}

function pendingDetailOf(refund: RefundRow): string {
  const held = isCapped(refund.kind) ? 'The amount stays reserved. ' : '';
  const polled =
    refund.pollCount === 0 ? '' : ` It has been polled ${refund.pollCount} time${refund.pollCount === 1 ? '' : 's'}.`;
  return `The gateway has not confirmed this refund yet. ${held}The gateway is polled until the outcome is known; do not issue it again.${polled}`;
}

/** The gateway's operation that a refund of this kind is. */
export function operationOf(kind: RefundRow['kind']): SentOperation['operation'] {
  switch (kind) {
    case 'CANCEL':
      return 'cancel';
    case 'REFUND_SALE':
      return 'refundSale';
    case 'REFUND':
      return 'refund';
    case 'BITCOIN':
      throw new Error('a bitcoin refund is recorded, not sent');
  }
}

/** A terminal's own id of a refund, the same under each enrolment of its machine; another machine's equal one is another request. */
export function terminalRequestId(machineId: string, requestId: string): string {
  return `${machineId}:${requestId}`;
}

/** The part of the record that only a terminal receives; null for a refund that no terminal requested. */
export function terminalRequestIdOf({
  terminalId,
  clientRequestId,
}: Pick<RefundRow, 'terminalId' | 'clientRequestId'>): string | null {
  if (terminalId === null || clientRequestId === null) return null;
  return clientRequestId.slice(clientRequestId.indexOf(':') + 1);
}
