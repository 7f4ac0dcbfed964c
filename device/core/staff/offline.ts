import type { StaffMember } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Ids } from '@florin/shared/ports.ts';
import { canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, signText } from '@florin/shared/signing/ed25519.ts';
import type { LockoutState, Store } from '../store/store.ts';
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
  ids: Ids;
  deviceKey: () => KeyPair;
  /** Of the configuration in use. */
  terminal: () => { readonly id: string; readonly timeZone: string };
}): OfflineChecks {
  const { store, time } = options;
  const today = () => businessDay(time.now(), options.terminal().timeZone);
  return {
    record(member, operation, decision, lockout) {
      const unsigned = {
        entryId: options.ids.next('out'),
        terminalId: options.terminal().id,
        sequence: store.lastOutboxSequence(options.terminal().id) + 1,
        kind: 'staff_check' as const,
        staffId: member.id,
        paymentId: operation.paymentId,
        operation: operation.operation,
        amountInCents: operation.amountMinor,
        detail: null,
        ...decision,
        attemptedAt: new Date(time.now()).toISOString(),
      };
      const text = canonicalOutboxEntry(unsigned);
      const signature = signText(options.deviceKey().privateKey, text);
      store.recordStaffCheck({ entry: { ...unsigned, signature }, lockout });
      time.keep();
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
