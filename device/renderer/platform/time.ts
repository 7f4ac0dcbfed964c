import type { Clock, Instant, Timers } from '@florin/shared/ports.ts';
import { useEffect, useState } from 'react';

export const clock: Clock = { now: () => Date.now() };

export const timers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The current time, updated every `periodMs` while the component is mounted. */
export function useNow(periodMs: number): Instant {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), periodMs);
    return () => clearInterval(timer);
  }, [periodMs]);
  return now;
}

/** True once `condition` has been true for `delayMs` without interruption. */
export function useHeldFor(condition: boolean, delayMs: number): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!condition) {
      setHeld(false);
      return;
    }
    return timers.after(delayMs, () => setHeld(true));
  }, [condition, delayMs]);
  return condition && held;
}
