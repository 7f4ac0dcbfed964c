import { type Log, type Timers, wait } from '@florin/shared/ports.ts';
import type { ReaderOutcome, ReaderReceipt, ReaderStage } from '../reader.ts';
import type { Apdu } from './apdu.ts';
import { repeatReceipt } from './commands.ts';
import type { Entry, Journal, LastTransaction } from './journal.ts';
import type { StatusFacts } from './messages.ts';
import { approvalOf, failureOf, isSuccessOf, type StoppedBy, stageOf } from './outcomes.ts';
import { resolve } from './recovery.ts';
import { type Ended, type Listener, quickCommandMs, type Session } from './session.ts';

/** The transactions of this terminal: begun, followed to their end, and asked about when contact was lost. */
export type TransactionsOptions = {
  readonly journal: Journal;
  readonly password: string;
  readonly timers: Timers;
  readonly log: Log;
  readonly session: () => Session | undefined;
  readonly onCardNumber: () => void;
};

/** `active`: the reader still carries it out. `unsure`: it cannot say now. */
type Settled = ReaderOutcome | 'not_executed' | 'unclear' | 'active' | 'unsure' | 'lost';

const pleaseWait = 0x9c;
/** Codes of a passing state, which say nothing about the last transaction. */
const passing: ReadonlySet<number> = new Set([0x6c, 0x9b, 0xa0, 0xa1, 0xa3, 0xcc, 0xe0, 0xff]);
const askAgainMs = 1000;
/** A customer at the reader, and its connection to the processor, take no longer. */
const resumeMs = 300_000;

/** A transaction while the reader carries it out. */
type Following = {
  isSent: boolean;
  stage: ReaderStage | undefined;
  stoppedBy: StoppedBy;
  readonly onStage: (stage: ReaderStage) => void;
};

export class Transactions {
  readonly #options: TransactionsOptions;
  readonly #journal: Journal;
  #following: Following | undefined;
  /** Lines of a receipt that is not complete yet. */
  #printed: string[] = [];
  /** The end of a command that the reader went on with after contact was lost. */
  #resumed: { readonly ended: Promise<Ended>; readonly resolve: (ended: Ended) => void } | undefined;

  constructor(options: TransactionsOptions) {
    this.#options = options;
    this.#journal = options.journal;
  }

  get stage(): ReaderStage {
    return this.#following?.stage ?? 'present_card';
  }

