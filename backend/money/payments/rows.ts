import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type PaymentMethod = 'card' | 'apple_pay' | 'google_pay' | 'lightning' | 'onchain';

/**
 * `pending`: sent to the gateway, outcome not known yet. `unsettled` and `settled` took the money; `cancelled` was voided
 * in full; of `settlement_rejected` the bank withdrew its approval. What was refunded is in `refundedMinor`, not in the
 * status.
 */
export type PaymentStatus =
  | 'pending'
  | 'declined'
  | 'failed'
  | 'unsettled'
  | 'settled'
  | 'cancelled'
  | 'settlement_rejected';

export type PaymentRow = {
  id: string;
  businessId: string;
  paymentLinkId: string | null;
  terminalId: string | null;
  /** The terminal's own id of the sale: the same sale never makes a second payment. */
  saleId: string | null;
  /** The caller's own id of an online payment, unique in the business: the same call never makes a second payment. */
  clientRequestId: string | null;
  /** The account at a gateway that takes it; null for bitcoin, and where the reader's own processor took it. */
  gatewayAccountId: string | null;
  invoiceNumber: string;
  method: PaymentMethod;
  /**
   * `reader`: a terminal's reader used its own processor, which also returns the money. No gateway is ever asked about
   * it.
   */
  authorisedBy: 'host' | 'reader';
  /** The amount requested from the gateway. */
  amountMinor: number;
  /** The part of `amountMinor` that the customer added as a tip on the reader. */
  tipMinor: number;
  /** What the bank approved, possibly a part of it; null until it did. */
  approvedMinor: number | null;
  currency: string;
  /** What a bitcoin payment received; null for cards. */
  amountSats: number | null;
  status: PaymentStatus;
  /** Sent to the gateway as the operation's own reference, stored before it is sent. */
  uniqueReference: string | null;
  gatewayReference: string | null;
  authorisationCode: string | null;
  cardScheme: CardScheme | null;
  cardLastFour: string | null;
  entryMode: string | null;
  /** What staff, or the software that started it, call a terminal's sale. */
  reference: string | null;
  /** The application of the card that the reader used (AID), as hexadecimal digits; null where it tells none. */
  applicationId: string | null;
  declineCode: string | null;
  declineMessage: string | null;
  /** Where the customer's browser is sent by their bank's check, while that is awaited: see three-d-secure.ts. */
  threeDSecureJson: string | null;
  /** Whether a reply of the gateway contained the address of the bank's check. */
  customerStepKnown: Flag;
  /** For a payment that this check ended: the bank refused, or the check did not complete. */
  threeDSecureFailure: 'declined' | 'incomplete' | null;
  /** Sum of approved CANCEL and REFUND_SALE; of bitcoin, the share of the amount that `refundedSats` are, rounded down. */
  refundedMinor: number;
  /**
   * Sum of approved REFUNDs and of what a person confirmed to have been returned, which may exceed what was taken:
   * nothing caps them, yet they count as returned.
   */
  creditedMinor: number;
  /** Sum of pending CANCEL and REFUND_SALE: held until their outcome is known. */
  reservedMinor: number;
  refundedSats: number;
  /** Held because the gateway reported an approval that our records do not have: see discrepancies/. */
  contestedMinor: number;
  /**
   * When the gateway is polled next: for the outcome while pending, for settlement while unsettled, and for a settled
   * payment whether that still holds, if a refused refund raised doubt. Until the first poll only the sender acts on
   * the payment.
   */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  /** How long it was polled for: see jobs/polling.ts. */
  polledForMs: number;
  /** The time from which a person's evidence is accepted, once a person has asked; see jobs/polling.ts. */
  evidenceFrom: Instant | null;
  sentAt: Instant | null;
  takenAt: Instant | null;
  /** The terminal showed the customer an approved sale: from then on it can be voided or refunded, but not reversed. */
  completedAt: Instant | null;
  /** The time by which a terminal must report the outcome of its approved sale; null if none is awaited. */
  completeBy: Instant | null;
  /** The terminal reversed the sale; an approval, whenever it becomes known, is voided or refunded. */
  reversalReason: ReversalReason | null;
  /** When the reversal is tried next; null where none is due, or where only a person can return the money. */
  reversalDueAt: Instant | null;
  reversalAttempts: number;
  /** Handed to the bank at this time at the latest: neither voidable nor refundable until it has settled. */
  settlingSince: Instant | null;
  settledAt: Instant | null;
  /** When its approval became void: it was voided in full, or the bank rejected its settlement. */
  voidedOrRejectedAt: Instant | null;
  /**
   * The time since which the gateway reports that the bank rejected the settled payment; null again if a person found
   * that wrong.
   */
  rejectedLateAt: Instant | null;
  createdAt: Instant;
};

/**
 * Reversals that arrived before the authorisation of their sale: an authorisation that was delayed in transit finds
 * its sale here and is not sent to the bank any more.
 */
export type EarlyReversalRow = { machineId: string; saleId: string; at: Instant };
