import type { Clock, Timers } from '@florin/shared/ports.ts';

export const clock: Clock = { now: () => Date.now() };

export const timers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
