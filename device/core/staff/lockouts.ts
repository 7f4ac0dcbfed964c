import type { StaffMember, TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { LockoutState, Store } from '../store/store.ts';
import type { TrustedTime } from './time.ts';

export type LockoutPolicy = TerminalConfiguration['lockout'];

/** The state after one more wrong password: a round that is full locks, longer each time. */
export function afterFailure(state: LockoutState, policy: LockoutPolicy, now: Instant): LockoutState {
  const failedAttempts = state.failedAttempts + 1;
  if (failedAttempts < policy.attemptsPerRound) return { ...state, failedAttempts };
  const durationMs = policy.durationsMs[Math.min(state.round, policy.durationsMs.length - 1)] ?? 0;
  return {
    failedAttempts: 0,
    round: state.round + 1,
    lockedUntil: Math.max(now + durationMs, state.lockedUntil ?? 0),
  };
}

/**
 * Failed passwords as this terminal counts them, on top of what the service last told. The count here is dropped when
 * the service has been told of every failure and has sent its own count; until then the stricter of the two holds.
 */
export interface Lockouts {
  /** Until when this staff member is locked out; null when not. */
  lockedUntil(member: StaffMember): Instant | null;
  afterFailure(member: StaffMember): LockoutState;
  /** Wrong passwords until the next lockout. */
  triesLeft(member: StaffMember): number;
  recordFailure(member: StaffMember): Instant | null;
  recordLock(staffId: string, lockedUntil: Instant): void;
  recordSuccess(staffId: string): void;
}

export function createLockouts(options: { store: Store; time: TrustedTime; policy: () => LockoutPolicy }): Lockouts {
  const { store, time } = options;
  const stateOf = (member: StaffMember): LockoutState => {
    const known: LockoutState = {
      failedAttempts: member.failedAttempts,
      round: member.lockoutRound,
      lockedUntil: member.lockedUntil === null ? null : Date.parse(member.lockedUntil),
    };
    const here = store.lockout(member.id);
    if (!here) return known;
    return {
      failedAttempts: Math.max(here.failedAttempts, here.round > known.round ? 0 : known.failedAttempts),
      round: Math.max(here.round, known.round),
      lockedUntil: Math.max(here.lockedUntil ?? 0, known.lockedUntil ?? 0) || null,
    };
  };
  const lockedUntil = (member: StaffMember) => {
    const until = stateOf(member).lockedUntil;
    return until !== null && time.now() < until ? until : null;
  };
  return {
    lockedUntil,
    afterFailure: member => afterFailure(stateOf(member), options.policy(), time.now()),
    triesLeft: member => Math.max(1, options.policy().attemptsPerRound - stateOf(member).failedAttempts),
    recordFailure(member) {
      store.saveLockout(member.id, afterFailure(stateOf(member), options.policy(), time.now()));
      time.keep();
      return lockedUntil(member);
    },
    recordLock(staffId, until) {
      const here = store.lockout(staffId) ?? { failedAttempts: 0, round: 0, lockedUntil: null };
      store.saveLockout(staffId, { ...here, lockedUntil: Math.max(here.lockedUntil ?? 0, until) });
      time.keep();
    },
    recordSuccess: staffId => store.saveLockout(staffId, null),
  };
}
