import type { StaffMember } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { LockoutState } from '../store/guard.ts';
import type { Store } from '../store/store.ts';
import type { EntryRecorder } from '../sync/entries.ts';
import { businessDay, type TrustedTime } from './time.ts';

/** What a staff member was about to do when the terminal decided about it by itself. */
export type CheckedOperation = {
  readonly paymentId: string;
  readonly operation: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
};

type Decision = Pick<StaffCheckEntry, 'status' | 'reason'> & Partial<Pick<StaffCheckEntry, 'detail'>>;

/** Staff checks decided without the service: each becomes a signed entry for the refund log or void log. */
export interface OfflineChecks {
  record(member: StaffMember, operation: CheckedOperation, decision: Decision, lockout: LockoutState | null): void;
  /** Which of the member's limits the refund would break, by what this terminal knows; voids have none. */
  limitBroken(member: StaffMember, operation: CheckedOperation): 'limit_exceeded' | 'daily_limit_exceeded' | undefined;
  /** Counts a refund into the member's total of today. */
  count(member: StaffMember, amountMinor: number): void;
}

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
      const { paymentId, operation: kind, amountMinor: amountInCents } = operation;
      const check = { staffId: member.id, paymentId, operation: kind, amountInCents, detail: null, ...decision };
      options.entries.recordStaffCheck(check, lockout);
    },
    limitBroken(member, { operation, amountMinor }) {
      if (operation === 'CANCEL' || amountMinor === null) return undefined;
      if (member.perTransactionLimitMinor !== null && amountMinor > member.perTransactionLimitMinor) {
        return 'limit_exceeded';
      }
      if (member.dailyLimitMinor === null) return undefined;
      const used = store.refundTotal(member.id, today()) ?? member.refundedTodayMinor;
      return used + amountMinor > member.dailyLimitMinor ? 'daily_limit_exceeded' : undefined;
    },
    count(member, amountMinor) {
      store.addToRefundTotal({ staffId: member.id, day: today(), amountMinor, base: member.refundedTodayMinor });
    },
  };
}
