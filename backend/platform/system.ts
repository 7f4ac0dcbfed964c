import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Clock, Ids, Random, Timers } from '@florin/shared/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemElapsedMs = () => performance.now();

export const systemTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { bytes: length => randomBytes(length) };

/** UUIDv7 without its dashes: unique everywhere, sortable by time. */
export const systemIds: Ids = { next: prefix => `${prefix}_${randomUUIDv7().replaceAll('-', '')}` };
