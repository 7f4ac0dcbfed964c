import type { CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';

/** Which statuses of sales and checkouts are not final. */
const isUnderWay: Readonly<Record<TerminalSaleStatus | CheckoutStatus, boolean>> = {
  PENDING: true,
  PROCESSING: true,
  COMPLETE: false,
  ERROR: false,
  CANCELLED: false,
  CANCELLED_REMOTE: false,
  TIMED_OUT: false,
  UNDERPAID: false,
  EXPIRED: false,
};

/** Whether a sale or a checkout with this status has ended. */
export function isFinal(status: string): boolean {
  return (isUnderWay as Readonly<Record<string, boolean>>)[status] === false;
}
