import { stat } from 'node:fs';
import type { Cancel, Clock, Instant, Timers } from '@florin/shared/ports.ts';

type Due = { readonly at: Instant; readonly task: () => void };

/**
 * Time that passes only as fast as the code it is measured against really runs: one tick is a millisecond outside and
 * `faster` in here, but it waits for its turn at whatever the code waits for. On a busy machine time slows down, so that
 * nobody is taken for dead who merely got no processor.
 */
export class SteadyTime {
  readonly #faster: number;
  readonly #turn: () => Promise<unknown>;
  readonly #waiting = new Set<Due>();
  #now: Instant;
  #stopped = false;

  /** `turn` does what the code's shortest exchange does; by itself a look at the file system. */
  constructor(options: { faster: number; startsAt: Instant; turn?: () => Promise<unknown> }) {
    this.#faster = options.faster;
    this.#turn = options.turn ?? (() => new Promise(resolve => stat('/', resolve)));
    this.#now = options.startsAt;
    this.#tickLater();
  }

  readonly clock: Clock = { now: () => this.#now };

  readonly timers: Timers = {
    after: (delayMs, task): Cancel => {
      const due = { at: this.#now + delayMs, task };
      this.#waiting.add(due);
      return () => this.#waiting.delete(due);
    },
  };

  /** Stands still from here on; what was due later never comes. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
  }

  #tickLater(): void {
    setTimeout(() => void this.#turn().then(() => setImmediate(() => this.#tick())), 1);
  }

  #tick(): void {
    if (this.#stopped) return;
    this.#now += this.#faster;
    this.#fireNext();
  }

  /** One task in each turn of the event loop, earliest first, so that what it sent or received is dealt with in between. */
  #fireNext(): void {
    if (this.#stopped) return;
    let next: Due | undefined;
    for (const due of this.#waiting) if (due.at <= this.#now && (next === undefined || due.at < next.at)) next = due;
    if (next === undefined) {
      this.#tickLater();
      return;
    }
    this.#waiting.delete(next);
    setImmediate(() => this.#fireNext());
    next.task();
  }
}
