import type { SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';

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
