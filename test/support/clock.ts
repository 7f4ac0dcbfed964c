import type { Cancel, Clock, Instant, Timers } from '@florin/shared/ports.ts';

export type TestClock = Clock &
  Timers & {
    advance(by: { hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
    /** Sets the clock to another time, without any time passing. */
    step(by: { hours: number }): void;
    /** How much time has passed. */
    elapsedMs(): number;
    /** Whether anything is scheduled. */
    isWaiting(): boolean;
  };

/** A clock that moves only when a test advances it; tasks then run in the order of their times. */
export function testClock(startAt: Instant = Date.UTC(2026, 10, 21, 9, 30)): TestClock {
  let now = startAt;
  let stepsMs = 0;
  let scheduled: { readonly at: Instant; readonly task: () => void }[] = [];
  return {
    now: () => now + stepsMs,
    elapsedMs: () => now - startAt,
    step({ hours }) {
      stepsMs += hours * 3_600_000;
    },
    isWaiting: () => scheduled.length > 0,
    after(delayMs, task): Cancel {
      const entry = { at: now + delayMs, task };
      scheduled.push(entry);
      return () => {
        scheduled = scheduled.filter(other => other !== entry);
      };
    },
    advance({ hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      const end = now + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
      for (;;) {
        const [next] = scheduled.filter(entry => entry.at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        scheduled = scheduled.filter(entry => entry !== next);
        now = Math.max(now, next.at);
        next.task();
      }
      now = end;
    },
  };
}