  /** Sends the command of a new transaction and follows it to its end. */
  async carryOut(options: {
    given: Pick<Entry, 'id' | 'kind' | 'amountMinor' | 'currency' | 'saleReference'>;
    terminalId: string;
    command: (lastReceipt: string | undefined) => Apdu;
    onStage: (stage: ReaderStage) => void;
    /** How long the customer has to present a card; undefined if the reader decides. */
    timeoutMs: number | undefined;
  }): Promise<ReaderOutcome> {
    const { given, terminalId, command, onStage, timeoutMs } = options;
    const session = this.#options.session();
    const following: Following = { isSent: false, stage: undefined, stoppedBy: undefined, onStage };
    this.#following = following;
    const before = session && (await this.#lastTransaction(session));
    if (!session || before === 'lost' || before === undefined) return { kind: 'unknown' };
    if (before === 'active') return { kind: 'not_available', reason: 'busy' };
    if (before === 'unsure') return { kind: 'not_available', reason: 'not_ready' };
    if (following.stoppedBy) return { kind: 'cancelled', by: 'staff' };
    this.#journal.begin({ ...given, terminalId, before });
    following.isSent = true;
    const stopTimer = timeoutMs === undefined ? undefined : this.#limit(session, following, timeoutMs);
    const lastReceipt = before.kind === 'facts' ? before.facts.receipt : undefined;
    const ended = await session.run(command(lastReceipt), this.#listener(given.id, following));
    stopTimer?.();
    return this.#conclude(given.id, ended);
  }

  /** Follows a transaction that was sent before to its end. `not_executed` if the reader knows nothing of it. */
  async resume(id: string, onStage: (stage: ReaderStage) => void): Promise<ReaderOutcome | 'not_executed'> {
    const signal = new AbortController();
    const stopTimer = this.#options.timers.after(resumeMs, () => signal.abort());
    let isShown = false;
    while (!signal.signal.aborted) {
      const settled = await this.settle(id);
      if (settled === 'unclear' || settled === 'lost') break;
      if (settled !== 'active' && settled !== 'unsure') {
        stopTimer();
        return settled;
      }
      if (settled === 'active' && !isShown) onStage(this.stage);
      isShown = true;
      this.#following = { isSent: true, stage: this.stage, stoppedBy: this.#following?.stoppedBy, onStage };
      await this.#pause();
    }
    stopTimer();
    return { kind: 'unknown' };
  }

  /** Until the reader may know more. */
  async #pause(): Promise<void> {
    const over = new AbortController();
    const passed = wait(this.#options.timers, askAgainMs, over.signal);
    await (this.#resumed ? Promise.race([this.#resumed.ended, passed]) : passed);
    over.abort();
  }

  /** Asks the reader about a transaction whose outcome is not known, and stores what it says. */
  async settle(id: string): Promise<Settled> {
    const session = this.#options.session();
    if (!session) return 'lost';
    const known = this.#known(id);
    if (known) return known;
    if (session.isResuming) return 'active';
    const last = await this.#lastTransaction(session);
    // It may have ended meanwhile.
    const entry = this.#journal.find(id);
    const learned = this.#known(id);
    if (learned || !entry) return learned ?? 'not_executed';
    if (last === 'lost' || last === 'active' || last === 'unsure') return last;
    const resolution = resolve(entry, last);
    const { log } = this.#options;
    log.info({ transactionId: id, resolution: resolution.kind }, 'the reader was asked about a transaction');
    if (resolution.kind === 'ended') {
      if (last.kind === 'facts') this.#journal.update(id, { facts: last.facts });
      return this.#end(id, resolution.outcome);
    }
    if (resolution.kind === 'not_executed') this.#journal.withdraw(id);
    else this.#journal.update(id, { state: 'lost' });
    return resolution.kind;
  }

  #known(id: string): Settled | undefined {
    const entry = this.#journal.find(id);
    if (!entry) return 'not_executed';
    if (entry.state === 'lost') return 'unclear';
    return entry.state === 'ended' ? entry.outcome : undefined;
  }

  /** Asks the reader to stop; its outcome decides. */
  stop(by: 'staff' | 'timeout'): void {
    const session = this.#options.session();
    if (!session) return;
    this.#following ??= { isSent: true, stage: undefined, stoppedBy: by, onStage: () => undefined };
    this.#following.stoppedBy ??= by;
    if (this.#following.isSent) session.stop();
  }

  /** Receives what the reader sends about a command of an earlier session. */
  resumed(): Listener {
    const { promise, resolve: end } = Promise.withResolvers<Ended>();
    this.#resumed = { ended: promise, resolve: end };
    const { open } = this.#journal;
    return this.#listener(open?.id, undefined);
  }

  resumedEnd(ended: Ended): void {
    const { open } = this.#journal;
    if (open && ended.kind !== 'lost') void this.#conclude(open.id, ended);
    this.#resumed?.resolve(ended);
    this.#resumed = undefined;
  }

  /** Contact was lost: what was followed is over. */
  lost(): void {
    this.#following = undefined;
    this.#printed = [];
  }

  /** Stops a reader to which no card is presented. */
  #limit(session: Session, following: Following, timeoutMs: number) {
    return this.#options.timers.after(timeoutMs, () => {
      if (following.stage !== undefined && following.stage !== 'present_card') return;
      following.stoppedBy ??= 'timeout';
      session.stop();
    });
  }

