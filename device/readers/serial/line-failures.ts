import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { LineFailure, LineFailureCounts } from '../reader.ts';

/** Failures come in bursts: each burst is one change of status and one line in the log. */
const reportMs = 1000;

/** Counts the failures of a serial line by cause for as long as the program runs, across connections. */
export class LineFailures {
  readonly #timers: Timers;
  readonly #onReport: (counts: LineFailureCounts) => void;
  readonly #counts: Partial<Record<LineFailure, number>> = {};
  #cancelReport: Cancel | undefined;

  constructor(options: { timers: Timers; onReport: (counts: LineFailureCounts) => void }) {
    this.#timers = options.timers;
    this.#onReport = options.onReport;
  }

  count(cause: LineFailure): void {
    this.#counts[cause] = (this.#counts[cause] ?? 0) + 1;
    this.#cancelReport ??= this.#timers.after(reportMs, () => {
      this.#cancelReport = undefined;
      this.#onReport({ ...this.#counts });
    });
  }

  close(): void {
    this.#cancelReport?.();
  }
}
