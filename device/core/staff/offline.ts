import type { StaffMember } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { LockoutState } from '../store/guard.ts';
import type { Store } from '../store/store.ts';
import type { EntryRecorder } from '../sync/entries.ts';
import { businessDay, type TrustedTime } from './time.ts';

/** The action of a staff member that the terminal decided on without the service. */
export type CheckedOperation = {
  readonly paymentId: string;
  readonly operation: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
  /** The staff member whose request is to be approved by the check; undefined if nobody asked for approval. */
  readonly requestedBy: string | undefined;
};

/** A limit of the staff member that a refund would exceed, in the smallest unit of the business's currency. */
export type BrokenLimit =
  | { readonly reason: 'limit_exceeded'; readonly limitMinor: number }
  | { readonly reason: 'daily_limit_exceeded'; readonly limitMinor: number; readonly usedMinor: number };

type Decision = Pick<StaffCheckEntry, 'status' | 'reason'> & Partial<Pick<StaffCheckEntry, 'detail'>>;

/** Staff checks decided without the service: each becomes a signed entry for the refund log or void log. */
export interface OfflineChecks {
  record(member: StaffMember, operation: CheckedOperation, decision: Decision, lockout: LockoutState | null): void;
  /** The member's limit that the refund would exceed, according to the stored data; voids have no limit. */
  limitBroken(member: StaffMember, operation: CheckedOperation): BrokenLimit | undefined;
  /** Adds a refund to the member's total for today. */
  count(member: StaffMember, amountMinor: number): void;
}

/** Checks against the limits of the last sync; today is the calendar day in `timeZone`, the business's. */
export function createOfflineChecks(options: {
  store: Store;
  time: TrustedTime;
  entries: EntryRecorder;
  timeZone: () => string;
}): OfflineChecks {
  const { store, time } = options;
  const today = () => businessDay(time.now(), options.timeZone());
  return {
    record(member, operation, decision, lockout) {
      const { paymentId, operation: kind, amountMinor: amountInCents, requestedBy } = operation;
      const check = { staffId: member.id, paymentId, operation: kind, amountInCents, detail: null, ...decision };
      const asked = requestedBy === undefined ? {} : { requestedBy };
      options.entries.recordStaffCheck({ ...check, ...asked }, lockout);
    },
    limitBroken(member, { operation, amountMinor }) {
      if (operation === 'CANCEL' || amountMinor === null) return undefined;
      const { perTransactionLimitMinor, dailyLimitMinor } = member;
      if (perTransactionLimitMinor !== null && amountMinor > perTransactionLimitMinor) {
        return { reason: 'limit_exceeded', limitMinor: perTransactionLimitMinor };
      }
      if (dailyLimitMinor === null) return undefined;
      const usedMinor = store.refundTotal(member.id, today()) ?? member.refundedTodayMinor;
      if (usedMinor + amountMinor <= dailyLimitMinor) return undefined;
      return { reason: 'daily_limit_exceeded', limitMinor: dailyLimitMinor, usedMinor };
    },
    count(member, amountMinor) {
      store.addToRefundTotal({ staffId: member.id, day: today(), amountMinor, base: member.refundedTodayMinor });
    },
  };
}
