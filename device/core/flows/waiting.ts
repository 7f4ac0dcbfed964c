import type { Cancel, Timers } from '@florin/shared/ports.ts';

/** What a flow waits for. All of it ends with the flow. */
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

  /** Resolves after the pause, or at once when something woke the flow. */
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

  /** Ends the pause, if there is one: what was waited for may be there. */
  wake(): void {
    this.#wake?.();
  }

  /** Something else that is to end with the flow. */
  cancelAtStop(stop: Cancel): void {
    this.#pending.add(stop);
  }

  stop(): void {
    for (const cancel of this.#pending) cancel();
    this.#pending.clear();
  }
}
