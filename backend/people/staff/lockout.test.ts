import { expect, test } from 'vitest';
import { afterFailure, defaultLockout, type LockoutState, lockedUntilAt, notLockedOut } from './lockout.ts';

const minuteMs = 60_000;

test('every fifth wrong password locks, for longer each round up to a maximum', () => {
  let state: LockoutState = notLockedOut;
  let now = 1_000_000;
  const lengths: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    for (let attempt = 1; attempt < 5; attempt += 1) {
      state = afterFailure(state, now, defaultLockout);
      expect(lockedUntilAt(state, now)).toBeUndefined();
    }
    state = afterFailure(state, now, defaultLockout);
    const until = lockedUntilAt(state, now) ?? 0;
    lengths.push((until - now) / minuteMs);
    expect(lockedUntilAt(state, until - 1)).toBe(until);
    expect(lockedUntilAt(state, until)).toBeUndefined();
    now = until;
  }
  expect(lengths).toEqual([5, 30, 120, 720, 1440, 1440, 1440]);
});

test('failures reported during a lock never shorten it', () => {
  const locked = { failedAttempts: 4, lockoutRound: 0, lockedUntil: 100 * minuteMs };
  expect(afterFailure(locked, 0, defaultLockout)).toEqual({
    failedAttempts: 0,
    lockoutRound: 1,
    lockedUntil: 100 * minuteMs,
  });
});
