import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { ReaderOutcome } from '../../readers/reader.ts';

/** The bank's side of a sale, as known. */
export type BankState =
  /** Nothing was ever sent: the card was not read, or every attempt was refused before it left. */
  | 'not_asked'
  /** Sent, or perhaps sent, and not yet answered. */
  | 'unknown'
  /** The service was asked and does not know the sale. */
  | 'not_found'
  /** The service refused the request itself; the bank was not asked. */
  | 'refused'
  /** The service has it and is finding out. */
  | 'pending'
  | 'approved'
  | 'declined'
  | 'failed'
  /** Approved, and reversed or voided at the service. */
  | 'returned';

/** What is known of the reader's side. */
export type ReaderState =
  | 'not_reported'
  /** Still in the dialogue with the card. */
  | 'active'
  /** Disconnected for now. */
  | 'lost'
  /** Disconnected for longer than anyone waits for it. */
  | 'gone'
  /** It has no memory of the transaction. */
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
  /** Reader and bank contradict each other in a way that must not be possible: people have to look. */
  | 'disagree'
  | 'wait';

/**
 * The result of a sale, from what both sides report. The bank's approval stands unless the reader itself says that it did
 * not complete; a reader that cannot be reached cannot say so, and then the card counts as charged.
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
      // The reader approves only with the bank's own approval in hand.
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

/** The bank's side as the service's record has it. */
export function bankStateOf(record: SaleRecord): BankState {
  switch (record.status) {
    case 'pending':
      return 'pending';
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
      // Reversed: never a completed sale again, whatever has become of the reversal.
      return record.reversal === null ? 'approved' : 'returned';
    default:
      return unreachable(record.status);
  }
}

/** The bank's side as reported by a reader that asked the bank by itself. */
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
