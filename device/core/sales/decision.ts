import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { ReaderOutcome } from '../../readers/reader.ts';

/** What is known about the bank's side of a sale. */
export type BankState =
  /** Never sent: the card was not read, or every attempt failed before it left the terminal. */
  | 'not_asked'
  /** Sent, or possibly sent, without a response yet. */
  | 'unknown'
  /** The service has no record of the sale. */
  | 'not_found'
  /** The service refused the request; it was not sent to the bank. */
  | 'refused'
  /** The service has the request and is resolving it. */
  | 'pending'
  | 'approved'
  | 'declined'
  | 'failed'
  /** Reversed or voided at the service. */
  | 'returned';

/** What is known about the reader's side of a sale. */
export type ReaderState =
  | 'not_reported'
  /** The card dialogue is still in progress. */
  | 'active'
  /** Disconnected, for less than the longest accepted time. */
  | 'lost'
  /** Disconnected for longer than the terminal waits. */
  | 'gone'
  /** The reader has no memory of the transaction. */
  | 'forgotten'
  | 'approved'
  | 'refused'
  | 'cancelled'
  | 'timed_out'
  | 'not_available'
  | 'reversed';

export type SaleDecision =
  | 'approved'
  | 'reverse'
  | 'declined'
  | 'voided'
  /** No money moved. */
  | 'nothing_charged'
  /** The reader and the bank contradict each other in a way the protocol excludes: a person must look into it. */
  | 'disagree'
  | 'wait';

/**
 * The outcome of a sale from what both sides report. An approval by the bank stands unless the reader says that the
 * card refused; if the reader cannot be reached, the card counts as charged.
 */
export function decisionOf(bank: BankState, reader: ReaderState): SaleDecision {
  switch (bank) {
    case 'approved':
      return decisionWhenApproved(reader);
    case 'declined':
    case 'failed':
      return 'declined';
    case 'returned':
      return 'voided';
    case 'pending':
    case 'unknown':
      // The reader approves only if the bank approved.
      return reader === 'approved' ? 'approved' : 'wait';
    case 'not_asked':
    case 'not_found':
    case 'refused':
      if (reader === 'approved') return 'disagree';
      return reader === 'active' || reader === 'not_reported' ? 'wait' : 'nothing_charged';
    default:
      return unreachable(bank);
  }
}

function decisionWhenApproved(reader: ReaderState): SaleDecision {
  switch (reader) {
    case 'approved':
    case 'gone':
    case 'forgotten':
      return 'approved';
    case 'refused':
    case 'cancelled':
    case 'timed_out':
    case 'reversed':
      return 'reverse';
    case 'not_reported':
    case 'active':
    case 'lost':
    case 'not_available':
      return 'wait';
    default:
      return unreachable(reader);
  }
}

/**
 * Whether a sale can be cancelled although the bank's outcome is unknown: the service has the request, so it reverses a
 * later approval, and a reader without an approval completes nothing.
 */
export function mayCancelUnanswered(sale: {
  readonly authorisation: 'host' | 'reader';
  readonly bank: BankState;
  readonly reader: ReaderState;
}): boolean {
  if (sale.authorisation !== 'host' || sale.bank !== 'pending') return false;
  return sale.reader !== 'approved' && sale.reader !== 'active' && sale.reader !== 'not_reported';
}

/** The bank's side according to the service's record. */
export function bankStateOf(record: SaleRecord): BankState {
  switch (record.status) {
    case 'pending':
      // Cancelled at the service: whatever the bank approves later is given back.
      return record.reversal === null ? 'pending' : 'returned';
    case 'declined':
      return 'declined';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'returned';
    case 'unsettled':
    case 'settled':
    case 'settlement_rejected':
    case 'partly_refunded':
    case 'refunded':
      // A reversed sale never counts as completed again, whatever the state of its reversal.
      return record.reversal === null ? 'approved' : 'returned';
    default:
      return unreachable(record.status);
  }
}

/** The bank's side as reported by a reader that authorises by itself. */
export function bankStateOfReader(outcome: ReaderOutcome): BankState {
  switch (outcome.kind) {
    case 'approved':
      return 'approved';
    case 'declined':
      return outcome.by === 'host' ? 'declined' : 'not_asked';
    case 'cancelled':
    case 'timed_out':
    case 'not_available':
      return 'not_asked';
    case 'unknown':
      return 'unknown';
    default:
      return unreachable(outcome);
  }
}
