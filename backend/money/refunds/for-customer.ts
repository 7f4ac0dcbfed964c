import { formatSats } from '@florin/shared/bitcoin.ts';
import { formatMoney, money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { BusinessRow } from '../../people/businesses/rows.ts';
import {
  isBitcoin,
  isSettlementRejected,
  remainingMinor,
  remainingSats,
  returnedMinor,
  takenMinor,
} from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { RefundRow } from './rows.ts';
import type { RefundWords } from './words/refund-words.ts';

/** How amounts and days are written for a reader. */
export type Writing = {
  readonly amount: (amountMinor: number) => string;
  readonly sats: (count: number) => string;
  readonly day: (at: Instant) => string;
};

/** Amounts in the payment's currency, and days in the business's time zone. */
export function writingOf({ currency }: PaymentRow, { timeZone }: BusinessRow, locale: string): Writing {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
  return {
    amount: amountMinor => formatMoney(money(amountMinor, currency), locale),
    sats: count => formatSats(count, locale),
    day: at => day.format(at),
  };
}

/** What to tell the customer: about the payment, its one refund, or each of several, oldest first. */
export function forCustomer(
  payment: PaymentRow,
  refunds: readonly RefundRow[],
  words: RefundWords,
  writing: Writing,
): string {
  const { customer } = words;
  const { amount, day } = writing;
  const whole = amount(takenMinor(payment));
  if (isSettlementRejected(payment)) return customer.paymentRejected(whole);
  if (payment.status === 'cancelled') return customer.voided(whole);
  const [refund, ...others] = refunds;
  if (refund)
    return others.length === 0
      ? ofOne(refund, knownCardOf(payment, words), customer, writing)
      : ofSeveral(payment, refunds, words, writing);
  switch (payment.status) {
    case 'pending':
      return customer.paymentUnknown(whole);
    case 'declined':
      return customer.paymentDeclined(whole);
    case 'failed':
      return customer.paymentFailed(whole);
    case 'settlement_rejected':
      return customer.paymentRejected(whole);
    case 'unsettled':
      return customer.authorised(whole, day(payment.takenAt ?? payment.createdAt));
    case 'settled':
      return customer.paid(whole, day(payment.takenAt ?? payment.createdAt));
  }
}

type CustomerWords = RefundWords['customer'];

/** The card of a payment in words, such as "Visa ••0821". */
export function cardOf({ cardScheme, cardLastFour }: PaymentRow, words: RefundWords): string {
  return words.card(cardScheme === 'Other' ? null : cardScheme, cardLastFour);
}

const knownCardOf = (payment: PaymentRow, words: RefundWords) =>
  payment.cardLastFour === null ? null : cardOf(payment, words);

const amountReturned = ({ amountSats, amountMinor }: RefundRow, { amount, sats }: Writing) =>
  amountSats === null ? amount(amountMinor) : sats(amountSats);
const outcomeDay = ({ outcomeAt, createdAt }: RefundRow, { day }: Writing) => day(outcomeAt ?? createdAt);

function ofOne(refund: RefundRow, card: string | null, customer: CustomerWords, writing: Writing): string {
  const [returned, on] = [amountReturned(refund, writing), outcomeDay(refund, writing)];
  switch (refund.status) {
    case 'pending':
      return customer.refundUnknown(returned);
    case 'declined':
      return customer.refundDeclined(returned, on);
    case 'failed':
      return customer.refundFailed(returned, on);
    case 'recorded':
      return customer.refundRecorded(returned, on);
    case 'approved':
      return refund.kind === 'CANCEL'
        ? customer.voided(returned)
        : customer.refundSent(returned, on, card, refund.gatewayReference);
  }
}

/** The sum first, then a line for each refund. */
function ofSeveral(payment: PaymentRow, refunds: readonly RefundRow[], words: RefundWords, writing: Writing): string {
  const { several } = words.customer;
  const { amount, sats } = writing;
  const isSats = isBitcoin(payment.method);
  const whole = isSats ? sats(payment.amountSats ?? 0) : amount(takenMinor(payment));
  const returned = isSats ? payment.refundedSats : returnedMinor(payment);
  const left = isSats ? remainingSats(payment) : remainingMinor(payment);
  const written = (part: number) => (part === 0 ? null : isSats ? sats(part) : amount(part));
  const lines = refunds
    .toReversed()
    .map(
      refund =>
        `\u2022 ${several[refund.status](amountReturned(refund, writing), outcomeDay(refund, writing), refund.gatewayReference)}`,
    );
  const sent = refunds.filter(({ status }) => status === 'approved');
  return [
    several.sum(whole, written(returned), returned === 0 ? null : knownCardOf(payment, words), written(left)),
    ...lines,
    ...(sent.length > 0 ? [several.usually(sent.some(({ gatewayReference }) => gatewayReference !== null))] : []),
  ].join('\n');
}
