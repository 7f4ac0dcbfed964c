import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Clock, Ids, Random, Timers } from '@florin/shared/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Monotonic time since the start of the process, in fractional milliseconds; unaffected by changes to the system clock.
 */
export const systemElapsedMs = () => performance.now();

export const systemTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { bytes: length => randomBytes(length) };

/**
 * UUIDv7 without dashes: globally unique and sortable by time. Ids of one process are ordered within a millisecond too
 * (RFC 9562, section 6.2, method 1), so that a transaction's rows read in order.
 */
export const systemIds: Ids = { next: prefix => `${prefix}_${nextUuid()}` };

let lastMs = 0;
let sequence = 0;
let time = '';

function nextUuid(): string {
  const now = Date.now();
  sequence += 1;
  if (now > lastMs || sequence > 0xfff) {
    [lastMs, sequence] = [Math.max(now, lastMs + 1), 0];
    time = lastMs.toString(16).padStart(12, '0');
  }
  // The part after time and version: 16 hexadecimal digits around the last dash.
  const uuid = randomUUIDv7();
  return `${time}${(0x7000 + sequence).toString(16)}${uuid.slice(19, 23)}${uuid.slice(24)}`;
}
