import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { BusinessRow } from '../businesses/rows.ts';
import type { CheckedSale } from './log-entry.ts';

/** The void or refund that a staff check decides about. */
export type CheckedOperation = {
  readonly business: BusinessRow;
  readonly terminalId: string;
  readonly sale: CheckedSale;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  /** The refunded amount; limits do not apply to voids. */
  readonly amountMinor: number;
  readonly authorisation: StaffAuthorisation;
  /** Of a second staff member, for the request that the first one was refused. */
  readonly approval?: StaffAuthorisation | undefined;
  /** The refund to be authorised. */
  readonly refundId: string;
};
