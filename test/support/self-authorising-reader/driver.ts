import type {
  CardReader,
  LineFailureCounts,
  ReaderDriver,
  ReaderMemory,
  ReaderOptions,
  ReaderOutcome,
  ReaderRefund,
  ReaderSale,
  ReaderStage,
  ReaderStatus,
  ReaderVoid,
} from '@florin/device/readers/reader.ts';
import { discovery } from '@florin/device/readers/serial/discovery.ts';
import { LineFailures } from '@florin/device/readers/serial/line-failures.ts';
import { openTransport, type Transport } from '@florin/device/readers/serial/transport.ts';
import { exponentOf } from '@florin/shared/money.ts';
import { wait } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import { beginAnswer, decode, encode, lastAnswer, type Question, stateAnswer } from './wire.ts';

const baudRate = 115_200;
const searchEveryMs = 500;
const pollEveryMs = 200;
const idlePollMs = 1000;
const answerMs = 1000;
const tries = 4;
/** Longer than the reader's own timeout for the customer. */
const graceMs = 180_000;
const sendable = /^[\w.-]{1,64}$/;

/** A minimal driver of a reader that authorises with its own processor: it implements the port and nothing else. */
export const selfAuthorisingDriver: ReaderDriver = {
  name: 'self-authorising',
  open: options => new SelfAuthorisingReader(options),
};

type State = z.infer<typeof stateAnswer>;
type Begin = Extract<Question, { ask: 'sale' | 'void' | 'refund' }>;

