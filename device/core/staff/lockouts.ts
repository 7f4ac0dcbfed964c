import type { StaffMember, TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { LockoutState } from '../store/guard.ts';
import type { Store } from '../store/store.ts';
import type { TrustedTime } from './time.ts';

export type LockoutPolicy = TerminalConfiguration['lockout'];

/**
 * Failed passwords counted by this terminal, in addition to the service's last count. The local count is dropped when
 * the service has received every failure and returned its own count; until then the stricter of the two applies. While
 * the current time is unknown, a lockout lasts its full duration by this terminal's monotonic clock.
 */
export interface Lockouts {
  /** The end of this staff member's lockout; null if they are not locked out. */
  lockedUntil(member: StaffMember): Instant | null;
  /** The local counts were modified: no staff member is accepted before the service was reached. */
  areSuspect(): boolean;
  afterFailure(member: StaffMember): LockoutState;
  /** Wrong passwords left until the next lockout; at least one. */
  triesLeft(member: StaffMember): number;
  recordFailure(member: StaffMember): Instant | null;
  recordLock(staffId: string, lockedUntil: Instant): void;
  recordSuccess(staffId: string): void;
  /** Stores the lockouts that the service sent, so that they hold over an offline restart. */
  recordLocksOf(staff: readonly StaffMember[]): void;
}

const none: LockoutState = { failedAttempts: 0, round: 0, lockedUntil: null, measuredUntil: null };
const later = (one: Instant | null, other: Instant | null) => Math.max(one ?? 0, other ?? 0) || null;

/** Every count is stored before the call returns. The policy is read at each use, because a sync may change it. */
export function createLockouts(options: { store: Store; time: TrustedTime; policy: () => LockoutPolicy }): Lockouts {
  const { store, time, policy } = options;

  function stateOf(member: StaffMember): LockoutState {
    const known: LockoutState = {
      failedAttempts: member.failedAttempts,
      round: member.lockoutRound,
      lockedUntil: member.lockedUntil === null ? null : Date.parse(member.lockedUntil),
      measuredUntil: null,
    };
    const here = store.lockout(member.id);
    if (!here) return known;
    return {
      failedAttempts: Math.max(here.failedAttempts, here.round > known.round ? 0 : known.failedAttempts),
      round: Math.max(here.round, known.round),
      lockedUntil: later(here.lockedUntil, known.lockedUntil),
      measuredUntil: here.measuredUntil,
    };
  }

  function lockedUntil(member: StaffMember): Instant | null {
    const { lockedUntil: until, measuredUntil } = stateOf(member);
    const byTime = (until ?? 0) - time.now();
    const byMeasure = time.isSynchronised() ? 0 : (measuredUntil ?? 0) - time.measuredMs();
    const remainingMs = Math.max(byTime, byMeasure);
    return remainingMs > 0 ? time.now() + remainingMs : null;
  }

  /** The state after one more wrong password: each full round locks for longer. */
  function afterFailure(member: StaffMember): LockoutState {
    const state = stateOf(member);
    const { attemptsPerRound, durationsMs } = policy();
    const failedAttempts = state.failedAttempts + 1;
    if (failedAttempts < attemptsPerRound) return { ...state, failedAttempts };
    const durationMs = durationsMs[Math.min(state.round, durationsMs.length - 1)] ?? 0;
    const locked = lockFor(state, time.now() + durationMs);
    return { ...locked, failedAttempts: 0, round: state.round + 1 };
  }

  function lockFor(state: LockoutState, until: Instant): LockoutState {
    return {
      ...state,
      lockedUntil: later(state.lockedUntil, until),
      measuredUntil: later(state.measuredUntil, time.measuredMs() + until - time.now()),
    };
  }

  function recordLock(staffId: string, until: Instant): void {
    store.saveLockout(staffId, lockFor(store.lockout(staffId) ?? none, until));
    time.keep();
  }

  return {
    lockedUntil,
    areSuspect: () => store.isGuardSuspect(),
    afterFailure,
    triesLeft: member => Math.max(1, policy().attemptsPerRound - stateOf(member).failedAttempts),
    recordFailure(member) {
      store.saveLockout(member.id, afterFailure(member));
      time.keep();
      return lockedUntil(member);
    },
    recordLock,
    recordSuccess: staffId => store.saveLockout(staffId, null),
    recordLocksOf(staff) {
      for (const { id, lockedUntil: until } of staff) {
        if (until !== null && Date.parse(until) > time.now()) recordLock(id, Date.parse(until));
      }
    },
  };
}
