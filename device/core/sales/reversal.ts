import type { SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import { unreachable } from '@florin/shared/result.ts';

/** The progress of a reversal, as far as this terminal knows it. */
export type ReversalProgress =
  | SaleReversal['status']
  /** The service has not acknowledged the reversal; it is sent until it does. */
  | 'not_acknowledged'
  /** The service refused the reversal: the sale counts as completed. */
  | 'refused';

/** Whether the customer's card is not charged, so that the payment can be repeated without a warning. */
export function isMoneyBack(progress: ReversalProgress): boolean {
  return progress === 'voided' || progress === 'refunded' || progress === 'not_needed';
}

/** Whether the reversal can still complete by itself. */
export function isReversalFinal(progress: ReversalProgress): boolean {
  return isMoneyBack(progress) || progress === 'declined' || progress === 'refused';
}

/** Whether the customer is charged although the sale was not completed, and only a person can return the money. */
export function isReversalFailed(progress: ReversalProgress): boolean {
  return progress === 'declined' || progress === 'refused';
}

/**
 * What a reversal means for the customer and what to do next. `message` is null if the sale's own outcome is the better
 * title. `what` is the amount, or the words for the part the bank approved.
 */
export function reversalWords(progress: ReversalProgress, what: string): { message: string | null; detail: string } {
  switch (progress) {
    case 'not_needed':
      return { message: null, detail: 'Nothing was charged.' };
    case 'voided':
      return {
        message: null,
        detail: `${capitalised(what)} was given back to the card. The customer does not pay.`,
      };
    case 'refunded':
      return {
        message: 'Charged and refunded',
        detail: `${capitalised(what)} was charged and refunded in full; the refund usually reaches the card within one to five working days.`,
      };
    case 'not_acknowledged':
      return {
        message: 'Not paid',
        detail: `Keep the goods. If the bank took ${what}, it goes back to the card once the service has confirmed it. The terminal keeps trying. ${untilThen}`,
      };
    case 'awaiting_outcome':
      return {
        message: 'Not paid',
        detail: `Keep the goods. It is not known yet whether the bank took ${what}: if it did, the money goes back to the card by itself. ${anotherPayment}`,
      };
    case 'void_pending':
      return {
        message: 'Giving the money back',
        detail: `It is not certain yet that ${what} goes back to the card. The service keeps trying. ${untilThen}`,
      };
    case 'awaiting_settlement':
      return {
        message: 'Charged, refund to come',
        detail: `${capitalised(what)} was charged and it is too late to void it. The service refunds it in full as soon as it has settled, usually within a day. ${chargedTwice}`,
      };
    case 'refund_pending':
      return {
        message: 'Charged, refund to come',
        detail: `${capitalised(what)} was charged and a full refund was requested; the bank has not answered yet. The service keeps asking. ${chargedTwice}`,
      };
    case 'declined':
      return {
        message: 'The card was charged',
        detail: `The bank refused to give ${what} back. Do not take the payment again. Hand over the goods, or ask a manager to return the money.`,
      };
    case 'refused':
      return {
        message: 'The card was charged',
        detail: `The service has this sale as completed, so ${what} was not given back. Do not take the payment again. To give it back, void or refund the sale under Recent sales.`,
      };
    default:
      return unreachable(progress);
  }
}

/** Starts a sentence, so the first letter is a capital. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const anotherPayment =
  'The customer can pay with another card or in cash now. Their bank may show the first payment as pending for some days.';
const untilThen = 'Until then the card may be charged: wait before you take the payment again.';
const chargedTwice = 'If you take the payment again, the customer is charged twice until the refund arrives.';
