import type { Clock, Instant } from '@florin/shared/ports.ts';
import { type BankDecline, declineCodes } from '../../actions.ts';

/** The processor behind the simulated reader, and its ledger. */
export type ProcessorAnswer = 'approved' | 'unknown' | BankDecline;
type Decision = (amountMinor: number) => ProcessorAnswer | Promise<ProcessorAnswer>;

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
  readonly #decisions: Decision[] = [];
  readonly movements: Movement[] = [];
  readonly #onEvent: (text: string) => void;

  /** `onEvent` is told what is asked and answered, in words. */
  constructor(clock: Clock, onEvent: (text: string) => void) {
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  /** Sets the next answer to a payment; by default the amount decides. */
  answersNext(answer: ProcessorAnswer | Promise<ProcessorAnswer>): void {
    this.decidesNext(() => answer);
  }

  /** Sets how the next payment is decided. */
  decidesNext(decision: Decision): void {
    this.#decisions.push(decision);
  }

  /** The answer to a payment, with the reference of its approval. */
  async authorise(amountMinor: number): Promise<{ answer: ProcessorAnswer; reference: number }> {
    this.#onEvent(`Asked for ${decimal(amountMinor)}`);
    const answer = await (this.#decisions.shift() ?? byAmount)(amountMinor);
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
  decline: 'Declined',
  refer: 'Declined: call the bank',
  keepCard: 'Declined: keep the card',
  insufficientFunds: 'Declined: insufficient funds',
  expiredCard: 'Declined: the card has expired',
  unknown: 'No answer',
};

/** The result code of an answer that is no approval: two digits. */
export function resultCodeOf(answer: ProcessorAnswer): string {
  const code = answer === 'approved' || answer === 'unknown' ? declineCodes.decline : declineCodes[answer];
  return String(code).padStart(2, '0');
}

function decimal(amountMinor: number): string {
  const digits = String(amountMinor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The same test amounts as at the sandbox bank. */
export function byAmount(amountMinor: number): ProcessorAnswer {
  if (amountMinor >= 100_00 && amountMinor < 150_00) return 'decline';
  return amountMinor >= 150_00 && amountMinor < 200_00 ? 'keepCard' : 'approved';
}
