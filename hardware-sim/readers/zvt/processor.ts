import type { Clock, Instant } from '@florin/shared/ports.ts';

/** The processor behind the simulated reader, and its ledger. */
export type ProcessorAnswer = 'approved' | 'declined' | 'keep_card' | 'unknown';

export type Movement = {
  /** `reversal` undoes a payment or a refund. */
  readonly kind: 'payment' | 'refund' | 'reversal';
  readonly amountMinor: number;
  /** The movement's number, from 1; for a reversal that of what it undoes. */
  readonly reference: number;
  readonly at: Instant;
};

export class Processor {
  readonly #clock: Clock;
  readonly #answers: (ProcessorAnswer | Promise<ProcessorAnswer>)[] = [];
  readonly movements: Movement[] = [];
  readonly #onEvent: (text: string) => void;

  /** `onEvent` is told what is asked and answered, in words. */
  constructor(clock: Clock, onEvent: (text: string) => void) {
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  /** Sets the next answer to a payment; by default the amount decides. */
  answersNext(answer: ProcessorAnswer | Promise<ProcessorAnswer>): void {
    this.#answers.push(answer);
  }

  /** The answer to a payment, with the reference of its approval. */
  async authorise(amountMinor: number): Promise<{ answer: ProcessorAnswer; reference: number }> {
    this.#onEvent(`Asked for ${decimal(amountMinor)}`);
    const answer = await (this.#answers.shift() ?? byAmount(amountMinor));
    this.#onEvent(answerWords[answer]);
    return { answer, reference: answer === 'approved' ? this.#move('payment', amountMinor) : 0 };
  }

  /** Gives money to a card. */
  refund(amountMinor: number): number {
    this.#onEvent(`Refunded ${decimal(amountMinor)}`);
    return this.#move('refund', amountMinor);
  }

  /** Undoes a payment or a refund, once. */
  reverse(reference: number): void {
    const undone = this.movements[reference - 1];
    const isUndone = this.movements.some(one => one.kind === 'reversal' && one.reference === reference);
    if (!undone || isUndone) return;
    this.#record('reversal', undone.amountMinor, reference);
    this.#onEvent(`Reversed the ${undone.kind} of ${decimal(undone.amountMinor)}`);
  }

  #move(kind: 'payment' | 'refund', amountMinor: number): number {
    const reference = this.movements.length + 1;
    this.#record(kind, amountMinor, reference);
    return reference;
  }

  #record(kind: Movement['kind'], amountMinor: number, reference: number): void {
    this.movements.push({ kind, amountMinor, reference, at: this.#clock.now() });
  }
}

const answerWords: Readonly<Record<ProcessorAnswer, string>> = {
  approved: 'Approved',
  declined: 'Declined',
  keep_card: 'Declined: keep the card',
  unknown: 'No answer',
};

function decimal(amountMinor: number): string {
  const digits = String(amountMinor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The same test amounts as at the sandbox bank. */
function byAmount(amountMinor: number): ProcessorAnswer {
  if (amountMinor >= 100_00 && amountMinor < 150_00) return 'declined';
  return amountMinor >= 150_00 && amountMinor < 200_00 ? 'keep_card' : 'approved';
}
