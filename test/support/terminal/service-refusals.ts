import type { StaffMember } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { staffRefusalMessages } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { Refusal } from './scripted-server.ts';

/** A refusal of the staff check, with its specified message. */
export const staffRefusal = (status: number, reason: keyof typeof staffRefusalMessages, metadata = {}) =>
  new Refusal(status, staffRefusalMessages[reason], { reason, ...metadata });

/** Throws the refusal that the sale's state calls for. */
export function refuseByState(sale: SaleRecord, kind: 'CANCEL' | 'REFUND_SALE', amount: number | null): void {
  if (sale.blocked && sale.blocked.reason !== 'refund_in_progress') {
    const { reason, retryAfter } = sale.blocked;
    throw new Refusal(409, 'The sale is blocked', { reason, ...(retryAfter ? { retryAfter } : {}) });
  }
  if (sale.status === 'cancelled') {
    throw new Refusal(409, 'Payment has already been cancelled', { reason: 'payment_already_cancelled' });
  }
  if (kind === 'CANCEL' && sale.status === 'settled') {
    throw new Refusal(409, 'Payment is settled', { reason: 'payment_already_settled' });
  }
  if (kind === 'CANCEL' && sale.refundedInCents > 0) {
    throw new Refusal(409, 'Payment has already been refunded', { reason: 'payment_already_refunded' });
  }
  if (amount !== null && amount > sale.remainingInCents) {
    throw new Refusal(409, 'Refund exceeds original sale amount', { reason: 'refund_exceeds_payment' });
  }
}

/** Throws the refusal of a refund over a limit of the staff member. */
export function refuseByLimits(member: StaffMember, amount: number, metadata = {}): void {
  if (member.perTransactionLimitMinor !== null && amount > member.perTransactionLimitMinor) {
    throw staffRefusal(409, 'limit_exceeded', { limit: member.perTransactionLimitMinor, ...metadata });
  }
  if (member.dailyLimitMinor !== null && member.refundedTodayMinor + amount > member.dailyLimitMinor) {
    throw staffRefusal(409, 'daily_limit_exceeded', {
      limit: member.dailyLimitMinor,
      used: member.refundedTodayMinor,
      ...metadata,
    });
  }
}
