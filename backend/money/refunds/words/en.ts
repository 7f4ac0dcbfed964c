import type { RefundWords } from './refund-words.ts';

export const english: RefundWords = {
  blocked: {
    payment_already_cancelled: 'Payment has already been cancelled',
    payment_already_refunded: 'Payment has already been refunded',
    refund_exceeds_payment: 'Refund exceeds original sale amount',
    payment_not_at_gateway: 'Payment did not reach the gateway, so there is nothing to refund',
    payment_at_reader:
      'The card reader of a terminal authorised this payment and returns its money: void or refund it at the terminal',
    payment_outcome_unknown:
      'Whether this payment took money is not known yet: the gateway is being polled. Try again in a few minutes',
    payment_declined: 'Payment was declined and took no money, so there is nothing to refund',
    settlement_rejected:
      'The bank rejected the settlement of this payment: it took no money, so there is nothing to refund',
    not_a_card_payment: 'Payment was made in bitcoin: record a bitcoin refund instead',
    payment_already_settled: 'Payment has settled and can only be refunded',
    payment_not_settled: 'Payment has not settled yet: until it has, it can only be cancelled',
    payment_settling: 'Payment has yet to settle: it can be neither cancelled nor refunded until it has',
    refund_in_progress: 'Another refund of this payment is not decided yet',
  },
  onlyLeft: (left, whole) => `Only ${left} of ${whole} is left to refund.`,
  onlyLeftSats: (left, whole) => `Only ${left} of ${whole} are left to return.`,
  card: (scheme, lastFour) => `${scheme ?? 'the card'}${lastFour === null ? '' : ` ••${lastFour}`}`,
  refund: (amount, card) => `${amount} goes back to ${card}, usually in one to five working days.`,
  void: (amount, card) => `The whole payment of ${amount} is cancelled: nothing reaches the statement of ${card}.`,
  record: amount => `${amount} are recorded as returned. Nothing is sent: you return them to the customer yourself.`,
  left: amount => (amount === null ? 'Nothing is left.' : `${amount} is left.`),
  leftSats: amount => (amount === null ? 'Nothing is left.' : `${amount} are left.`),
  twice: 'Issuing it again pays it again.',
  customer: {
    paymentUnknown: amount =>
      `We are still asking the bank about your payment of ${amount}; nothing needs to be done again.`,
    paymentDeclined: amount => `Your payment of ${amount} was declined; no money was taken.`,
    paymentFailed: amount => `Your payment of ${amount} did not reach the bank; no money was taken.`,
    paymentRejected: amount => `The bank did not settle your payment of ${amount}; no money was taken.`,
    authorised: (amount, day) =>
      `Your payment of ${amount} was authorised on ${day} and will be collected with the next settlement.`,
    paid: (amount, day) => `Your payment of ${amount} was taken on ${day}.`,
    voided: amount => `Your payment of ${amount} was cancelled; it does not appear on your statement.`,
    refundUnknown: amount =>
      `We are still asking the bank about your refund of ${amount}; nothing needs to be done again.`,
    refundDeclined: (amount, day) => `The bank declined your refund of ${amount} on ${day}; no money was returned.`,
    refundFailed: (amount, day) =>
      `Your refund of ${amount} was not sent to the bank on ${day}; no money was returned.`,
    refundSent: (amount, day, card, reference) =>
      `Your refund of ${amount}${card === null ? '' : ` to ${card}`} was sent on ${day}; it usually appears in one to five working days, longer over a weekend or a bank holiday.${reference === null ? '' : ` If it has not appeared after ten working days, ask your bank about the reference ${reference}.`}`,
    refundRecorded: (amount, day) =>
      `Your refund of ${amount} was recorded on ${day}; the shop returns it to you itself.`,
    several: {
      sum: (whole, returned, card, left) =>
        `Of your payment of ${whole}, ${returned ?? 'nothing'} was returned${card === null ? '' : ` to ${card}`}${left === null ? '.' : ` and ${left} is left.`}`,
      pending: amount => `${amount}: we are still asking the bank; nothing needs to be done again`,
      approved: (amount, day, reference) =>
        `${amount}: sent on ${day}${reference === null ? '' : `, reference ${reference}`}`,
      declined: (amount, day) => `${amount}: declined by the bank on ${day}; no money was returned`,
      failed: (amount, day) => `${amount}: not sent to the bank on ${day}; no money was returned`,
      recorded: (amount, day) => `${amount}: recorded on ${day}; the shop returns it to you itself`,
      usually: hasReferences =>
        `A refund usually appears in one to five working days, longer over a weekend or a bank holiday.${hasReferences ? ' If one has not appeared after ten working days, ask your bank about its reference.' : ''}`,
    },
  },
};
