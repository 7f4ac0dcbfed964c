import { stat } from 'node:fs';
import type { Cancel, Clock, Instant, Timers } from '@florin/shared/ports.ts';

type Due = { readonly at: Instant; readonly task: () => void };

/**
 * Time that runs faster than real time, but only as fast as the code under test gets to run: each tick adds `faster` ms,
 * and the next tick follows after a millisecond and one `turn`. On a busy machine time slows down, so that a program that
 * only waits for the processor does not time out.
 */
export class SteadyTime {
  readonly #faster: number;
  readonly #turn: () => Promise<unknown>;
  readonly #waiting = new Set<Due>();
  #now: Instant;
  #stopped = false;

  /** `turn` takes as long as the shortest exchange of the code under test; by default one call of the file system. */
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

  /** Stops time and drops all timers. */
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

  /** Runs one due task per turn of the event loop, earliest first, so that its input and output are handled in between. */
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
