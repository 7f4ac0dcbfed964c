import { type CheckoutStatus, isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { InvoiceProgress } from '../bitcoin-invoices/progress.ts';

/** What is asked for, and what has come of it so far. */
type Asked = { readonly status: CheckoutStatus; readonly amountSats: number };

/** The one rule of what a checkout is. A final status never changes. decisions: Hosted checkout. */
export function statusAfter({ status, amountSats }: Asked, progress: InvoiceProgress): CheckoutStatus {
  if (isFinalCheckout(status)) return status;
  if (progress.confirmedSats >= amountSats) return 'COMPLETE';
  // On chain it has been sent in time, whatever the time is now.
  if (progress.seenSats > 0) return 'PROCESSING';
  if (!progress.isOver) return 'PENDING';
  return progress.confirmedSats > 0 ? 'UNDERPAID' : 'EXPIRED';
}

/** What is to be returned of a checkout with this status, and why; undefined where nothing is. */
export function owedOf({ status, amountSats }: Asked, { confirmedSats }: InvoiceProgress) {
  switch (status) {
    case 'PENDING':
    case 'PROCESSING':
      return undefined;
    case 'COMPLETE':
      return confirmedSats > amountSats
        ? ({ reason: 'overpaid', amountSats: confirmedSats - amountSats } as const)
        : undefined;
    case 'UNDERPAID':
      return { reason: 'underpaid', amountSats: confirmedSats } as const;
    case 'EXPIRED':
    case 'CANCELLED':
      return confirmedSats > 0 ? ({ reason: 'late', amountSats: confirmedSats } as const) : undefined;
  }
}