class SelfAuthorisingReader implements CardReader {
  readonly protocol = selfAuthorisingDriver.name;
  readonly authorisation = 'reader';
  readonly #options: ReaderOptions;
  readonly #ended = new AbortController();
  readonly #lineFailures: LineFailures;
  readonly #searching: Promise<void>;
  readonly #listeners = new Set<(status: ReaderStatus) => void>();
  readonly #sentUnder = new Map<string, string>();
  readonly #confirmations = new Set<string>();
  readonly #waiting = new Map<number, (content: unknown) => void>();
  #status: ReaderStatus = { connection: 'searching' };
  #transport: Transport | undefined;
  #number = 0;
  #busyWith: { readonly id: string; readonly outcome: Promise<ReaderOutcome> } | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#lineFailures = new LineFailures({
      timers: options.timers,
      onReport: counts => this.#reportFailures(counts),
    });
    this.#searching = this.#keepUp();
  }

  status(): ReaderStatus {
    return this.#status;
  }

  onStatus(listener: (status: ReaderStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  sale({ transactionId: id, amount, timeoutMs, onStage }: ReaderSale): Promise<ReaderOutcome> {
    return this.#carryOut({ ask: 'sale', id, ...amount, timeoutMs }, onStage, timeoutMs);
  }

  void({ transactionId: id, saleReference: sale }: ReaderVoid): Promise<ReaderOutcome> {
    return this.#carryOut({ ask: 'void', id, sale });
  }

  refund({ transactionId: id, saleReference: sale, amount }: ReaderRefund): Promise<ReaderOutcome> {
    return this.#carryOut({ ask: 'refund', id, sale, ...amount });
  }

  async last(transactionId: string, sent?: { underBootId: string }): Promise<ReaderMemory> {
    if (!sendable.test(transactionId)) return { kind: 'unknown_to_reader' };
    const answer = await this.#ask({ ask: 'last', id: transactionId }, lastAnswer);
    if (!answer) return { kind: 'unreachable' };
    if (answer.is === 'active') return { kind: 'active', stage: answer.stage };
    if (answer.is === 'done') return { kind: 'done', outcome: answer.outcome };
    const sentUnder = sent?.underBootId ?? this.#sentUnder.get(transactionId);
    return { kind: sentUnder === this.#status.bootId ? 'unknown_to_reader' : 'forgotten' };
  }

  async confirm(transactionId: string): Promise<void> {
    this.#confirmations.add(transactionId);
    await this.#sendConfirmations();
  }

  async cancel(transactionId: string): Promise<void> {
    await this.#ask({ ask: 'cancel', id: transactionId }, beginAnswer);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#transport?.close();
    this.#lost();
    this.#lineFailures.close();
    await this.#searching;
    this.#listeners.clear();
  }

  #carryOut(begin: Begin, onStage?: (stage: ReaderStage) => void, timeoutMs = 0): Promise<ReaderOutcome> {
    if (this.#busyWith?.id === begin.id) return this.#busyWith.outcome;
    const problem = this.#busyWith ? 'busy' : this.#transport ? problemWith(begin) : 'not_connected';
    if (problem !== undefined) return Promise.resolve({ kind: 'not_available', reason: problem });
    const outcome = this.#run(begin, onStage, timeoutMs).finally(() => {
      this.#busyWith = undefined;
      if (this.#transport) this.#set({ connection: 'ready' });
    });
    this.#busyWith = { id: begin.id, outcome };
    this.#set({ connection: 'busy' });
    return outcome;
  }

  async #run(
    begin: Begin,
    onStage: ((stage: ReaderStage) => void) | undefined,
    timeoutMs: number,
  ): Promise<ReaderOutcome> {
    const { bootId } = this.#status;
    if (bootId !== undefined && !this.#sentUnder.has(begin.id)) this.#sentUnder.set(begin.id, bootId);
    const begun = await this.#ask(begin, beginAnswer);
    if (!begun) return { kind: 'unknown' };
    const { refused: reason, blocking } = begun;
    if (reason !== undefined)
      return { kind: 'not_available', reason, ...(blocking === undefined ? {} : { blockingTransactionId: blocking }) };
    const { clock, timers } = this.#options;
    const until = clock.now() + timeoutMs + graceMs;
    let shown: ReaderStage | undefined;
    while (clock.now() < until) {
      const answer = await this.#ask({ ask: 'last', id: begin.id }, lastAnswer);
      if (answer?.is === 'done') return answer.outcome;
      if (answer?.is !== 'active' || this.#status.bootId !== bootId) return { kind: 'unknown' };
      if (answer.stage !== shown) onStage?.(answer.stage);
      shown = answer.stage;
      await wait(timers, pollEveryMs, this.#ended.signal);
    }
    return { kind: 'unknown' };
  }

  async #ask<Schema extends z.ZodType>(asked: Question, schema: Schema): Promise<z.output<Schema> | undefined> {
    const transport = this.#transport;
    return transport && this.#askOver(transport, asked, schema);
  }

  /** Repeats the request until it is answered, which is harmless; without an answer the line is closed. */
  async #askOver<Schema extends z.ZodType>(
    transport: Transport,
    asked: Question,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    for (let turn = 0; turn < tries && !this.#ended.signal.aborted; turn += 1) {
      this.#number += 1;
      const number = this.#number;
      const answered = new Promise<unknown>(resolve => {
        this.#waiting.set(number, resolve);
        this.#options.timers.after(answerMs, () => resolve(undefined));
      });
      if (!(await transport.write(encode(number, asked))).ok) break;
      const answer = schema.safeParse(await answered);
      this.#waiting.delete(number);
      if (answer.success) return answer.data;
    }
    if (transport === this.#transport) this.#lost();
    await transport.close();
    return undefined;
  }

  async #keepUp(): Promise<void> {
    const { timers, paths, log } = this.#options;
    const { signal } = this.#ended;
    const { candidates } = discovery(paths, log);
    while (!signal.aborted) {
      for (const path of await candidates()) await this.#holdOn(path);
      await wait(timers, searchEveryMs, signal);
    }
  }

  /** Polls the reader at this port for as long as it answers. */
  async #holdOn(path: string): Promise<void> {
    const opened = await openTransport({
      path,
      baudRate,
      timers: this.#options.timers,
      onLine: line => this.#onLine(line),
      onFailure: cause => this.#lineFailures.count(cause),
      onOpenFailed: () => undefined,
      onClose: () => this.#lost(),
    });
    if (!opened.ok) {
      if (opened.refusal === 'in_use') this.#set({ attention: 'in_use' });
      return;
    }
    const first = await this.#greet(opened.value);
    if (!first) return;
    this.#transport = opened.value;
    this.#set({ connection: 'ready' });
    this.#publish(first);
    await this.#sendConfirmations();
    for (;;) {
      await wait(this.#options.timers, idlePollMs, this.#ended.signal);
      const state = this.#transport && (await this.#greet(this.#transport));
      if (!state || this.#ended.signal.aborted) return;
      this.#publish(state);
    }
  }

  async #greet(transport: Transport): Promise<State | undefined> {
    const nonce = Buffer.from(this.#options.random.bytes(4)).toString('hex');
    const state = await this.#askOver(transport, { ask: 'state', nonce }, stateAnswer);
    return state?.nonce === nonce ? state : undefined;
  }

  #publish({ serial, firmware, boot, card, unconfirmed }: State): void {
    const { unconfirmedTransactionId: _, attention: _attention, ...rest } = this.#status;
    const held = unconfirmed === undefined ? {} : { unconfirmedTransactionId: unconfirmed };
    this.#replace({ ...rest, serial, firmware, bootId: boot, isCardInserted: card, ...held });
  }

  async #sendConfirmations(): Promise<void> {
    for (const id of this.#confirmations) {
      if (!(await this.#ask({ ask: 'confirm', id }, beginAnswer))) return;
      this.#confirmations.delete(id);
      if (this.#status.unconfirmedTransactionId !== id) continue;
      const { unconfirmedTransactionId: _, ...rest } = this.#status;
      this.#replace(rest);
    }
  }

  #onLine(line: string): void {
    const decoded = decode(line);
    if (decoded) this.#waiting.get(decoded.number)?.(decoded.content);
    else this.#lineFailures.count('framing');
  }

  #reportFailures(lineFailures: LineFailureCounts): void {
    this.#set({ lineFailures });
    this.#options.log.warn({ lineFailures }, 'reader line failures');
  }

  #lost(): void {
    for (const answer of this.#waiting.values()) answer(undefined);
    if (!this.#transport) return;
    this.#transport = undefined;
    this.#set({ connection: 'lost' });
  }

  #set(change: Partial<ReaderStatus>): void {
    this.#replace({ ...this.#status, ...change });
  }

  #replace(next: ReaderStatus): void {
    const before = JSON.stringify(this.#status);
    this.#status = next;
    if (JSON.stringify(next) === before) return;
    for (const listener of this.#listeners) listener(next);
  }
}

function problemWith(begin: Begin): string | undefined {
  if (!sendable.test(begin.id)) return 'transaction_id_not_sendable';
  if (begin.ask === 'void') return undefined;
  if (exponentOf(begin.currency) === undefined) return 'currency_not_supported';
  return Number.isSafeInteger(begin.amountMinor) && begin.amountMinor > 0 ? undefined : 'amount_not_supported';
}
