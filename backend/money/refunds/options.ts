import type { RefundOptionsRecord } from '@florin/shared/contracts/api-v1/refund-options.ts';
import { afterEveryId, type Database } from '../../foundation/database/database.ts';
import { businessById } from '../../people/businesses/store.ts';
import { isBitcoin, remainingMinor, remainingSats, takenMinor } from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { paymentById } from '../payments/store.ts';
import { cardOf, forCustomer, type Writing, writingOf } from './for-customer.ts';
import {
  type BitcoinRefundRefusal,
  type CardRefundRefusal,
  refusalOfBitcoinRefund,
  refusalOfCardRefund,
} from './refund.ts';
import type { RefundRow } from './rows.ts';
import { refundsOfPayment } from './store.ts';
import type { BlockReason, RefundWords } from './words/refund-words.ts';
import { wordsFor } from './words/words.ts';

export type RefundQuestion = {
  readonly businessId: string;
  readonly paymentId: string;
  /** The amount in question: of a card payment in its currency, of a bitcoin payment in satoshis. */
  readonly amountMinor: number | null;
  readonly amountSats: number | null;
  readonly languages: readonly string[];
};

/** What returns money of a payment now, what that will do, and what to tell the customer; it decides and changes nothing. */
export function refundOptions(database: Database) {
  return async (question: RefundQuestion): Promise<RefundOptionsRecord | undefined> => {
    const { businessId, paymentId } = question;
    const payment = await database.first(paymentById, { businessId, id: paymentId });
    const business = await database.first(businessById, { id: businessId });
    if (!payment || !business) return undefined;
    const refunds = await database.all(refundsOfPayment, {
      businessId,
      paymentId,
      status: null,
      before: afterEveryId,
      limit: 100,
    });
    const { words, locale } = wordsFor(question.languages, business.locale);
    const writing = writingOf(payment, business, locale);
    const options = isBitcoin(payment.method)
      ? bitcoinOptions(question, payment)
      : cardOptions(question, payment, refunds);
    return {
      action: options.action,
      blocked: options.refusal && blockOf(options.refusal, payment, words, writing),
      currency: payment.currency,
      remainingInCents: remainingMinor(payment),
      remainingSats: isBitcoin(payment.method) ? remainingSats(payment) : null,
      confirmation: options.refusal ? null : confirmationOf(question, payment, options.action, words, writing),
      forCustomer: forCustomer(payment, refunds, words, writing),
    };
  };
}

type Refusal = CardRefundRefusal | BitcoinRefundRefusal;
type Options = { readonly action: RefundOptionsRecord['action']; readonly refusal: Refusal | null };

function cardOptions({ amountMinor }: RefundQuestion, payment: PaymentRow, refunds: readonly RefundRow[]): Options {
  const counted = refunds.filter(({ status }) => status !== 'declined' && status !== 'failed');
  const others = {
    pending: counted.some(({ status }) => status === 'pending'),
    final: counted.some(({ status }) => status !== 'pending'),
  };
  const whole = takenMinor(payment);
  const asked = { isAtTerminal: false, payment, others } as const;
  const ofVoid = refusalOfCardRefund({ ...asked, kind: 'CANCEL', amountMinor: whole });
  // Nothing in question: as much as is left.
  const wanted = amountMinor ?? remainingMinor(payment);
  const ofRefund = refusalOfCardRefund({ ...asked, kind: 'REFUND_SALE', amountMinor: wanted });
  if (ofVoid === null) return { action: 'void', refusal: wanted === whole ? null : ofRefund };
  if (ofRefund === null) return { action: 'refund', refusal: null };
  const isTooMuch = ofRefund.kind === 'refund_exceeds_payment' && remainingMinor(payment) > 0;
  if (isTooMuch && payment.status === 'settled') return { action: 'refund', refusal: ofRefund };
  return { action: null, refusal: payment.status === 'settled' ? ofRefund : ofVoid };
}

function bitcoinOptions({ amountSats }: RefundQuestion, payment: PaymentRow): Options {
  const refusal = refusalOfBitcoinRefund(payment, amountSats ?? 1);
  if (remainingSats(payment) > 0) return { action: 'record', refusal };
  return {
    action: null,
    refusal: refusal?.kind === 'refund_exceeds_payment' ? { kind: 'payment_already_refunded' } : refusal,
  };
}

function blockOf(
  refusal: Refusal,
  payment: PaymentRow,
  words: RefundWords,
  writing: Writing,
): NonNullable<RefundOptionsRecord['blocked']> {
  const reason = refusal.kind as BlockReason;
  const retryAfter = 'retryAfter' in refusal ? refusal.retryAfter : null;
  const onlyLeft = refusal.kind === 'refund_exceeds_payment' ? onlyLeftOf(payment, words, writing) : undefined;
  return { reason, message: onlyLeft ?? words.blocked[reason], retryAfter };
}

/** Where a part was returned before: what is left of the whole. Otherwise the sentence of the specification says it. */
function onlyLeftOf(payment: PaymentRow, words: RefundWords, { amount, sats }: Writing): string | undefined {
  if (isBitcoin(payment.method)) {
    const left = remainingSats(payment);
    return left === payment.amountSats ? undefined : words.onlyLeftSats(sats(left), sats(payment.amountSats ?? 0));
  }
  const [left, whole] = [remainingMinor(payment), takenMinor(payment)];
  return left === whole ? undefined : words.onlyLeft(amount(left), amount(whole));
}

function confirmationOf(
  { amountMinor, amountSats }: RefundQuestion,
  payment: PaymentRow,
  action: Options['action'],
  words: RefundWords,
  { amount, sats }: Writing,
): string | null {
  const card = cardOf(payment, words);
  switch (action) {
    case 'void':
      return words.void(amount(takenMinor(payment)), card);
    case 'refund': {
      if (amountMinor === null) return null;
      const left = remainingMinor(payment) - amountMinor;
      return [words.refund(amount(amountMinor), card), words.left(left === 0 ? null : amount(left)), words.twice].join(
        ' ',
      );
    }
    case 'record': {
      if (amountSats === null) return null;
      const left = remainingSats(payment) - amountSats;
      return [words.record(sats(amountSats)), words.leftSats(left === 0 ? null : sats(left))].join(' ');
    }
    case null:
      return null;
  }
}
