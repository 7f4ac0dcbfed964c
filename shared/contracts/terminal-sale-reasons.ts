import { z } from 'zod';

type ReasonWords = {
  /** For developers: the status it comes with, and its meaning. */
  readonly meaning: string;
  /** A sentence to show to the customer. */
  readonly customer: string;
  /** The same of a refund, where it differs. */
  readonly refund?: string;
};

/** The reasons for a terminal sale's status, for programs and for the reference. */
export const terminalSaleReasons = {
  awaiting_terminal: {
    meaning: 'PENDING: being sent to the terminal.',
    customer: 'One moment, please.',
  },
  terminal_unreachable: {
    meaning:
      'PENDING: the terminal is not connected, and receives the sale when it reconnects. TIMED_OUT: it did not reconnect in time; nothing was charged.',
    customer: 'The terminal cannot be reached just now. Please ask a member of staff.',
  },
  awaiting_reader: {
    meaning:
      'PROCESSING: the terminal has the sale and waits for its card reader, or for the previous result to be read.',
    customer: 'One moment, please.',
  },
  awaiting_card_removal: {
    meaning:
      'PROCESSING: the card of the previous sale is still in the reader. The minute for the next card has begun.',
    customer: 'Please take the card out of the reader.',
  },
  awaiting_card: {
    meaning: 'PROCESSING: the reader waits for a card.',
    customer: 'Please present your card at the terminal.',
  },
  card_read: {
    meaning: 'PROCESSING: the reader has the card; a PIN or a choice may follow.',
    customer: 'Please follow the card reader.',
  },
  cancel_requested: {
    meaning:
      'PROCESSING: you cancelled it while a reader that authorises by itself had it. The terminal was requested to end it; a card may still be charged.',
    customer: 'The payment is being cancelled. Please wait.',
  },
  expiry_requested: {
    meaning: 'PROCESSING: as `cancel_requested`, because the sale expired.',
    customer: 'The payment is being cancelled. Please wait.',
  },
  authorising: {
    meaning:
      'PROCESSING: the authorisation was requested, and the bank has not answered yet. The sale cannot be cancelled until the bank has answered, or the reason becomes `unknown_outcome`.',
    customer: 'Waiting for your bank’s answer. Please wait.',
    refund: 'The refund is being sent to your bank. Please wait.',
  },
  unknown_outcome: {
    meaning:
      'PROCESSING: whether the customer was charged is not known yet; the bank, the reader or the node is polled until it is. Do not take the money in another way meanwhile. A card sale can be ended before the outcome is known, and is `bank_timeout` then: staff can do that at the terminal, a kiosk does it 90 seconds after the authorisation was requested, and you can by cancelling. A sale at a reader that authorises by itself cannot.',
    customer: 'We are checking whether your payment went through. Please do not pay again, and ask a member of staff.',
    refund: 'We are checking whether your refund went through. Please ask a member of staff.',
  },
  approved: {
    meaning:
      'PROCESSING: the bank approved, and the reader is finishing with the card. Not final: the card can still refuse, and the money is then returned. Hand over the goods at COMPLETE.',
    customer: 'Almost done. Please follow the card reader.',
  },
  awaiting_payment: {
    meaning: 'PROCESSING: the terminal shows what to pay in bitcoin.',
    customer: 'Please scan the code on the terminal with your Bitcoin wallet.',
  },
  payment_seen: {
    meaning:
      'PROCESSING: a bitcoin payment was seen on chain and is not confirmed yet, which takes about ten minutes and may take an hour. The terminal is free for the next sale.',
    customer: 'Your payment has arrived and waits for its confirmation.',
  },
  awaiting_staff: {
    meaning: 'PROCESSING, of a refund: the terminal asks a staff member to authorise it.',
    customer: 'A member of staff has to confirm the refund.',
  },
  completed: {
    meaning: 'COMPLETE: the customer paid, or the refund was made.',
    customer: 'Paid. Thank you!',
    refund: 'Your refund is on its way.',
  },
  declined: {
    meaning:
      'ERROR: the bank declined, or approved only a part, which is returned. `metadata.card.declineMessage` holds its answer.',
    customer: 'Your bank declined the payment. Please try another card.',
    refund: 'The refund was declined. Please ask a member of staff.',
  },
  card_refused: {
    meaning: 'ERROR: the card or the reader refused. What the bank had approved is returned.',
    customer: 'Your card was not accepted. Please try another card.',
  },
  failed: {
    meaning:
      'ERROR: it could not be completed, for reasons that are not the customer’s. What the bank had approved is returned.',
    customer: 'The payment was not completed. Please ask a member of staff.',
    refund: 'The refund was not made. Please ask a member of staff.',
  },
  bank_timeout: {
    meaning:
      'ERROR: the bank did not answer in time, and the sale was ended: by staff at the terminal, by the reader, by a kiosk 90 seconds after the authorisation was requested, or by you. The terminal is free and the customer can pay in another way: an approval that still arrives is reversed.',
    customer:
      'Your bank did not answer in time, so you have not paid. If it took the money, it is returned. You can pay in another way.',
  },
  not_authorised: {
    meaning: 'ERROR, of a refund: no staff member authorised it, or the service refused it.',
    customer: 'The refund was not authorised. Please ask a member of staff.',
  },
  customer_cancelled: {
    meaning:
      'CANCELLED_REMOTE: the customer cancelled on the reader or on the screen of a kiosk, or took the card out too soon. What the bank had approved is returned.',
    customer: 'The payment was cancelled.',
  },
  staff_cancelled: {
    meaning: 'CANCELLED_REMOTE: cancelled by staff on the terminal, before the authorisation was requested.',
    customer: 'The payment was cancelled.',
    refund: 'The refund was cancelled.',
  },
  cancelled_by_caller: {
    meaning: 'CANCELLED: you cancelled it; nothing was charged.',
    customer: 'The payment was cancelled.',
    refund: 'The refund was cancelled.',
  },
  no_card: {
    meaning: 'TIMED_OUT: no card was presented, or its PIN was not typed, within a minute; nothing was charged.',
    customer: 'Time is up and you have not been charged. Please start again.',
  },
  expired: {
    meaning: 'TIMED_OUT: it expired after five minutes; nothing was charged, or no staff member authorised the refund.',
    customer: 'Time is up. Please start again.',
    refund: 'The refund was not confirmed in time. Please ask a member of staff.',
  },
  terminal_busy: {
    meaning: 'ERROR: the terminal was in use when the sale arrived there; nothing was charged.',
    customer: 'The terminal is in use. Please try again in a moment.',
  },
  reader_not_available: {
    meaning: 'ERROR: the card reader is unplugged, switched off or needs attention; nothing was charged.',
    customer: 'The card reader is not ready. Please ask a member of staff.',
  },
  interrupted: {
    meaning:
      'ERROR: the terminal restarted, or its reader was disconnected, before the authorisation was requested; nothing was charged.',
    customer: 'The payment was interrupted and you have not been charged. Please start again.',
    refund: 'The refund was interrupted. Please ask a member of staff.',
  },
  underpaid: {
    meaning: 'ERROR: time was up with only a part of the amount in bitcoin, which the business returns.',
    customer: 'Too little arrived in time. Please ask a member of staff for its return.',
  },
  node_unreachable: {
    meaning: 'ERROR: abandoned at the terminal because the business’s bitcoin node did not answer.',
    customer: 'Bitcoin is not available just now. Please pay in another way.',
  },
} as const satisfies Record<string, ReasonWords>;

export type TerminalSaleReason = keyof typeof terminalSaleReasons;

const reasons = Object.entries<ReasonWords>(terminalSaleReasons);

const table = [
  '| `statusReason` | Meaning | For the customer |',
  '|---|---|---|',
  ...reasons.map(
    ([reason, { meaning, customer, refund }]) =>
      `| \`${reason}\` | ${meaning} | ${customer}${refund === undefined ? '' : ` Of a refund: ${refund}`} |`,
  ),
].join('\n');

export const terminalSaleReason = z
  .enum(Object.keys(terminalSaleReasons) as [TerminalSaleReason, ...TerminalSaleReason[]])
  .meta({
    description: `The current stage while PROCESSING, otherwise the reason why it ended. New values may be added: handle unknown ones by \`status\`. The sentence beside it may be shown to the customer, in your own words and language; \`x-reasons\` of this description holds the same for programs.\n\n${table}`,
    'x-reasons': terminalSaleReasons,
  });
