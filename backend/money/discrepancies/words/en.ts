import { type RejectedCallbackKind, rejectedCallbackKinds } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Meanings } from './meanings.ts';

const rejectedCallback =
  'A callback about this operation failed verification and changed nothing; it may be forged or replayed. Compare with the gateway’s own records, then acknowledge this.';

/** What each kind means, and what to do about it. */
export const english: Meanings = {
  payment_approved_late:
    'The bank approved a payment that is recorded as not taken: the customer was charged. Return the money at the gateway, or deliver what was paid for.',
  payment_declined_late: 'The gateway now reports a payment recorded as taken as declined. Check the bank statement.',
  payment_amount_differs:
    'The gateway approved another amount than requested. Look the payment up at the gateway, and resolve the payment on that evidence.',
  payment_approved_twice:
    'The gateway approved this payment a second time, under another reference: the customer may have been charged twice. Void or refund one of them at the gateway.',
  payment_unconfirmed:
    'The gateway approved this payment and now has no record of it. Ask the gateway whether the money will arrive.',
  payment_voided_elsewhere: 'The payment was voided at the gateway itself, not through this service.',
  settlement_rejected: 'The bank rejected the settlement of this payment: its money will not arrive.',
  settlement_rejected_late:
    'The gateway now reports that the bank rejected a payment recorded as settled: its money was taken back. Nothing more is refunded until you decide which side is right; check the bank statement, also for earlier refunds.',
  refund_approved_late:
    'The gateway approved a refund that is recorded as failed: the money may have been returned. Its amount is held until you decide which side is right.',
  refund_declined_late:
    'The gateway now reports a refund recorded as approved as declined. If the customer did not receive the money, refund it with kind REFUND.',
  refund_amount_differs:
    'The gateway approved another amount than requested. Look the refund up at the gateway, and resolve the refund on that evidence.',
  refund_approved_twice:
    'The gateway approved this refund a second time, under another reference: the money may have been returned twice. The same amount is held until you decide which side is right.',
  refund_unconfirmed:
    'The gateway approved this refund and now has no record of it. Ask the gateway whether the customer received the money.',
  refund_not_recorded:
    'The gateway made a refund of this payment that the records do not have, as after a restored backup. Its amount is held until you decide which side is right: with the gateway it counts as returned.',
  reversal_declined: 'The gateway refuses to return the money of a reversed sale. Return it another way.',
  reversal_overdue: 'The money of a reversed sale has not been returned yet, despite repeated attempts.',
  sale_not_completed:
    'The terminal never reported the outcome of an approved sale. Ask the shop whether to keep or reverse the sale.',
  sale_reversed_too_late:
    'The terminal cancelled this sale after the service had recorded it as completed: the customer was charged, and may have been told otherwise. Ask the shop; void or refund the sale if the customer has paid another way, then acknowledge this.',
  bitcoin_payment_in_excess:
    'A bitcoin payment arrived late, or was too little or too much. Return it to the customer and record the return on its claim, which resolves this.',
  sale_paid_after_end:
    'A card reader charged a sale started over the API after it was reported as ended without a payment. Deliver the order or refund it, then acknowledge this.',
  sale_outcome_unknown:
    'A card reader that authorises by itself processed this sale, and neither it nor its terminal reported the outcome: the card may have been charged. Look the payment up at the reader’s processor, and resolve the payment on that evidence.',
  reader_totals_differ:
    'A card reader closed its day with another total than is recorded of its sales, voids and refunds. Compare the reader’s own receipt of its end of day, or its processor’s records, with the sales of that day, then acknowledge this. A sale that arrives later is compared again, and may resolve it.',
  sale_currency_differs:
    'A card reader charged a sale in another currency than the business’s. It is recorded as charged. Check the reader’s configuration, then acknowledge this.',
  bitcoin_payment_reverted:
    'A confirmed on-chain payment is no longer in the chain: its satoshis may never arrive. Look up its transaction; if it is gone, ask the customer to pay again.',
  reply_not_believed:
    'A reply to this operation failed verification: it was forged, replayed, or about another operation. The service looks up the outcome at the gateway and records it. Find out where the reply came from, then acknowledge this.',
  ...(Object.fromEntries(rejectedCallbackKinds.map(kind => [kind, rejectedCallback])) as Record<
    RejectedCallbackKind,
    string
  >),
};
