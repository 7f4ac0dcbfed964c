import { expect, test } from 'vitest';
import { defaultLeaseMs } from './leases.ts';
import { afterPoll, defaultPolling, notFoundIsFinal, type Polled } from './polling.ts';

const sentAt = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

/** Polls as the jobs do, each when it is due, with a clock that is set forward by `jumps` before some of the polls. */
function pollUntilFinal(jumps: Readonly<Record<number, number>> = {}) {
  let polled: Polled = { pollCount: 0, polledAt: null, polledForMs: 0, sentAt, createdAt: sentAt };
  let dueAt = sentAt + defaultLeaseMs;
  let now = sentAt;
  let realMs = 0;
  for (let poll = 1; poll < 1_000; poll += 1) {
    const jumpMs = jumps[poll] ?? 0;
    now += jumpMs;
    realMs += Math.max(0, dueAt - now);
    now = Math.max(now, dueAt);
    polled = { ...polled, pollCount: poll };
    if (notFoundIsFinal(polled, now, defaultPolling)) return { polls: poll, realMs };
    const { nextPollAt, ...columns } = afterPoll(polled, now, defaultPolling);
    polled = { ...polled, ...columns };
    dueAt = nextPollAt;
  }
  throw new Error('it never became final');
}

test('"not found" is final after ten minutes of polling', () => {
  expect(pollUntilFinal().realMs).toBe(10 * minuteMs);
});

test.each([1, 3, 7, 10])('a clock that jumps forward by a day before poll %i ends no polling', poll => {
  const { realMs, polls } = pollUntilFinal({ [poll]: 24 * 60 * minuteMs });
  expect(realMs).toBeGreaterThan(8 * minuteMs);
  expect(polls).toBeGreaterThan(8);
});

test('time without polling does not count', () => {
  const row: Polled = { pollCount: 1, polledAt: null, polledForMs: 0, sentAt, createdAt: sentAt };
  expect(notFoundIsFinal(row, sentAt + 24 * 60 * minuteMs, defaultPolling)).toBe(false);
});
