import type { Instant } from '@florin/shared/ports.ts';

/** How wrong passwords lock a staff member out. decisions: Devices, staff and the authorisation signature. */
export type LockoutSettings = {
  /** Wrong passwords in a row that end a round. */
  readonly attemptsPerRound: number;
  /** How long the lock of each round lasts; the last one stays. */
  readonly durationsMs: readonly number[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const defaultLockout: LockoutSettings = {
  attemptsPerRound: 5,
  durationsMs: [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs, 24 * hourMs],
};

export type LockoutState = {
  readonly failedAttempts: number;
  readonly lockoutRound: number;
  readonly lockedUntil: Instant | null;
};

/** After a success, or a manager's unlock. */
export const notLockedOut: LockoutState = { failedAttempts: 0, lockoutRound: 0, lockedUntil: null };

/** Until when nothing is even checked; undefined when not locked. */
export function lockedUntilAt(state: LockoutState, now: Instant): Instant | undefined {
  return state.lockedUntil !== null && now < state.lockedUntil ? state.lockedUntil : undefined;
}

/** The state after one more wrong password. A lock that is already running is never shortened. */
export function afterFailure(state: LockoutState, now: Instant, settings: LockoutSettings): LockoutState {
  const failedAttempts = state.failedAttempts + 1;
  if (failedAttempts < settings.attemptsPerRound) return { ...state, failedAttempts };
  const durationMs = settings.durationsMs[Math.min(state.lockoutRound, settings.durationsMs.length - 1)] ?? 0;
  return {
    failedAttempts: 0,
    lockoutRound: state.lockoutRound + 1,
    lockedUntil: Math.max(now + durationMs, state.lockedUntil ?? 0),
  };
}
