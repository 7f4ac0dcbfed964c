import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { announceReaderStart } from '@florin/shared/contracts/device-v1/commands.ts';
import { getSale, type SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant, Log, Timers } from '@florin/shared/ports.ts';
import type { Screen } from '../../ipc/view.ts';
import type { CardReader, HostAnswer, ReadCard, ReaderStage } from '../../readers/reader.ts';
import type { BitcoinOutcome } from '../bitcoin/machine.ts';
import { durableFlow, type PendingAction, type Stored } from '../flows/durable.ts';
import { Waiting } from '../flows/waiting.ts';
import type { SaleReport, Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import { BankRequest } from './bank-request.ts';
import { BankWait } from './bank-wait.ts';
import { reversalProgress, type SaleContext, type SaleOutcome } from './context.ts';
import { SaleInquiry } from './inquiry.ts';
import { type SaleEffect, type SaleEvent, saleMachine } from './machine.ts';
import { storedCard, unknownReport } from './outcome.ts';
import { endDialogue, releaseTransaction } from './reader-memory.ts';
import { isReversalFinal } from './reversal.ts';
import { saleScreen } from './screen.ts';
import { type UnchargedPorts, unchargedByCard } from './uncharged.ts';

export type SaleFlowPorts = UnchargedPorts & {
  readonly store: Store;
  readonly connection: Connection;
  readonly reader: CardReader;
  readonly hasPrinter: () => boolean;
  readonly timers: Timers;
  readonly log: Log;
  readonly displaySettings: () => DisplaySettings;
  /** The software that started this sale; null if it was keyed in on this terminal. */
  readonly requestedBy: (saleId: string) => string | null;
  /** Whether the terminal serves customers without staff. */
  readonly isKiosk: () => boolean;
  readonly changed: () => void;
  /** Delivers pending reports. Resolves after one attempt. */
  readonly deliverReports: () => Promise<boolean>;
};

export interface SaleFlow {
  /** Starts a sale (state `starting`), or continues the stored one after a restart. */
  begin(options: { restarted: boolean }): void;
  screen(): Screen;
  isOver(): boolean;
  /** The outcome; undefined while the sale is in progress. */
  ending(): SaleOutcome | BitcoinOutcome | undefined;
  /** It is waiting for the service or the reader. */
  isChecking(): boolean;
  /** The report to store if the flow is dropped: the sale was not completed. */
  unresolved(): SaleReport | undefined;
  hasTransaction(transactionId: string): boolean;
  cancel(): boolean;
  /** Switches from bitcoin to a card payment, unless something was already paid. */
  payByCard(): boolean;
  /** The outcome of a sale in bitcoin. */
  bitcoinChanged(sale: BitcoinSale): void;
  /** The service knows the bank's response for this sale. */
  bankAnswered(saleId: string): void;
  /** The reader or the service is available again: current delays end. */
  wake(): void;
  /** The service's record of a sale changed. */
  recordChanged(record: SaleRecord): void;
  /** The service refused to reverse a sale: it counts as completed. */
  reversalRefused(saleId: string): void;
  /** Ends the flow once its result was seen. */
  dismiss(): void;
  stop(): void;
}

const readerWaitMs = 60_000;
const cardTimeoutMs = 60_000;
/** Added to the reader's own time limit before it counts as lost. */
const readerSlackMs = 30_000;
const announceTries = 3;
const readerTries = 3;
const clearPauseMs = 1_000;
const finishingMs = 45_000;
const retryPauseMs = 1_500;
const replyGraceMs = 250;
const withBank: ReadonlySet<string> = new Set(['authorising', 'finishing', 'checking', 'reversing']);
const reversalWaitMs = 10_000;
const followPausesMs = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** Opens a new or a stored card sale. Neither the reader nor the service receives anything before `begin`. */
export function openSaleFlow(ports: SaleFlowPorts, from: Stored<SaleContext>): SaleFlow {
  return new RunningSale(ports, from);
}

class RunningSale implements SaleFlow {
  readonly #ports: SaleFlowPorts;
  readonly #flow;
  #stage: ReaderStage | undefined;
  #since: Instant;
  #sinceState = '';
  /** The card data, kept in memory for the one request that needs it. */
  #card: ReadCard | undefined;
  #answerReader: ((answer: HostAnswer) => void) | undefined;
  #hostAnswer: Promise<HostAnswer> | undefined;
  readonly #bank: BankRequest;
  readonly #inquiry: SaleInquiry;
  readonly #waiting: Waiting;
  readonly #bankWait: BankWait;
  #isResuming = false;
  #isReleased = false;
  #isFollowing = false;
  #readerTries = 0;
  #follows = 0;
  #stopped = false;

  constructor(ports: SaleFlowPorts, from: Stored<SaleContext>) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
    this.#bankWait = new BankWait({ ...ports, waiting: this.#waiting, context: () => this.#context });
    this.#bank = new BankRequest({
      ...ports,
      waiting: this.#waiting,
      context: () => this.#context,
      isWaiting: () => this.#state === 'authorising',
      isReaderWaiting: () => this.#context.reader === 'not_reported',
    });
    this.#inquiry = new SaleInquiry({
      ...ports,
      waiting: this.#waiting,
      context: () => this.#context,
      readerActive: () => this.#endDialogue(),
    });
    this.#since = ports.clock.now();
    this.#flow = durableFlow({
      machine: saleMachine,
      from,
      commit: (next, actions) => this.#commit(next, actions),
      perform: action => this.#perform(action),
      changed: () => this.#changed(),
    });
  }

  begin({ restarted }: { restarted: boolean }): void {
    // Of an interrupted sale only the start time is known.
    if (restarted) this.#bankWait.begin(this.#context.startedAt);
    this.#send({ type: restarted ? 'RESTARTED' : 'BEGIN' });
  }

  get #context(): SaleContext {
    return this.#flow.snapshot().context;
  }

  get #state(): string {
    return this.#flow.snapshot().value;
  }

  #send(event: SaleEvent): boolean {
    return this.#flow.send(event);
  }

  #changed(): void {
    const mark = `${this.#state}/${this.#stage ?? ''}`;
    if (mark !== this.#sinceState) {
      this.#sinceState = mark;
      this.#since = this.#ports.clock.now();
      if (this.#state === 'checking') this.#bankWait.checking();
    }
    if (withBank.has(this.#state) || this.#stage === 'authorising') this.#bankWait.begin(this.#ports.clock.now());
    this.#ports.changed();
  }

  #commit(next: Stored<SaleContext>, actions: readonly PendingAction[]): void {
    const { context } = next;
    const reports = actions
      .filter(action => action.type === 'report')
      .map(action => (action.params as { report: SaleReport }).report);
    this.#ports.store.saveFlow({
      kind: 'sale',
      snapshot: next,
      at: this.#ports.clock.now(),
      reports,
      uncharged: unchargedByCard(next, this.#ports),
      ...(next.value === 'done'
        ? { readerOutcome: { transactionId: context.transactionId, outcome: context.outcome?.why ?? context.reader } }
        : {}),
    });
    this.#ports.log.info({ saleId: context.saleId, state: next.value }, 'sale state');
  }

  #perform(action: PendingAction): void {
    if (action.type === 'report') {
      this.#run(this.#ports.deliverReports());
      return;
    }
    if (action.type !== 'effect') return;
    const effects: Record<SaleEffect, () => void> = {
      releaseReader: () => this.#releaseReader(),
      awaitReader: () => this.#awaitReader(),
      announceReader: () => this.#run(this.#announceReader()),
      startReader: () => this.#startReader(),
      cancelReader: () => this.#run(this.#ports.reader.cancel(this.#context.transactionId)),
      askBank: () => this.#run(this.#askBank()),
      answerReader: () => this.#giveReaderTheAnswer(),
      check: () => this.#run(this.#check()),
      reverse: () => this.#reverse(),
      followReversal: () => this.#followReversal(),
    };
    effects[(action.params as { name: SaleEffect }).name]();
  }

  /** Runs an effect: its results arrive as events, and an exception is logged as a bug. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#stopped)
        this.#ports.log.error({ saleId: this.#context.saleId, error: String(error) }, 'a step of the sale failed');
    });
  }

  #awaitReader(): void {
    const { reader } = this.#ports;
    const isReady = () => reader.status().connection === 'ready';
    const ready = () =>
      this.#send({
        type: 'READER_READY',
        bootId: reader.status().bootId ?? null,
        authorisation: reader.authorisation,
      });
    if (isReady()) {
      ready();
      return;
    }
    const stop = reader.onStatus(() => {
      if (isReady() && ready()) stop();
    });
    this.#waiting.cancelAtStop(stop);
    this.#waiting.after(readerWaitMs, () => {
      stop();
      this.#send({ type: 'READER_NOT_FOUND' });
    });
  }

  async #announceReader(): Promise<void> {
    const { connection } = this.#ports;
    const params = { saleId: this.#context.saleId };
    for (let tries = 1; ; tries += 1) {
      const answer = await connection.call(announceReaderStart, { params });
      if (answer.kind === 'answered') {
        this.#send({ type: answer.body.proceed ? 'MAY_START' : 'MAY_NOT_START' });
        return;
      }
      if (answer.kind === 'refused' || tries >= announceTries) break;
      await this.#waiting.pause(retryPauseMs);
      if (this.#state !== 'announcing') return;
    }
    this.#send({ type: 'NOT_ALLOWED_YET' });
  }

  #startReader(): void {
    const { transactionId, amountMinor, currency } = this.#context;
    this.#waiting.after(cardTimeoutMs + readerSlackMs, () => {
      if (this.#state === 'takingCard') this.#send({ type: 'READER_SILENT' });
    });
    this.#run(this.#takeCard({ transactionId, amountMinor, currency }));
  }

  async #takeCard(given: Pick<SaleContext, 'transactionId' | 'amountMinor' | 'currency'>): Promise<void> {
    const { reader, log } = this.#ports;
    const { transactionId, amountMinor, currency } = given;
    this.#readerTries += 1;
    const outcome = await reader.sale({
      transactionId,
      amount: { amountMinor, currency },
      timeoutMs: cardTimeoutMs,
      onStage: stage => {
        this.#stage = stage;
        this.#repeatCancellation();
        this.#changed();
      },
      authorise: card => this.#authorise(card),
    });
    const { saleId } = this.#context;
    log.info({ saleId, transactionId, outcome: outcome.kind }, 'the reader ended its dialogue');
    const blocking = outcome.kind === 'not_available' ? outcome.blockingTransactionId : undefined;
    if (blocking !== undefined && blocking !== transactionId && this.#readerTries < readerTries) {
      await this.#clearReader(blocking);
      this.#send({ type: 'READER_CLEARED' });
      return;
    }
    // If the event does not fit, the outcome is already known or is being looked up; a lookup in progress is repeated
    // sooner.
    if (!this.#send({ type: 'READER_ENDED', outcome })) this.#waiting.wake();
  }

  /** The reader may not have received the cancellation, or not have had the transaction yet. */
  #repeatCancellation(): void {
    const { cancelRequested, transactionId } = this.#context;
    if (cancelRequested) this.#run(this.#ports.reader.cancel(transactionId));
  }

  /**
   * The reader still holds an older transaction. Its flow is over and its outcome stored, so the reader may release it.
   */
  async #clearReader(transactionId: string): Promise<void> {
    this.#ports.log.warn({ transactionId }, 'the reader held an older transaction');
    if (!(await releaseTransaction({ ...this.#ports, transactionId }))) await this.#waiting.pause(clearPauseMs);
  }

  #releaseReader(): void {
    const { wasGivenToReader, transactionId } = this.#context;
    if (!wasGivenToReader || this.#isReleased) return;
    this.#isReleased = true;
    const released = releaseTransaction({ ...this.#ports, transactionId }).then(isReleased => {
      this.#isReleased = isReleased;
    });
    this.#run(released);
  }

  /**
   * The reader has read a card and waits for the bank's response. A repeated request for the same card gets the same
   * response.
   */
  #authorise(card: ReadCard): Promise<HostAnswer> {
    if (this.#hostAnswer) return this.#hostAnswer;
    this.#card = card;
    this.#hostAnswer = new Promise(resolve => {
      this.#answerReader = resolve;
    });
    let isTaken = false;
    try {
      isTaken = this.#send({ type: 'CARD_READ', card: storedCard(card) });
    } catch (error) {
      // If the state cannot be stored nothing is sent: the reader ends the dialogue without an approval.
      const { saleId } = this.#context;
      this.#ports.log.error({ saleId, error: String(error) }, 'the state of the sale could not be stored');
    }
    if (!isTaken) this.#answerReader?.({ kind: 'unknown' });
    return this.#hostAnswer;
  }

  async #askBank(): Promise<void> {
    if (this.#card) this.#send(await this.#bank.ask(this.#card));
  }

  #giveReaderTheAnswer(): void {
    const { bank } = this.#context;
    this.#card = undefined;
    if (bank === 'approved') {
      this.#answerReader?.(this.#approval());
    } else if (bank === 'declined' || bank === 'returned') {
      this.#answerReader?.({ kind: 'declined', hostCode: '05' });
    } else {
      this.#answerReader?.({ kind: 'unknown' });
    }
    this.#waiting.after(finishingMs, () => {
      if (this.#state === 'finishing') this.#send({ type: 'READER_SILENT' });
    });
  }

  async #check(): Promise<void> {
    if (this.#bankWait.stopsByItself()) {
      this.#send({ type: 'CANCEL' });
      return;
    }
    const found = await this.#inquiry.ask(() => this.#state === 'checking');
    if (found) this.#send({ type: 'FOUND', ...found });
  }

  /**
   * The reader is connected again with the card still in it: it receives the bank's response, or is cancelled if there
   * will be none.
   */
  #endDialogue(): void {
    const { bank, transactionId, amountMinor, currency, authorisation } = this.#context;
    if (authorisation === 'reader') this.#repeatCancellation();
    if (bank === 'unknown' || bank === 'pending' || this.#isResuming) return;
    this.#isResuming = true;
    const answer: HostAnswer = bank === 'approved' ? this.#approval() : { kind: 'unknown' };
    const resumed = endDialogue(this.#ports.reader, { transactionId, amountMinor, currency, answer }).then(outcome => {
      this.#isResuming = false;
      this.#send({ type: 'READER_ENDED', outcome });
    });
    this.#run(resumed);
  }

  #approval(): HostAnswer {
    return { kind: 'approved', authorisationCode: this.#context.record?.authorisationCode ?? '', hostCode: '00' };
  }

  #reverse(): void {
    const proceed = () => {
      if (this.#state === 'reversing') this.#send({ type: 'REVERSAL_WAITS' });
    };
    this.#waiting.after(reversalWaitMs, proceed);
    this.#run(this.#ports.deliverReports().then(proceed));
  }

  /** While the result is on the screen, its text about a reversal follows the service's record. */
  #followReversal(): void {
    const progress = reversalProgress(this.#context);
    if (progress === null || progress === 'not_acknowledged' || isReversalFinal(progress) || this.#isFollowing) return;
    this.#isFollowing = true;
    const pauseMs = followPausesMs[Math.min(this.#follows, followPausesMs.length - 1)] ?? 0;
    this.#follows += 1;
    this.#waiting.after(pauseMs, () => this.#run(this.#readReversal()));
  }

  async #readReversal(): Promise<void> {
    const { saleId } = this.#context;
    const answer = await this.#ports.connection.call(getSale, { params: { saleId } });
    this.#isFollowing = false;
    if (answer.kind === 'answered') this.recordChanged(answer.body);
    else this.#followReversal();
  }

  screen(): Screen {
    const { value, context } = this.#flow.snapshot();
    return saleScreen({
      state: value,
      context,
      readerStage: this.#stage,
      since: this.#since,
      bankSince: this.#bankWait.since(),
      displaySettings: this.#ports.displaySettings(),
      requestedBy: this.#ports.requestedBy(context.saleId),
      mayStopWaiting: value === 'checking' && this.#bankWait.mayStaffStop(),
      isReaderReady: this.#ports.reader.status().connection === 'ready',
      hasPrinter: this.#ports.hasPrinter(),
    });
  }

  isOver(): boolean {
    return this.#state === 'done';
  }

  ending(): SaleOutcome | undefined {
    return (this.isOver() ? this.#context.outcome : null) ?? undefined;
  }

  isChecking(): boolean {
    return this.#state === 'checking';
  }

  unresolved(): SaleReport | undefined {
    const { saleId, bank, authorisation, isRequested } = this.#context;
    if (this.isOver() || bank === 'not_asked' || bank === 'refused') return undefined;
    // The service has a requested sale already.
    if (authorisation === 'reader') return isRequested ? undefined : unknownReport(this.#context);
    return { saleId, kind: 'reverse', reason: 'customer_cancelled', until: null };
  }

  hasTransaction(transactionId: string): boolean {
    return this.#context.transactionId === transactionId || this.#context.saleId === transactionId;
  }

  cancel(): boolean {
    return this.#send({ type: 'CANCEL' });
  }

  payByCard(): boolean {
    return false;
  }

  bitcoinChanged(): void {
    // A card sale has no bitcoin part.
  }

  bankAnswered(saleId: string): void {
    if (saleId !== this.#context.saleId || this.isOver()) return;
    // The response to the request itself usually arrives first.
    this.#waiting.after(replyGraceMs, () => this.#run(this.#readAnswer()));
  }

  async #readAnswer(): Promise<void> {
    this.#waiting.wake();
    const answer = await this.#bank.read();
    if (answer) this.#send(answer);
  }

  wake(): void {
    this.#waiting.wake();
    if (this.#state === 'done') this.#releaseReader();
  }

  recordChanged(record: SaleRecord): void {
    if (record.saleId !== this.#context.saleId) return;
    if (this.#state === 'reversing') this.#send({ type: 'REVERSED', record });
    else this.#send({ type: 'RECORD_CHANGED', record });
  }

  reversalRefused(saleId: string): void {
    if (saleId === this.#context.saleId) this.#send({ type: 'REVERSAL_REFUSED' });
  }

  dismiss(): void {
    this.stop();
    this.#ports.store.saveFlow({ kind: 'sale', snapshot: null, at: this.#ports.clock.now() });
  }

  stop(): void {
    this.#stopped = true;
    this.#flow.stop();
    this.#waiting.stop();
  }
}
