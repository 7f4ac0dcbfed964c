import type { Cancel, Clock, Ids, Instant, Random, Timers } from '@florin/shared/ports.ts';

/** A pseudo-random generator with the same numbers for a seed on every machine (sfc32, seeded by splitmix64). */
export function seededNumbers(seed: number) {
  let mixed = BigInt(seed);
  const mask = 0xffffffffffffffffn;
  const split = (): bigint => {
    mixed = (mixed + 0x9e3779b97f4a7c15n) & mask;
    let value = mixed;
    value = ((value ^ (value >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    value = ((value ^ (value >> 27n)) * 0x94d049bb133111ebn) & mask;
    return value ^ (value >> 31n);
  };
  const first = split();
  const second = split();
  // Four 32-bit words of state (sfc32): quick without BigInt.
  let a = Number(first & 0xffffffffn) | 0;
  let b = Number(first >> 32n) | 0;
  let c = Number(second & 0xffffffffn) | 0;
  let counter = Number(second >> 32n) | 0;
  const word = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + result) | 0;
    return result >>> 0;
  };
  for (let turn = 0; turn < 12; turn += 1) word();
  /** From 0 (inclusive) to 1 (exclusive). */
  const unit = () => word() / 0x100000000;
  return {
    word,
    unit,
    /** A whole number from `low` to `high`, both included. */
    between: (low: number, high: number) => low + Math.floor(unit() * (high - low + 1)),
    chance: (probability: number) => unit() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(unit() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
export type SeededNumbers = ReturnType<typeof seededNumbers>;

export function seededRandom(numbers: SeededNumbers): Random {
  return { bytes: length => Uint8Array.from({ length }, () => numbers.word() & 0xff) };
}

/** Ids that sort by time, from one counter. */
export function seededIds(clock: Clock): Ids {
  let counter = 0;
  return {
    next(prefix) {
      counter += 1;
      return `${prefix}_${clock.now().toString(16).padStart(12, '0')}${counter.toString(16).padStart(8, '0')}`;
    },
  };
}

type Entry = { at: Instant; readonly tie: number; readonly task: () => void; cancelled: boolean };

/**
 * Virtual time: a heap of scheduled tasks, ordered by time and then by a random number, so that a seed gives one order.
 * Between two tasks everything runs that does not wait for time.
 */
export class VirtualTime implements Clock, Timers {
  #now: Instant;
  #steps = 0;
  readonly #heap: Entry[] = [];
  readonly #tie: () => number;

  constructor(startsAt: Instant, tie: () => number) {
    this.#now = startsAt;
    this.#tie = tie;
  }

  /** The number of tasks run so far. */
  get steps(): number {
    return this.#steps;
  }

  get pending(): number {
    return this.#heap.length;
  }

  now(): Instant {
    return this.#now;
  }

  after(delayMs: number, task: () => void): Cancel {
    const entry: Entry = { at: this.#now + Math.max(0, delayMs), tie: this.#tie(), task, cancelled: false };
    this.#push(entry);
    return () => {
      entry.cancelled = true;
    };
  }

  /** Skips a period: tasks that were due in it run after it. */
  skip(delayMs: number): void {
    this.#now += delayMs;
    for (const entry of this.#heap) entry.at += delayMs;
  }

  /** Runs the next task with its microtasks; false when there is none. */
  async step(): Promise<boolean> {
    for (;;) {
      const next = this.#heap[0];
      if (!next) return false;
      this.#pop();
      if (next.cancelled) continue;
      this.#now = next.at;
      this.#steps += 1;
      next.task();
      await microtasks();
      return true;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at] as Entry, heap[parent] as Entry)) break;
      [heap[at], heap[parent]] = [heap[parent] as Entry, heap[at] as Entry];
      at = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (left < heap.length && isBefore(heap[left] as Entry, heap[least] as Entry)) least = left;
      if (right < heap.length && isBefore(heap[right] as Entry, heap[least] as Entry)) least = right;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as Entry, heap[at] as Entry];
      at = least;
    }
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.tie < other.tie);
}

/**
 * Resolves once no microtask is left: called from a microtask, process.nextTick
 * runs after the last of them, and is much faster than a turn of the event loop.
 */
export function microtasks(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve));
}

/** As `microtasks`, with a turn of the event loop, for real input and output. */
export function eventLoopTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
