import type { PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';

export type MoneyBack = 'voided' | 'refunded';

/**
 * How all that was paid on a link went back to the customer; `undefined` unless it was fully paid and nothing of it is
 * kept. The link's own status stays `PAID`: a later void or refund does not reopen it.
 */
export function moneyBackOf({ balanceInCents, payments }: Pick<PaymentLink, 'balanceInCents' | 'payments'>) {
  if (balanceInCents > 0) return undefined;
  // A voided payment no longer counts; a refunded one does.
  const counted = payments.filter(({ status, countedInCents }) => status === 'cancelled' || countedInCents > 0);
  const isKept = counted.some(({ status }) => status !== 'cancelled' && status !== 'refunded');
  if (counted.length === 0 || isKept) return undefined;
  const back: MoneyBack = counted.some(({ status }) => status === 'refunded') ? 'refunded' : 'voided';
  return back;
}
