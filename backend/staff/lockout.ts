import type { Instant } from '@florin/shared/ports.ts';

/** How wrong passwords lock a staff member out. decisions: Devices, staff and the authorisation signature. */
export type LockoutSettings = {
  /** Wrong passwords in a row that end a round. */
  readonly attemptsPerRound: number;
  /** How long the lock of each round lasts; the last one stays. */
  readonly durationsMs: readonly number[];
  /**
   * How many lockouts one terminal may cause within a time; then it checks no password until that time is over. A stolen
   * terminal can neither lock out everybody nor try common passwords on one person after the other.
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

/** Until when nothing is even checked; undefined when not locked. */
export function lockedUntilAt(state: LockoutState, now: Instant): Instant | undefined {
  return state.lockedUntil !== null && now < state.lockedUntil ? state.lockedUntil : undefined;
}

/** The state after one more wrong password at `at`. A lock that is already running is never shortened. */
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

/** The lockouts a terminal caused since a window began; a window begins with the first of them. */
export type TerminalLockouts = { readonly lockouts: number | null; readonly lockoutWindowEndsAt: Instant | null };

/** The terminal a check was made on, with the lockouts it caused lately. */
export type CheckedTerminal = TerminalLockouts & { readonly id: string; readonly name: string };

/** Until when a terminal checks no password; undefined when it does. */
export function terminalLockedUntil(
  state: TerminalLockouts,
  now: Instant,
  { perTerminal }: LockoutSettings,
): Instant | undefined {
  const { lockouts, lockoutWindowEndsAt } = state;
  const isOver = lockoutWindowEndsAt === null || now >= lockoutWindowEndsAt;
  return isOver || (lockouts ?? 0) < perTerminal.count ? undefined : lockoutWindowEndsAt;
}

/** The state after the terminal caused one more lockout. */
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
