import {
  type DiscrepancyKind,
  type DiscrepancyRecord,
  type RejectedCallbackKind,
  rejectedCallbackKinds,
} from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { DiscrepancyRow } from './rows.ts';

export type DiscrepancyOutcome = 'gateway_right' | 'records_right';

/** Who decided, by which evidence; the service itself where the contradiction came to an end by itself. */
export type StoredResolution = {
  readonly outcome: DiscrepancyOutcome;
  readonly evidence: string;
  readonly by: { readonly kind: string; readonly id: string | null };
};

const rejectedCallback =
  'A callback about this operation was not believed, and changed nothing: somebody may be forging or replaying them. Compare with the gateway’s own records, and acknowledge this.';

/** What each kind means to whoever has to deal with it. */
const messages: Readonly<Record<DiscrepancyKind, string>> = {
  payment_approved_late:
    'The bank approved a payment that is recorded as not taken: the customer was charged. Return the money at the gateway, or deliver what was paid for.',
  payment_declined_late:
    'The gateway says now that a payment recorded as taken was declined. Look at the bank statement.',
  payment_amount_differs:
    'The gateway approved another amount than was asked. Look the payment up at the gateway, and resolve the payment on that evidence.',
  payment_approved_twice:
    'The gateway approved this payment a second time, under another reference: the customer may have been charged twice. Void or refund one of them at the gateway.',
  payment_unconfirmed:
    'The gateway approved this payment and has no record of it now. Ask it whether the money will come.',
  payment_cancelled_elsewhere: 'The payment was voided at the gateway itself, not through this service.',
  settlement_rejected: 'The bank rejected the settlement of this payment: its money will not arrive.',
  settlement_rejected_late:
    'The gateway says now that the bank rejected a payment recorded as settled: its money did not stay. Nothing more is refunded until you decide which side is right; look at the bank statement, also for what was refunded before.',
  refund_approved_late:
    'The gateway approved a refund that is recorded as failed: the money may have been returned. Its amount is held until you decide which side is right.',
  refund_declined_late:
    'The gateway says now that a refund recorded as approved was declined. Where the customer has no money back, refund it with kind REFUND.',
  refund_amount_differs:
    'The gateway approved another amount than was asked. Look the refund up at the gateway, and resolve the refund on that evidence.',
  refund_approved_twice:
    'The gateway approved this refund a second time, under another reference: the money may have been returned twice. As much again is held until you decide which side is right.',
  refund_unconfirmed:
    'The gateway approved this refund and has no record of it now. Ask it whether the customer got the money.',
  reversal_declined: 'The gateway refuses to return the money of a reversed sale. Return it another way.',
  reversal_overdue: 'The money of a reversed sale has not been returned yet, although it is tried again and again.',
  sale_not_completed:
    'The terminal never said what became of an approved sale. Ask the shop: let the sale stand, or have it reversed.',
  bitcoin_payment_in_excess:
    'Bitcoin arrived that does not pay what it was asked for: late, too little or too much. Return it to the customer and record that at its claim, which resolves this.',
  sale_paid_after_end:
    'A card reader charged a sale that software had started and was told had ended without a payment. Deliver what was paid for, or refund it, and acknowledge this.',
  sale_outcome_unknown:
    'A card reader that charges by itself had this sale, and neither it nor its terminal says how it ended: the card may have been charged. Look the payment up at the reader’s processor, and resolve the payment on that evidence.',
  sale_currency_differs:
    'A card reader charged a sale in another currency than the business’s. It is recorded as it was charged. Find out how the reader is set up, and acknowledge this.',
  bitcoin_payment_reverted:
    'A payment on chain that was confirmed is no longer in the chain: its satoshis may never arrive. Look its transaction up; where it is gone, ask the customer to pay again.',
  reply_not_believed:
    'A reply to this operation was not believed: it was forged, old, or about something else. The service finds out from the gateway what became of the operation; its record says so. Find out who answered in the gateway’s place, and acknowledge this.',
  ...(Object.fromEntries(rejectedCallbackKinds.map(kind => [kind, rejectedCallback])) as Record<
    RejectedCallbackKind,
    string
  >),
};

/** Kinds that leave no record and no money undecided: a person has to know of them, and nothing more. */
const toAcknowledge: ReadonlySet<DiscrepancyKind> = new Set([
  'payment_cancelled_elsewhere',
  'settlement_rejected',
  'sale_currency_differs',
  'sale_paid_after_end',
  'bitcoin_payment_reverted',
  'bitcoin_payment_in_excess',
  'reply_not_believed',
  ...rejectedCallbackKinds,
]);

export function discrepancyRecordOf(row: DiscrepancyRow): DiscrepancyRecord {
  const resolution = row.resolutionJson === null ? null : (JSON.parse(row.resolutionJson) as StoredResolution);
  return {
    id: row.id,
    kind: row.kind,
    status: resolution === null ? 'open' : 'resolved',
    needs: toAcknowledge.has(row.kind) ? 'acknowledgement' : 'decision',
    message: messages[row.kind],
    paymentId: row.paymentId,
    refundId: row.refundId,
    recorded: JSON.parse(row.recordedJson),
    gateway: JSON.parse(row.gatewayJson),
    contestedInCents: row.contestedMinor,
    createdAt: new Date(row.createdAt).toISOString(),
    resolution: resolution && { ...resolution, resolvedAt: new Date(row.resolvedAt ?? row.createdAt).toISOString() },
  };
}
