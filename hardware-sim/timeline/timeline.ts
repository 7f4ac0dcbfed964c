import type { Clock } from '@florin/shared/ports.ts';

/** Where an event happened; a frame is in the lane of its sender. */
export const lanes = ['terminal', 'line', 'reader', 'bank'] as const;
export type Lane = (typeof lanes)[number];

/** What happened, in words; never with a card number or a PIN. */
export type Happening = {
  readonly lane: Lane;
  readonly text: string;
  /** For what was sent over the line: its short name and its bytes, without card data. */
  readonly frame?: { readonly name: string; readonly raw: string };
  /** Heartbeats, acknowledgements, single keys and enquiries, of which there are too many. */
  readonly isRoutine?: boolean;
  /** When it happened, if it was learnt of later. */
  readonly at?: number;
};

export type TimelineEvent = Omit<Happening, 'at' | 'isRoutine'> & {
  /** Counts up from 1. */
  readonly number: number;
  readonly at: number;
  readonly isRoutine: boolean;
};

const keptEvents = 10_000;

/** What the simulator saw of the terminal, the line, the reader and the bank, in the order in which it saw it. */
export class Timeline {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #events: TimelineEvent[] = [];
  #number = 0;

  constructor(options: { clock: Clock; onChange: () => void }) {
    this.#clock = options.clock;
    this.#onChange = options.onChange;
  }

  get events(): readonly TimelineEvent[] {
    return this.#events;
  }

  /** The events after the one with this number. */
  after(number: number): readonly TimelineEvent[] {
    const missing = this.#number - number;
    return missing <= 0 ? [] : this.#events.slice(-missing);
  }

  add(happening: Happening): void {
    this.#push(happening);
    this.#onChange();
  }

  /**
   * Adds an event before what it brings about, and takes it back if it is refused before anything else happens: a refused
   * action brings nothing about. Nobody is told of it before it has been carried out.
   */
  async addUnlessRefused<Refusal>(
    happening: Happening,
    act: () => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined> {
    const added = this.#push(happening);
    const refusal = await act();
    if (refusal !== undefined && this.#events.at(-1) === added) {
      this.#events.pop();
      this.#number -= 1;
    }
    this.#onChange();
    return refusal;
  }

  #push(happening: Happening): TimelineEvent {
    this.#number += 1;
    const { at = this.#clock.now(), isRoutine = false, ...rest } = happening;
    const event = { number: this.#number, at, isRoutine, ...rest };
    this.#events.push(event);
    if (this.#events.length > keptEvents) this.#events.shift();
    return event;
  }
}
