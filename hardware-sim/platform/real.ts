import { randomBytes } from 'node:crypto';
import type { Clock, Random, Timers } from '@florin/shared/ports.ts';

export const realClock: Clock = { now: () => Date.now() };

export const realTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const realRandom: Random = { bytes: length => randomBytes(length) };

/** A small repeatable generator (mulberry32), so that noise and device ids replay from one number. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const nextByte = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return { bytes: length => Uint8Array.from({ length }, nextByte) };
}

/** A seeded generator that can start again from another seed. */
export type ReseedableRandom = Random & { reseed(seed: number): void; seed(): number };

/** As `seededRandom`, from `first` until it is started again. */
export function reseedableRandom(first: number): ReseedableRandom {
  let seed = first;
  let generator = seededRandom(seed);
  return {
    bytes: length => generator.bytes(length),
    seed: () => seed,
    reseed(next) {
      seed = next;
      generator = seededRandom(next);
    },
  };
}
