import type { Cancel, Timers } from '@florin/shared/ports.ts';

/** The timers and delays of a flow; all of them end with it. */
export class Waiting {
  readonly #timers: Timers;
  readonly #pending = new Set<Cancel>();
  #wake: (() => void) | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  after(delayMs: number, task: () => void): Cancel {
    const cancel = this.#timers.after(delayMs, () => {
      this.#pending.delete(cancel);
      task();
    });
    this.#pending.add(cancel);
    return () => {
      this.#pending.delete(cancel);
      cancel();
    };
  }

  /** Resolves after the delay, or earlier when the flow is woken. */
  pause(delayMs: number): Promise<void> {
    return new Promise(resolve => {
      const cancel = this.after(delayMs, () => this.wake());
      this.#wake = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Ends the current delay, if any. */
  wake(): void {
    this.#wake?.();
  }

  /** Registers a function to call when the flow ends. */
  cancelAtStop(stop: Cancel): void {
    this.#pending.add(stop);
  }

  stop(): void {
    for (const cancel of this.#pending) cancel();
    this.#pending.clear();
  }
}
