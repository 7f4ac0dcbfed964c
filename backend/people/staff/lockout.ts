import type { Instant } from '@florin/shared/ports.ts';

/** How wrong passwords lock a staff member out. decisions: Devices, staff and the authorisation signature. */
export type LockoutSettings = {
  /** Consecutive wrong passwords per round. */
  readonly attemptsPerRound: number;
  /** The lock duration per round; the last one repeats. */
  readonly durationsMs: readonly number[];
  /**
   * How many lockouts one terminal may cause within a period; beyond that it checks no password until the period ends.
   * A stolen terminal can then neither lock out all staff nor try common passwords on one member after the other.
   */
  readonly perTerminal: { readonly count: number; readonly windowMs: number };
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const defaultLockout: LockoutSettings = {
  attemptsPerRound: 5,
  durationsMs: [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs, 24 * hourMs],
  perTerminal: { count: 3, windowMs: hourMs },
};

export type LockoutState = {
  readonly failedAttempts: number;
  readonly lockoutRound: number;
  readonly lockedUntil: Instant | null;
};

/** After a success, or a manager's unlock. */
export const notLockedOut: LockoutState = { failedAttempts: 0, lockoutRound: 0, lockedUntil: null };

/** Until when checks are refused; undefined if not locked. */
export function lockedUntilAt(state: LockoutState, now: Instant): Instant | undefined {
  return state.lockedUntil !== null && now < state.lockedUntil ? state.lockedUntil : undefined;
}

/** The state after a wrong password at `at`. A running lock is never shortened. */
export function afterFailure(state: LockoutState, at: Instant, settings: LockoutSettings): LockoutState {
  const failedAttempts = state.failedAttempts + 1;
  if (failedAttempts < settings.attemptsPerRound) return { ...state, failedAttempts };
  const durationMs = settings.durationsMs[Math.min(state.lockoutRound, settings.durationsMs.length - 1)] ?? 0;
  return {
    failedAttempts: 0,
    lockoutRound: state.lockoutRound + 1,
    lockedUntil: Math.max(at + durationMs, state.lockedUntil ?? 0),
  };
}

/** The lockouts a terminal caused in the current period, which starts with the first of them. */
export type TerminalLockouts = { readonly lockouts: number | null; readonly lockoutWindowEndsAt: Instant | null };

/** The terminal of a check with its recent lockouts. */
export type CheckedTerminal = TerminalLockouts & { readonly id: string; readonly name: string };

/** Until when a terminal checks no password; undefined if it is not locked. */
export function terminalLockedUntil(
  state: TerminalLockouts,
  now: Instant,
  { perTerminal }: LockoutSettings,
): Instant | undefined {
  const { lockouts, lockoutWindowEndsAt } = state;
  const isOver = lockoutWindowEndsAt === null || now >= lockoutWindowEndsAt;
  return isOver || (lockouts ?? 0) < perTerminal.count ? undefined : lockoutWindowEndsAt;
}

/** The state after the terminal caused another lockout. */
export function afterLockout(
  state: TerminalLockouts,
  now: Instant,
  { perTerminal }: LockoutSettings,
): { lockouts: number; lockoutWindowEndsAt: Instant } {
  const { lockouts, lockoutWindowEndsAt } = state;
  return lockoutWindowEndsAt === null || now >= lockoutWindowEndsAt
    ? { lockouts: 1, lockoutWindowEndsAt: now + perTerminal.windowMs }
    : { lockouts: (lockouts ?? 0) + 1, lockoutWindowEndsAt };
}