  #listener(id: string | undefined, following: Following | undefined): Listener {
    return {
      onStatus: ({ facts, holdsCardNumber }) => {
        if (holdsCardNumber) this.#options.onCardNumber();
        return this.#store(id, facts);
      },
      onProgress: ({ code }) => {
        const followed = following ?? this.#following;
        const stage = stageOf(code, followed?.stage);
        if (!followed || stage === undefined) return;
        const isNew = stage !== followed.stage;
        followed.stage = stage;
        if (isNew) followed.onStage(stage);
      },
      onPrint: ({ lines, copy, isLast }) => this.#print(id, { copy, lines }, isLast),
    };
  }

  /** Whether the facts are stored. A success of another transaction is not, so that the reader reverses it. */
  #store(id: string | undefined, facts: StatusFacts): boolean {
    const entry = id === undefined ? undefined : this.#journal.find(id);
    const isOurs = entry?.state === 'open' && (facts.result !== 0 || isSuccessOf(entry, facts));
    if (!isOurs || !entry) {
      if (this.#journal.hasApproved(facts)) return true;
      this.#options.log.error(
        { transactionId: id, trace: facts.trace },
        'the reader reported a payment that is not ours',
      );
      return facts.result !== 0;
    }
    this.#journal.update(entry.id, { facts });
    return true;
  }

  #print(id: string | undefined, printed: ReaderReceipt, isLast: boolean): void {
    this.#printed.push(...printed.lines);
    if (!isLast) return;
    const entry = id === undefined ? undefined : this.#journal.find(id);
    const receipt = { lines: this.#printed, ...(printed.copy === undefined ? {} : { copy: printed.copy }) };
    if (entry) this.#journal.update(entry.id, { receipts: [...entry.receipts, receipt] });
    this.#printed = [];
  }

  async #conclude(id: string, ended: Ended): Promise<ReaderOutcome> {
    const stoppedBy = this.#following?.stoppedBy;
    const entry = this.#journal.find(id);
    if (ended.kind === 'lost' || !entry) return { kind: 'unknown' };
    if (ended.kind === 'refused') return this.#refused(id, ended.code);
    const result = entry.facts?.result;
    if (entry.facts && result === 0 && ended.kind === 'completed') return this.#end(id, approvalOf(entry, entry.facts));
    if (result !== undefined && result !== 0) return this.#end(id, failureOf(entry, result, stoppedBy));
    if (ended.kind === 'aborted' && result === undefined && ended.code !== 0)
      return this.#end(id, failureOf(entry, ended.code, stoppedBy));
    // The end contradicts what came before it, or nothing did.
    const settled = await this.resume(id, () => undefined);
    return settled === 'not_executed' ? { kind: 'declined', by: 'reader', code: 'NOT_EXECUTED' } : settled;
  }

  /** A reader that is busy may be so with this very command, if its first answer was lost. */
  async #refused(id: string, code: number): Promise<ReaderOutcome> {
    if (code !== pleaseWait) {
      this.#journal.withdraw(id);
      return { kind: 'not_available', reason: `refused_${code.toString(16).padStart(2, '0')}` };
    }
    const settled = await this.resume(id, this.#following?.onStage ?? (() => undefined));
    return settled === 'not_executed' ? { kind: 'not_available', reason: 'busy' } : settled;
  }

  #end(id: string, outcome: ReaderOutcome): ReaderOutcome {
    // Nothing happened that has to be confirmed.
    if (outcome.kind === 'not_available') this.#journal.withdraw(id);
    else this.#journal.update(id, { state: 'ended', outcome });
    this.#following = undefined;
    return outcome;
  }

  async #lastTransaction(session: Session): Promise<LastTransaction | 'active' | 'unsure' | 'lost'> {
    let facts: StatusFacts | undefined;
    const ended = await session.run(
      repeatReceipt(this.#options.password),
      {
        onStatus: message => {
          facts = message.facts;
          const { open } = this.#journal;
          if (open && resolve(open, { kind: 'facts', facts }).kind === 'ended')
            this.#journal.update(open.id, { facts });
          return true;
        },
        onProgress: () => undefined,
        onPrint: () => undefined,
      },
      quickCommandMs,
    );
    if (ended.kind === 'lost') return 'lost';
    if (facts) return { kind: 'facts', facts };
    const code = ended.kind === 'completed' ? 0 : ended.code;
    if (code === pleaseWait) return 'active';
    return passing.has(code) ? 'unsure' : { kind: 'none', code };
  }
}
