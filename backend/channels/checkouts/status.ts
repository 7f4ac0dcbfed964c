import { type CheckoutStatus, isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { InvoiceProgress } from '../../bitcoin/invoices/progress.ts';

/** The requested amount and the current status. */
type Asked = { readonly status: CheckoutStatus; readonly amountSats: number };

/** The only rule that derives a checkout's status. A final status never changes. decisions: Hosted checkout. */
export function statusAfter({ status, amountSats }: Asked, progress: InvoiceProgress): CheckoutStatus {
  if (isFinalCheckout(status)) return status;
  if (progress.confirmedSats >= amountSats) return 'COMPLETE';
  // An unconfirmed on-chain payment counts as sent in time.
  if (progress.seenSats > 0) return 'PROCESSING';
  if (!progress.isOver) return 'PENDING';
  return progress.confirmedSats > 0 ? 'UNDERPAID' : 'EXPIRED';
}

/** The amount to return at this status, with the reason; undefined if none. */
export function dueOf({ status, amountSats }: Asked, { confirmedSats }: InvoiceProgress) {
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
