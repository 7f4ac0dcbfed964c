import type { Money } from '@florin/shared/money.ts';
import { type Clock, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import type { CardReader, HostAnswer, ReaderAlarm, ReaderOutcome, ReaderStage, ReaderStatus } from '../reader.ts';

/** The person at the desk with the reader. */
export interface Person {
  say(text: string): void;
  /** Explains a step; `skip` leaves it out, as where its card is missing. */
  begin(step: {
    readonly number: number;
    readonly of: number;
    readonly title: string;
    readonly todo: string;
  }): Promise<'begin' | 'skip'>;
  /** A question to be answered with yes or no. */
  confirms(question: string): Promise<boolean>;
}

/** What a step found that must not be. */
export class CheckFailure extends Error {}

/** A sale of a reader that authorised it by itself: money that is to be returned. */
export type Taken = { readonly transactionId: string; readonly reference: string; readonly amount: Money };

const pollMs = 200;
const reconnectsWithinMs = 120_000;

/** One reader under examination, with a bank that answers as each step wants and counts how often it was asked. */
export class CheckBench {
  readonly reader: CardReader;
  readonly person: Person;
  readonly alarms: readonly ReaderAlarm[];
  readonly taken: Taken[] = [];
  /** Of every call of a reader, in milliseconds: what it was and how long it took. */
  readonly timings: { readonly what: string; readonly ms: number }[] = [];
  /** Transactions whose outcome never became known. */
  readonly open: string[] = [];
  readonly #unconfirmed = new Set<string>();
  readonly #asked = new Map<string, number>();
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #currency: string;

  constructor(options: {
    reader: CardReader;
    person: Person;
    alarms: readonly ReaderAlarm[];
    clock: Clock;
    timers: Timers;
    random: Random;
    currency: string;
  }) {
    this.reader = options.reader;
    this.person = options.person;
    this.alarms = options.alarms;
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#random = options.random;
    this.#currency = options.currency;
  }

  get isHostAuthorised(): boolean {
    return this.reader.authorisation === 'host';
  }

  amount(amountMinor: number): Money {
    return { amountMinor, currency: this.#currency };
  }

  newId(): string {
    return `check_${Buffer.from(this.#random.bytes(8)).toString('hex')}`;
  }

  /** How often the bank was asked for this transaction. */
  askedFor(transactionId: string): number {
    return this.#asked.get(transactionId) ?? 0;
  }

  /** Waits until the status is as wanted. @throws CheckFailure if it does not become so in time */
  async until(what: string, isSo: (status: ReaderStatus) => boolean, withinMs = reconnectsWithinMs): Promise<void> {
    const endsAt = this.#clock.now() + withinMs;
    while (!isSo(this.reader.status())) {
      if (this.#clock.now() > endsAt) throw new CheckFailure(`${what} within ${withinMs / 1_000} seconds`);
      await wait(this.#timers, pollMs);
    }
  }

  ready(): Promise<void> {
    return this.until('the reader did not become ready', ({ connection }) => connection === 'ready');
  }

  lost(): Promise<void> {
    return this.until('the reader was not disconnected', ({ connection }) => !['ready', 'busy'].includes(connection));
  }

  async sale(request: {
    readonly transactionId: string;
    readonly amountMinor?: number;
    readonly timeoutMs?: number;
    readonly answer?: () => Promise<HostAnswer>;
    readonly onStage?: (stage: ReaderStage) => void;
  }): Promise<ReaderOutcome> {
    const { transactionId, amountMinor = 100, timeoutMs = 90_000 } = request;
    const amount = this.amount(amountMinor);
    this.#unconfirmed.add(transactionId);
    const outcome = await this.#timed('sale', () =>
      this.reader.sale({
        transactionId,
        amount,
        timeoutMs,
        onStage: stage => request.onStage?.(stage),
        authorise: () => {
          this.#asked.set(transactionId, this.askedFor(transactionId) + 1);
          return request.answer?.() ?? Promise.resolve(approval);
        },
      }),
    );
    this.#note(transactionId, amount, outcome);
    return outcome;
  }

  /**
   * What became of a transaction, asked as a terminal does after contact was lost. `resumes` starts it again where the
   * reader has not ended it, otherwise it is cancelled.
   */
  async settled(
    transactionId: string,
    { resumes }: { resumes: boolean },
  ): Promise<ReaderOutcome | 'forgotten' | 'not_begun'> {
    const endsAt = this.#clock.now() + reconnectsWithinMs;
    while (this.#clock.now() < endsAt) {
      await this.ready();
      const memory = await this.#timed('last', () => this.reader.last(transactionId));
      if (memory.kind === 'done') {
        this.#note(transactionId, this.amount(100), memory.outcome);
        return memory.outcome;
      }
      if (memory.kind === 'forgotten') return 'forgotten';
      if (memory.kind === 'reversed') return { kind: 'cancelled', by: 'staff' };
      if (memory.kind === 'unknown_to_reader' && !resumes) return 'not_begun';
      if (memory.kind === 'active' && !resumes) await this.reader.cancel(transactionId);
      if (resumes && (memory.kind === 'active' || memory.kind === 'unknown_to_reader')) {
        const outcome = await this.sale({ transactionId });
        if (outcome.kind !== 'unknown' && outcome.kind !== 'not_available') return outcome;
      }
      await wait(this.#timers, pollMs);
    }
    this.open.push(transactionId);
    throw new CheckFailure(`the outcome of ${transactionId} never became known`);
  }

  /** Lets the reader go on after a step that failed: it holds its result until that is confirmed. */
  async release(): Promise<void> {
    for (const transactionId of this.#unconfirmed) await this.confirm(transactionId);
  }

  async confirm(transactionId: string): Promise<void> {
    await this.#timed('confirm', () => this.reader.confirm(transactionId));
    this.#unconfirmed.delete(transactionId);
  }

  /** Returns the money of a sale that the reader authorised. */
  async void(sale: Taken): Promise<ReaderOutcome> {
    const transactionId = this.newId();
    const outcome = await this.#timed('void', () =>
      this.reader.void({ transactionId, saleTransactionId: sale.transactionId, saleReference: sale.reference }),
    );
    if (outcome.kind === 'approved') this.#returned(sale);
    await this.confirm(transactionId);
    return outcome;
  }

  /** Refunds a sale that the reader authorised in full. */
  async refund(sale: Taken): Promise<ReaderOutcome> {
    const transactionId = this.newId();
    const { amount } = sale;
    const outcome = await this.#timed('refund', () =>
      this.reader.refund({
        transactionId,
        saleTransactionId: sale.transactionId,
        saleReference: sale.reference,
        amount,
      }),
    );
    if (outcome.kind === 'approved') this.#returned(sale);
    await this.confirm(transactionId);
    return outcome;
  }

  #returned(sale: Taken): void {
    this.taken.splice(this.taken.indexOf(sale), 1);
  }

  #note(transactionId: string, amount: Money, outcome: ReaderOutcome): void {
    if (this.isHostAuthorised || outcome.kind !== 'approved') return;
    if (this.taken.some(sale => sale.transactionId === transactionId)) return;
    this.taken.push({ transactionId, reference: outcome.processorReference ?? '', amount });
  }

  async #timed<Value>(what: string, call: () => Promise<Value>): Promise<Value> {
    const begunAt = this.#clock.now();
    const value = await call();
    this.timings.push({ what, ms: this.#clock.now() - begunAt });
    return value;
  }
}

const approval: HostAnswer = { kind: 'approved', authorisationCode: '123456', hostCode: '00' };
