export type Party = 'terminal' | 'reader' | 'service' | 'bank';

/** One message between two parties of a shop. */
export type Step = {
  readonly from: Party;
  readonly to: Party;
  /** What is sent, for people. */
  readonly what: string;
};

/** What becomes of a message: by default it arrives once, as it was sent, at its usual time. */
export type Passing = {
  readonly isLost?: boolean;
  readonly delayMs?: number;
  /** Changes the bytes of a line; several arrive one after another. */
  readonly change?: (bytes: Buffer) => readonly Buffer[];
  /** Called once it has arrived, or would have. */
  readonly afterwards?: () => void;
};

const asUsual: Passing = {};

/** Counts the messages of an operation, and lets a fault occur at one of them. */
export class Steps {
  readonly seen: Step[] = [];
  #isCounting = false;
  #fault: { readonly at: number; readonly occur: (step: Step) => Passing } | undefined;

  get hasOccurred(): boolean {
    return this.#fault === undefined || this.seen.length >= this.#fault.at;
  }

  /** The fault occurs at the message with this number, counted from 1. */
  arm(at: number, occur: (step: Step) => Passing): void {
    this.#fault = { at, occur };
  }

  count(isCounting: boolean): void {
    this.#isCounting = isCounting;
  }

  /** Called as a message is sent. */
  pass(step: Step): Passing {
    if (!this.#isCounting) return asUsual;
    this.seen.push(step);
    return this.#fault?.at === this.seen.length ? this.#fault.occur(step) : asUsual;
  }
}
