import type { RefundRecord } from './contracts/api-v1/refunds.ts';
import type { SettlementRecord } from './contracts/api-v1/settlements.ts';
import type { StaffLogDetail, StaffLogEntry } from './contracts/api-v1/staff-logs.ts';
import type { TransactionType } from './contracts/api-v1/transactions.ts';

type Words<Code extends string> = Readonly<Record<Code, string>>;

/** The same of other lists: what every page has is in `payment-words.ts`, so that these load with their own pages. */
export const recordWords = {
  refunds: {
    pending: 'Checking',
    approved: 'Approved',
    declined: 'Declined',
    failed: 'Not sent',
    recorded: 'Recorded',
  } satisfies Words<RefundRecord['status']>,
  refundKinds: {
    CANCEL: 'Void',
    REFUND_SALE: 'Refund',
    REFUND: 'Refund over the API',
    BITCOIN: 'Refund recorded',
  } satisfies Words<RefundRecord['kind']>,
  refundSources: { api: 'API', portal: 'Portal', terminal: 'Terminal' } satisfies Words<RefundRecord['source']>,
  transactions: {
    payment: 'Payment',
    void: 'Void',
    refund: 'Refund',
    uncapped_refund: 'Refund over the API',
    bitcoin_refund: 'Refund recorded',
    reversal: 'Reversal',
    settlement_rejected: 'Refused by the bank',
    correction: 'Correction',
  } satisfies Words<TransactionType>,
  settlements: {
    awaiting: 'Not settled yet',
    current: 'Today',
    closed: 'Final',
  } satisfies Words<SettlementRecord['status']>,
  staffLog: {
    authorized: 'Authorised',
    failed: 'Refused',
    limit_exceeded: 'Above the limit',
    daily_limit_exceeded: 'Above the daily limit',
  } satisfies Words<StaffLogEntry['status']>,
  staffLogReasons: {
    invalid_signature: 'Wrong password',
    permission_denied: 'No permission',
    limit_exceeded: 'Above the limit',
    daily_limit_exceeded: 'Above the daily limit',
    password_change_required: 'Temporary password not changed',
    staff_disabled: 'Disabled',
    locked_out: 'Locked out',
    terminal_locked_out: 'Terminal locked out',
    service_unreachable: 'Service not reached',
  } satisfies Words<NonNullable<StaffLogEntry['reason']> | StaffLogDetail>,
  /** Where a payment was made that was not made at a terminal. */
  places: { link: 'Payment link', online: 'Online' },
};
