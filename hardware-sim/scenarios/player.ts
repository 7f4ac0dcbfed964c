import { type Action, textOf } from '../actions.ts';
import { type ReaderSimulator, refusalText } from '../simulator.ts';

/** Plays the customer: performs each action as soon as the reader is ready for it. */
export class Player {
  readonly #simulator: ReaderSimulator;
  #waiting: Action[] = [];
  #acting = false;
  readonly #onRefused: (message: string) => void;
  readonly #stop: () => void;

  constructor(simulator: ReaderSimulator, onRefused: (message: string) => void) {
    this.#simulator = simulator;
    this.#onRefused = onRefused;
    this.#stop = simulator.onChange(() => this.#soon());
  }

  get idle(): boolean {
    return this.#waiting.length === 0 && !this.#acting;
  }

  play(actions: readonly Action[]): void {
    this.#waiting.push(...actions);
    this.#soon();
  }

  /** Discards actions that were not performed yet. */
  reset(): void {
    this.#waiting = [];
  }

  close(): void {
    this.#stop();
    this.reset();
  }

  /** Deferred, because the reader is still processing the change. */
  #soon(): void {
    if (this.#waiting.length > 0 && !this.#acting) queueMicrotask(() => void this.#step());
  }

  async #step(): Promise<void> {
    const next = this.#waiting[0];
    if (next === undefined || this.#acting || !this.#readyFor(next)) return;
    this.#waiting.shift();
    this.#acting = true;
    const refusal = await this.#simulator.act(next);
    if (refusal) this.#onRefused(`${textOf(next)}: ${refusalText(refusal)}`);
    this.#acting = false;
    this.#soon();
  }

  #readyFor(action: Action): boolean {
    const { stage } = this.#simulator;
    if (action.do === 'insert' || action.do === 'tap' || action.do === 'swipe') return stage === 'present';
    if (action.do === 'pin') return stage === 'pin' || stage === 'pin_retry';
    if (action.do !== 'remove') return true;
    return this.#simulator.state().insertedCard !== null && (stage === undefined || stage === 'remove');
  }
}
