import { minorOfSats } from '@florin/shared/bitcoin.ts';
import type { LinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { paymentStatus } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { SaleBlock, SaleRecord, SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import { type Money, money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import type { PaymentMethod, PaymentRow } from './rows.ts';

/** The amount the customer paid: what the bank approved, which may be less than was requested. */
export function takenMinor(payment: PaymentRow): number {
  return payment.approvedMinor ?? payment.amountMinor;
}

/** What can still be refunded: what was taken, less what was returned, less everything that may have been returned. */
export function remainingMinor(payment: PaymentRow): number {
  if (!tookMoney(payment)) return 0;
  return Math.max(0, takenMinor(payment) - returnedMinor(payment) - heldMinor(payment));
}

/** What was returned to the customer, by voids, refunds and credits. */
export function returnedMinor(payment: PaymentRow): number {
  return payment.refundedMinor + payment.creditedMinor;
}

/** The amount reserved by pending refunds and by late approvals that are not resolved. */
export function heldMinor(payment: PaymentRow): number {
  return payment.reservedMinor + payment.contestedMinor;
}

/** The satoshis that can still be recorded as refunded; 0 for a card payment and for one that took no money. */
export function remainingSats(payment: PaymentRow): number {
  return tookMoney(payment) ? (payment.amountSats ?? 0) - payment.refundedSats : 0;
}

/**
 * What a bitcoin refund returns of the payment's amount: the share of all satoshis returned so far, rounded down, less what
 * was counted before. The last satoshi brings the sum to exactly what the payment took.
 */
export function shareOfRefundMinor(payment: PaymentRow, amountSats: number): number {
  const wholeSats = payment.amountSats ?? 0;
  const sats = payment.refundedSats + amountSats;
  return minorOfSats({ sats, wholeSats, wholeMinor: takenMinor(payment) }) - payment.refundedMinor;
}

/** Whether the money has settled or is expected to settle. */
export function tookMoney(payment: PaymentRow): boolean {
  return payment.status === 'unsettled' || payment.status === 'settled';
}

/** A sorted copy; payments created in the same millisecond are ordered by id, descending. */
export function newestFirst(payments: readonly PaymentRow[]): PaymentRow[] {
  return payments.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/**
 * Whether it was paid in bitcoin: such a payment has no gateway, and its refunds are returned by hand and counted in
 * satoshis.
 */
export function isBitcoin(method: PaymentMethod): method is 'lightning' | 'onchain' {
  return method === 'lightning' || method === 'onchain';
}

/** The reference under which a card payment was sent to its gateway; throws for a payment that was never sent to one. */
export function uniqueReferenceOf({ id, uniqueReference }: Pick<PaymentRow, 'id' | 'uniqueReference'>): string {
  if (uniqueReference === null) throw new Error(`payment ${id} has no reference at a gateway`);
  return uniqueReference;
}

/** The gateway's reference for an approval that a manager recorded; the contracts refuse an approval without one. */
export function requiredReference(gatewayReference: string | null): string {
  if (gatewayReference === null) throw new Error('an approval was recorded without the gateway’s reference');
  return gatewayReference;
}

/** The requested amount. */
export function amountOf(payment: PaymentRow): Money {
  return money(payment.amountMinor, payment.currency);
}

/** Whether the bank refused to settle it, also where it had settled it before. */
export function isSettlementRejected(payment: PaymentRow): boolean {
  return payment.status === 'settlement_rejected' || payment.rejectedLateAt !== null;
}

/** A payment's status for people, from its settlement and its refunds. */
export function paymentStatusOf(payment: PaymentRow): z.infer<typeof paymentStatus> {
  // A credit can come before the settlement.
  if (!tookMoney(payment)) return payment.status;
  const refunded = isBitcoin(payment.method) ? payment.refundedSats : returnedMinor(payment);
  const taken = isBitcoin(payment.method) ? (payment.amountSats ?? 0) : takenMinor(payment);
  if (refunded === 0) return payment.status;
  return refunded < taken ? 'partly_refunded' : 'refunded';
}

/** The one thing that gives the money back now. Specification: Payment (refund/cancel interplay). */
export function actionOf(payment: PaymentRow): SaleRecord['action'] {
  // It is returned by hand and recorded: no terminal and no gateway can return it.
  if (isBitcoin(payment.method)) return 'none';
  // The service itself is returning the money.
  if (payment.reversalDueAt !== null || payment.rejectedLateAt !== null) return 'none';
  if (payment.status === 'unsettled') return heldMinor(payment) === 0 && !awaitsSettlement(payment) ? 'void' : 'none';
  return payment.status === 'settled' && remainingMinor(payment) > 0 ? 'refund' : 'none';
}

/** Why money that was taken can be neither voided nor refunded now. */
export function blockOf(payment: PaymentRow): SaleBlock | null {
  if (isSettlementRejected(payment)) return { reason: 'settlement_rejected', retryAfter: null };
  if (!tookMoney(payment) || actionOf(payment) !== 'none' || isBitcoin(payment.method)) return null;
  if (heldMinor(payment) > 0) return { reason: 'refund_in_progress', retryAfter: null };
  if (remainingMinor(payment) === 0) return null;
  return awaitsSettlement(payment) ? { reason: 'payment_settling', retryAfter: nextPollAt(payment) } : null;
}

/** Whether the gateway has handed an unsettled payment to the bank, so that it can no longer be voided. */
export function isSettling(payment: PaymentRow): boolean {
  return payment.status === 'unsettled' && payment.settlingSince !== null;
}

/** Neither void nor refund is possible before it has settled: it was handed to the bank, or a credit excludes its void. */
export function awaitsSettlement(payment: PaymentRow): boolean {
  return isSettling(payment) || (payment.status === 'unsettled' && returnedMinor(payment) > 0);
}

/** When the gateway is polled next for the payment's settlement. */
export function nextPollAt(payment: PaymentRow): string | null {
  return timestampOf(payment.nextPollAt);
}

/** The state of a reversal. */
export function reversalOf(payment: PaymentRow): SaleReversal | null {
  const { reversalReason: reason, status } = payment;
  if (reason === null) return null;
  const isReversalDue = payment.reversalDueAt !== null;
  switch (status) {
    case 'pending':
      return { reason, status: 'awaiting_outcome' };
    case 'declined':
    case 'failed':
    case 'settlement_rejected':
      return { reason, status: 'not_needed' };
    case 'cancelled':
      return { reason, status: 'voided' };
    case 'unsettled':
    case 'settled':
      if (returnedMinor(payment) >= takenMinor(payment)) return { reason, status: 'refunded' };
      if (!isReversalDue) return { reason, status: 'declined' };
      if (status === 'settled') return { reason, status: 'refund_pending' };
      return { reason, status: awaitsSettlement(payment) ? 'awaiting_settlement' : 'void_pending' };
  }
}

/** ISO 8601 in UTC with milliseconds, as every time on the wire. */
export function timestamp(at: Instant): string {
  return new Date(at).toISOString();
}

/** As `timestamp`, for a time that may not have come: null stays null. */
export function timestampOf(at: Instant | null): string | null {
  return at === null ? null : timestamp(at);
}

/** A payment as the API shows it within a link; `amountInCents` is what the bank approved, not what was requested. */
export function linkPaymentOf(payment: PaymentRow): LinkPayment {
  return {
    id: payment.id,
    invoiceNumber: payment.invoiceNumber,
    method: payment.method,
    amountInCents: takenMinor(payment),
    currency: payment.currency,
    amountSats: payment.amountSats,
    status: paymentStatusOf(payment),
    cardScheme: payment.cardScheme,
    cardLastFour: payment.cardLastFour,
    gatewayReference: payment.gatewayReference,
    declineMessage: payment.declineMessage,
    takenAt: timestampOf(payment.takenAt),
    settledAt: timestampOf(payment.settledAt),
    badges: badgesOf(payment),
  };
}

/** Specification: Bitcoin refund. */
function badgesOf(payment: PaymentRow): string[] {
  return isBitcoin(payment.method) && payment.refundedSats > 0 ? ['manual refund, funds returned out of band'] : [];
}
