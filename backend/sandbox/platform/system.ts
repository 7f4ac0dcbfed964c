import { randomFillSync } from 'node:crypto';
import type { Clock, Random, Timers } from '@florin/shared/ports.ts';

/** The real clock, timers and randomness of the sandbox programs; tests may give others. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { bytes: length => randomFillSync(new Uint8Array(length)) };
