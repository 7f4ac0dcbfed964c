import type { Timers } from '@florin/shared/ports.ts';
import type { Fields } from '@florin/shared/reader-line/frame.ts';
import type { TipAnswer } from '../reader.ts';
import type { Session } from './session.ts';

/** Longer than the reader's own limit: a reader that is silent for longer does not answer. */
const graceMs = 5_000;

type TipFields = Fields & { readonly txn: string };
type Question = { readonly fields: TipFields; readonly settle: (answer: TipAnswer) => void };

/** The question for a tip that a reader is asked: one at a time. */
export class TipQuestions {
  readonly #timers: Timers;
  #open: Question | undefined;

  constructor({ timers }: { readonly timers: Timers }) {
    this.#timers = timers;
  }

  async ask(session: Session, fields: TipFields, timeoutMs: number): Promise<TipAnswer> {
    this.#open?.settle({ kind: 'not_available' });
    const { promise, resolve: settle } = Promise.withResolvers<TipAnswer>();
    const question = { fields, settle };
    this.#open = question;
    const stopTimer = this.#timers.after(timeoutMs + graceMs, () => settle({ kind: 'not_available' }));
    // A shorter heartbeat finds a lost answer sooner.
    session.setBusy(true);
    void this.#send(session, question);
    const answer = await promise;
    stopTimer();
    if (this.#open === question) {
      this.#open = undefined;
      session.setBusy(false);
    }
    return answer;
  }

  answered(wireId: string, tipMinor: number): void {
    if (this.#open?.fields.txn !== wireId) return;
    this.#open.settle(tipMinor === 0 ? { kind: 'none' } : { kind: 'chosen', tipMinor });
  }

  /** A line was lost, which may have been the answer: the reader sends it again. */
  repeat(session: Session): void {
    if (this.#open) void this.#send(session, this.#open);
  }

  /** The connection has ended, or a sale begins, which keeps the heartbeat short. */
  end(): void {
    const ended = this.#open;
    this.#open = undefined;
    ended?.settle({ kind: 'not_available' });
  }

  async #send(session: Session, { fields, settle }: Question): Promise<void> {
    const reply = await session.request('TIP', fields);
    if (reply.kind !== 'answered') settle({ kind: 'not_available' });
  }
}
