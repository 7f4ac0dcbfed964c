import type { saleEndReason, saleProgressStage } from '@florin/shared/contracts/device-v1/commands.ts';
import type { TerminalSaleReason } from '@florin/shared/contracts/terminal-sale-reasons.ts';
import type { TerminalSaleRecord, TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';
import type { z } from 'zod';
import { timestamp } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { ReceiptAddresses } from '../../money/receipts/address.ts';
import type { RefundRow } from '../../money/refunds/rows.ts';
import type { TerminalSaleRow } from './rows.ts';

/** The state of a sale: final except PENDING and PROCESSING. */
export type SaleState = { readonly status: TerminalSaleStatus; readonly statusReason: TerminalSaleReason };

/** Whether the status never changes again. */
export function isFinal(status: TerminalSaleStatus): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

/** The state of a sale by its payment or refund, which decides as soon as it exists. */
export type MoneyState = SaleState & { readonly paymentId: string; readonly metadata: TerminalSaleRecord['metadata'] };

/**
 * The state of a sale by its card payment. An approved payment is PROCESSING until the terminal completes or reverses
 * the sale.
 */
export function moneyStateOfPayment(payment: PaymentRow): MoneyState {
  return { ...stateByPayment(payment), paymentId: payment.id, metadata: { card: cardOf(payment) } };
}

/** The state of a refund on a terminal: complete once approved. `payment` is the original one, whose card it names. */
export function moneyStateOfRefund(refund: RefundRow, payment: PaymentRow): MoneyState {
  const { id: refundId, gatewayMessage: message } = refund;
  const metadata = { card: cardOf(payment), refund: { refundId, message } };
  return { ...stateByRefund(refund), paymentId: payment.id, metadata };
}

function stateByRefund({ status }: RefundRow): SaleState {
  switch (status) {
    case 'pending':
      return { status: 'PROCESSING', statusReason: 'authorising' };
    case 'approved':
    case 'recorded':
      return { status: 'COMPLETE', statusReason: 'completed' };
    case 'declined':
    case 'failed':
      return { status: 'ERROR', statusReason: status };
  }
}

function stateByPayment(payment: PaymentRow): SaleState {
  if (payment.status === 'declined') return { status: 'ERROR', statusReason: 'declined' };
  if (payment.status === 'failed') return { status: 'ERROR', statusReason: 'failed' };
  if (payment.completedAt !== null) return { status: 'COMPLETE', statusReason: 'completed' };
  switch (payment.reversalReason) {
    case 'outcome_unknown':
      return { status: 'ERROR', statusReason: 'bank_timeout' };
    case 'customer_cancelled':
      return { status: 'CANCELLED_REMOTE', statusReason: 'customer_cancelled' };
    case 'card_refused':
      return { status: 'ERROR', statusReason: 'card_refused' };
    case 'partial_approval':
      return { status: 'ERROR', statusReason: 'declined' };
    case 'not_completed':
      return { status: 'ERROR', statusReason: 'failed' };
    case null:
      break;
  }
  if (payment.status === 'pending') return { status: 'PROCESSING', statusReason: 'authorising' };
  // Voided or rejected by the bank before the terminal completed it.
  if (payment.status === 'cancelled' || payment.status === 'settlement_rejected')
    return { status: 'ERROR', statusReason: 'failed' };
  return { status: 'PROCESSING', statusReason: 'approved' };
}

/** The state of a sale by the terminal's report, without a payment. */
export function stateByTerminal(
  { atReaderAt, endRequested }: Pick<TerminalSaleRow, 'atReaderAt' | 'endRequested'>,
  reason: z.infer<typeof saleEndReason>,
): SaleState {
  // The reader approved it, and its report is on the way.
  if (reason === 'completed' && atReaderAt !== null) return { status: 'PROCESSING', statusReason: 'approved' };
  if (endRequested !== null && (reason === 'staff_cancelled' || reason === 'interrupted'))
    return { status: endRequested === 'expired' ? 'TIMED_OUT' : 'CANCELLED', statusReason: endRequested };
  switch (reason) {
    case 'customer_cancelled':
    case 'staff_cancelled':
      return { status: 'CANCELLED_REMOTE', statusReason: reason };
    case 'no_card':
    case 'expired':
      return { status: 'TIMED_OUT', statusReason: reason };
    case 'outcome_unknown':
      return { status: 'PROCESSING', statusReason: 'unknown_outcome' };
    case 'completed':
      // Only the bank can tell whether money moved.
      return { status: 'ERROR', statusReason: 'failed' };
    case 'declined':
    case 'card_refused':
    case 'not_authorised':
    case 'reader_not_available':
    case 'interrupted':
    case 'failed':
      return { status: 'ERROR', statusReason: reason };
  }
}

/**
 * The stage of the sale; a report made before the terminal received the request to end it does not override that
 * request.
 */
export function stateByStage(
  { endRequested, statusReason }: Pick<TerminalSaleRow, 'endRequested' | 'statusReason'>,
  stage: z.infer<typeof saleProgressStage>,
): SaleState {
  const stays = endRequested !== null && stage !== 'unknown_outcome';
  return { status: 'PROCESSING', statusReason: stays ? statusReason : stage };
}

function cardOf(payment: PaymentRow): TerminalSaleRecord['metadata']['card'] {
  const { cardScheme: scheme, cardLastFour: lastFour, entryMode, applicationId, authorisationCode } = payment;
  const { invoiceNumber, id: paymentId, declineMessage } = payment;
  return { scheme, lastFour, entryMode, applicationId, authorisationCode, invoiceNumber, paymentId, declineMessage };
}

/** A card sale keyed in at the terminal, derived from its payment. */
export function keyedInSaleRecordOf(
  payment: PaymentRow,
  { serial, receipts }: { readonly serial: string; readonly receipts: ReceiptAddresses },
): TerminalSaleRecord {
  const { saleId, amountMinor, currency, reference, createdAt, takenAt, completedAt } = payment;
  const { status, statusReason, metadata } = moneyStateOfPayment(payment);
  const sequence = isFinal(status) ? 3 : statusReason === 'authorising' ? 1 : 2;
  return {
    saleId: saleId ?? '',
    status,
    statusReason,
    sequence,
    serial,
    type: 'sale',
    mode: 'card',
    rail: 'card',
    amountInCents: amountMinor,
    currency,
    reference,
    metadata,
    receipt: status === 'COMPLETE' ? receipts.ofPayment(payment) : null,
    printed: null,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(completedAt ?? takenAt ?? createdAt),
  };
}

/**
 * A sale started over the API, or paid in bitcoin, as its stored row shows it: the same record for responses, events
 * and streams.
 */
export function terminalSaleRecordOf(row: TerminalSaleRow, receipts: ReceiptAddresses): TerminalSaleRecord {
  return withReceipt(storedRecordOf(row), receipts);
}

/** The same for events, which are stored: without the address of its receipt. */
export function storedRecordOf(row: TerminalSaleRow): TerminalSaleRecord {
  const { id: saleId, status, statusReason, sequence, serial, type, mode, rail, currency, reference } = row;
  return {
    saleId,
    status,
    statusReason,
    sequence,
    serial,
    type,
    mode,
    rail,
    amountInCents: row.amountMinor,
    currency,
    reference,
    metadata: JSON.parse(row.metadataJson) as TerminalSaleRecord['metadata'],
    receipt: null,
    printed: row.receiptPrinted === null ? null : row.receiptPrinted === 1,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}

/** Adds the address of the receipt that the customer gets at the end. */
export function withReceipt(record: TerminalSaleRecord, receipts: ReceiptAddresses): TerminalSaleRecord {
  const { status, type, metadata } = record;
  const paymentId = metadata.card?.paymentId ?? metadata.bitcoin?.paymentId;
  const subjectId = type === 'refund' ? metadata.refund?.refundId : paymentId;
  return { ...record, receipt: status === 'COMPLETE' && subjectId ? receipts.of(subjectId) : null };
}
