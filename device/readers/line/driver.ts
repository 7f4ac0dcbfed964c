import { exponentOf } from '@florin/shared/money.ts';
import { numericCurrency } from '@florin/shared/reader-line/currencies.ts';
import type { Fields } from '@florin/shared/reader-line/frame.ts';
import {
  type Answer,
  answers,
  fromWireTransactionId,
  maxWireAmountMinor,
  type OnlineEvent,
  parseFields,
  type ReaderEvent,
  type TransactionResult,
  toWireTransactionId,
} from '@florin/shared/reader-line/messages.ts';
import { unreachable } from '@florin/shared/result.ts';
import { Authorisations } from '../authorisations.ts';
import type {
  CardReader,
  HostAnswer,
  LineFailureCounts,
  ReaderAlarm,
  ReaderAttention,
  ReaderDriver,
  ReaderMemory,
  ReaderOptions,
  ReaderOutcome,
  ReaderSale,
  ReaderStatus,
  TipAnswer,
  TipQuestion,
} from '../reader.ts';
import { discovery } from '../serial/discovery.ts';
import { LineFailures } from '../serial/line-failures.ts';
import { CardParts } from './card-parts.ts';
import { Connection } from './connection.ts';
import { memoryOf, outcomeOf, stageOf } from './outcomes.ts';
import type { Reply } from './requests.ts';
import type { LostReason, Session, SessionRefusal } from './session.ts';
import { TipQuestions } from './tips.ts';

/** The protocol of `@florin/shared/reader-line`. */
export const lineDriver: ReaderDriver = { name: 'line', open: options => new LineReader(options) };

type CurrentSale = {
  readonly request: ReaderSale;
  readonly wireId: string;
  readonly payFields: Fields;
  readonly parts: CardParts;
  readonly settle: (outcome: ReaderOutcome) => void;
  readonly outcome: Promise<ReaderOutcome>;
  /** The key serial number of the card whose response is being sent to the reader. */
  answering: string | undefined;
};

/**
 * Longer than the reader's own timeouts for the customer and the bank; a reader that is silent for longer counts as
 * lost.
 */
const graceMs = 180_000;
const lowBatteryPercent = 10;
const usualBaudRates = [115_200, 57_600, 38_400, 9600];
const hostReturnsMoney: ReaderOutcome = { kind: 'not_available', reason: 'not_supported' };

class LineReader implements CardReader {
  readonly protocol = lineDriver.name;
  readonly authorisation = 'host';
  readonly #options: ReaderOptions;
  readonly #connection: Connection;
  readonly #listeners = new Set<(status: ReaderStatus) => void>();
  readonly #authorisations: Authorisations;
  /** The reader's boot id at the time each transaction was sent. */
  readonly #sentUnder = new Map<string, string>();
  readonly #confirmations = new Set<string>();
  readonly #lineFailures: LineFailures;
  readonly #tips: TipQuestions;
  #status: ReaderStatus = { connection: 'searching' };
  #sale: CurrentSale | undefined;
  /** Why the last search found no reader, logged when it changes. */
  #searchRefusal: SessionRefusal | undefined;
  /** The system's reason why the last port could not be opened. */
  #openFailure: string | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#authorisations = new Authorisations(options.log);
    this.#tips = new TipQuestions(options);
    this.#lineFailures = new LineFailures({
      timers: options.timers,
      onReport: counts => this.#reportFailures(counts),
    });
    this.#connection = new Connection({
      ...options,
      baudRates: options.baudRates ?? usualBaudRates,
      discovery: discovery(options.paths, options.log),
      onEvent: event => this.#event(event),
      onResult: result => this.#result(result),
      onHeartbeat: (state, missedEvents) => this.#heartbeat(state, missedEvents),
      onFailure: cause => this.#lineFailures.count(cause),
      onOpenFailed: reason => {
        this.#openFailure = reason;
      },
      onPan: () => this.#alarm('card_number_on_line'),
      onUp: session => this.#up(session),
      onDown: reason => this.#down(reason),
      onSearching: refusal => this.#searching(refusal),
    });
  }

  status(): ReaderStatus {
    return this.#status;
  }

  onStatus(listener: (status: ReaderStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async sale(request: ReaderSale): Promise<ReaderOutcome> {
    if (this.#sale?.request.transactionId === request.transactionId) return this.#sale.outcome;
    if (this.#sale !== undefined) return { kind: 'not_available', reason: 'busy' };
    const session = this.#connection.session;
    if (session === undefined) return { kind: 'not_available', reason: 'not_connected' };
    const fields = payFieldsOf(request);
    if (typeof fields === 'string') return { kind: 'not_available', reason: fields };
    this.#tips.end();
    const sale = this.#beginSale(request, fields);
    const stopTimer = this.#options.timers.after(request.timeoutMs + graceMs, () => sale.settle({ kind: 'unknown' }));
    void this.#sendPay(session, sale, 'first');
    const outcome = await sale.outcome;
    stopTimer();
    this.#endSale(sale);
    return outcome;
  }

  async askTip({ transactionId, amount, choices, timeoutMs }: TipQuestion): Promise<TipAnswer> {
    const session = this.#connection.session;
    if (session === undefined || this.#sale !== undefined) return { kind: 'not_available' };
    // Readers with an earlier firmware lack it.
    if (!session.reader.caps.split(',').includes('TIP')) return { kind: 'not_available' };
    const fields = payFieldsOf({ transactionId, amount, timeoutMs });
    if (typeof fields === 'string' || choices.length === 0) return { kind: 'not_available' };
    const tips = choices.map(({ tipMinor }) => tipMinor).join(',');
    const pct = choices.map(({ percent }) => percent).join(',');
    const answer = await this.#tips.ask(session, { ...fields, tips, pct }, timeoutMs);
    // Above the amount it is no tip that a customer meant.
    return answer.kind === 'chosen' && answer.tipMinor > amount.amountMinor ? { kind: 'not_available' } : answer;
  }

  async void(): Promise<ReaderOutcome> {
    return hostReturnsMoney;
  }

  async refund(): Promise<ReaderOutcome> {
    return hostReturnsMoney;
  }

  async last(transactionId: string, sent?: { underBootId: string }): Promise<ReaderMemory> {
    const session = this.#connection.session;
    const wireId = toWireTransactionId(transactionId);
    if (wireId === undefined) return { kind: 'unknown_to_reader' };
    if (session === undefined) return { kind: 'unreachable' };
    const reply = await session.request('LAST', { txn: wireId });
    const answer = reply.kind === 'answered' ? parseFields(answers.LAST, reply.fields) : undefined;
    if (!answer?.ok || answer.value.txn !== wireId) return { kind: 'unreachable' };
    const memory = memoryOf(answer.value, this.#authorisations.cardOf(transactionId));
    if (memory === undefined) return { kind: 'unreachable' };
    if (memory.kind !== 'unknown_to_reader') return memory;
    const sentUnder = sent?.underBootId ?? this.#sentUnder.get(transactionId);
    if (sentUnder !== session.reader.boot) return { kind: 'forgotten' };
    // The BOOT line of a restart may be lost, and LAST carries no boot id: a reader that lost its memory could be sent
    // the same transaction again.
    return (await session.askState({ missedEvents: false })) ? memory : { kind: 'unreachable' };
  }

  async confirm(transactionId: string): Promise<void> {
    const wireId = toWireTransactionId(transactionId);
    if (wireId === undefined) return;
    // Kept until the reader acknowledges it: after a lost connection it is sent with the next one.
    this.#confirmations.add(wireId);
    this.#sentUnder.delete(transactionId);
    const session = this.#connection.session;
    if (session !== undefined) await this.#sendConfirmation(session, wireId);
  }

  async cancel(transactionId: string): Promise<void> {
    const wireId = toWireTransactionId(transactionId);
    if (wireId !== undefined) await this.#connection.session?.request('CANCEL', { txn: wireId });
  }

  async close(): Promise<void> {
    this.#tips.end();
    this.#sale?.settle({ kind: 'unknown' });
    this.#lineFailures.close();
    await this.#connection.close();
    this.#listeners.clear();
  }

  #beginSale(request: ReaderSale, payFields: PayFields): CurrentSale {
    const { promise, resolve } = Promise.withResolvers<ReaderOutcome>();
    const sale: CurrentSale = {
      request,
      wireId: payFields.txn,
      payFields,
      parts: new CardParts(),
      settle: resolve,
      outcome: promise,
      answering: undefined,
    };
    this.#sale = sale;
    this.#connection.session?.setBusy(true);
    this.#setStatus({ connection: 'busy' });
    return sale;
  }

  #endSale(sale: CurrentSale): void {
    if (this.#sale !== sale) return;
    this.#sale = undefined;
    this.#connection.session?.setBusy(false);
    if (this.#connection.session !== undefined) this.#setStatus({ connection: 'ready' });
  }

  /** Also resumes a transaction in progress: the reader answers a repeated PAY with its current state. */
  async #sendPay(session: Session, sale: CurrentSale, time: 'first' | 'again'): Promise<void> {
    if (!this.#sentUnder.has(sale.request.transactionId))
      this.#sentUnder.set(sale.request.transactionId, session.reader.boot);
    const failure = failureOf(await session.request('PAY', sale.payFields));
    // A repeated PAY was refused, so an earlier PAY may have started the transaction.
    if (failure !== undefined) sale.settle(time === 'first' ? failure : { kind: 'unknown' });
  }

  #event(event: ReaderEvent): void {
    switch (event.verb) {
      case 'STAGE':
        if (event.txn === this.#sale?.wireId) this.#sale.request.onStage(stageOf(event));
        return;
      case 'ONLINE':
        if (event.txn === this.#sale?.wireId) void this.#online(this.#sale, event);
        return;
      case 'BATTERY':
        this.#setStatus({ batteryPercent: event.bat });
        return;
      case 'TAMPER':
        this.#tamper(event.tamper);
        return;
      case 'CARD':
        this.#setStatus({ isCardInserted: event.card });
        return;
      case 'TIPPED':
        this.#tips.answered(event.txn, event.tip);
        return;
      case 'KEY':
      case 'BOOT':
        return;
      default:
        unreachable(event);
    }
  }

  async #online(sale: CurrentSale, event: OnlineEvent): Promise<void> {
    const card = sale.parts.add(event);
    if (card === undefined || sale.answering === card.keySerialNumber) return;
    sale.answering = card.keySerialNumber;
    const { transactionId, authorise } = sale.request;
    const answer = await this.#authorisations.ask(transactionId, card, authorise);
    // Sent over the current connection: the reader may have been reconnected during the authorisation.
    if (this.#sale === sale)
      await this.#connection.session?.request('AUTH', authFieldsOf(sale.wireId, card.keySerialNumber, answer));
    if (sale.answering === card.keySerialNumber) sale.answering = undefined;
  }

  #result(result: TransactionResult): void {
    const sale = this.#sale;
    if (sale === undefined || result.txn !== sale.wireId) return;
    sale.settle(outcomeOf(result, this.#authorisations.cardOf(sale.request.transactionId)));
  }

  #heartbeat(state: Answer<'STATE'>, missedEvents: boolean): void {
    if (state.bat !== undefined) this.#setStatus({ batteryPercent: state.bat });
    if (state.tamper !== undefined) this.#tamper(state.tamper);
    if (state.card !== undefined) this.#setStatus({ isCardInserted: state.card });
    const sale = this.#sale;
    const session = this.#connection.session;
    if (session !== undefined && missedEvents) this.#tips.repeat(session);
    if (sale === undefined || session === undefined) return;
    // A line or the result was lost: the same PAY makes the reader send its state again.
    const resultIsOut = state.txn !== sale.wireId && this.#sentUnder.has(sale.request.transactionId);
    if (missedEvents || resultIsOut) void this.#sendPay(session, sale, 'again');
  }

  #up(session: Session): void {
    const { reader } = session;
    this.#searchRefusal = undefined;
    this.#options.log.info({ serial: reader.serial, firmware: reader.fw, boot: reader.boot }, 'reader connected');
    for (const wireId of this.#confirmations) void this.#sendConfirmation(session, wireId);
    if (reader.tamper) this.#alarm('tampered');
    this.#replaceStatus({
      connection: 'ready',
      tampered: reader.tamper,
      serial: reader.serial,
      firmware: reader.fw,
      bootId: reader.boot,
      ...(reader.bat === undefined ? {} : { batteryPercent: reader.bat }),
      ...(reader.card === undefined ? {} : { isCardInserted: reader.card }),
      ...(reader.unconf === undefined ? {} : { unconfirmedTransactionId: fromWireTransactionId(reader.unconf) }),
    });
  }

  #down(reason: LostReason): void {
    this.#options.log.warn({ reason, serial: this.#status.serial }, 'reader lost');
    this.#setStatus({ connection: 'lost' });
    this.#sale?.settle({ kind: 'unknown' });
    this.#tips.end();
  }

  #searching(refusal: SessionRefusal | undefined): void {
    if (refusal !== this.#searchRefusal && refusal !== undefined)
      this.#options.log.warn({ refusal, reason: this.#openFailure }, 'no reader can be used');
    this.#searchRefusal = refusal;
    this.#openFailure = undefined;
    const incompatible = refusal === 'incompatible';
    const lost = this.#status.connection === 'lost';
    const connection = incompatible ? 'incompatible' : lost ? 'lost' : 'searching';
    this.#replaceStatus({ connection }, searchAttention(refusal));
  }

  async #sendConfirmation(session: Session, wireId: string): Promise<void> {
    const reply = await session.confirm(wireId);
    // A refusal means that the reader no longer knows the transaction, so nothing is left to confirm.
    if (reply.kind !== 'answered' && reply.kind !== 'refused') return;
    this.#confirmations.delete(wireId);
    if (this.#status.unconfirmedTransactionId !== fromWireTransactionId(wireId)) return;
    const { unconfirmedTransactionId: _, ...rest } = this.#status;
    this.#replaceStatus(rest);
  }

  #tamper(tampered: boolean): void {
    if (tampered && this.#status.tampered !== true) this.#alarm('tampered');
    this.#setStatus({ tampered });
  }

  #reportFailures(lineFailures: LineFailureCounts): void {
    this.#options.log.warn({ lineFailures, serial: this.#status.serial }, 'reader line failures');
    this.#setStatus({ lineFailures });
  }

  #alarm(kind: ReaderAlarm['kind']): void {
    const alarm = { kind, at: this.#options.clock.now(), readerSerial: this.#status.serial };
    this.#options.log.warn({ alarm: kind, serial: alarm.readerSerial }, 'reader alarm');
    this.#options.onAlarm(alarm);
  }

  #setStatus(change: Partial<ReaderStatus>): void {
    this.#replaceStatus({ ...this.#status, ...change }, change.attention);
  }

  /** `advice` is about a condition the reader cannot report; otherwise its battery and tamper state decide. */
  #replaceStatus(facts: ReaderStatus, advice?: ReaderAttention): void {
    const { attention: _, ...shown } = facts;
    const { lineFailures } = { ...this.#status, ...shown };
    const next = lineFailures === undefined ? shown : { ...shown, lineFailures };
    const attention = advice ?? attentionOf(next);
    const before = JSON.stringify(this.#status);
    this.#status = attention === undefined ? next : { ...next, attention };
    if (JSON.stringify(this.#status) === before) return;
    for (const listener of this.#listeners) listener(this.#status);
  }
}

type PayFields = Fields & { readonly txn: string };

/** The outcome of a sale that the reader did not accept; undefined if it did. */
function failureOf(reply: Reply): ReaderOutcome | undefined {
  switch (reply.kind) {
    case 'answered':
      return undefined;
    case 'refused': {
      const blocking = reply.transaction;
      return {
        kind: 'not_available',
        reason: reply.code.toLowerCase(),
        ...(blocking === undefined ? {} : { blockingTransactionId: fromWireTransactionId(blocking) }),
      };
    }
    case 'not_sendable':
      return { kind: 'not_available', reason: 'not_sendable' };
    case 'no_answer':
      return { kind: 'unknown' };
    default:
      return unreachable(reply);
  }
}

/** The PAY fields of a sale, or why the protocol cannot carry it. */
function payFieldsOf(request: Pick<ReaderSale, 'transactionId' | 'amount' | 'timeoutMs'>): PayFields | string {
  const { transactionId, amount, timeoutMs } = request;
  const txn = toWireTransactionId(transactionId);
  if (txn === undefined) return 'transaction_id_not_sendable';
  const currency = numericCurrency(amount.currency);
  const exponent = exponentOf(amount.currency);
  if (currency === undefined || exponent === undefined) return 'currency_not_supported';
  if (amount.amountMinor < 1 || amount.amountMinor > maxWireAmountMinor) return 'amount_not_supported';
  return {
    txn,
    amt: String(amount.amountMinor),
    cur: currency,
    exp: String(exponent),
    tmo: String(Math.max(1, Math.ceil(timeoutMs / 1000))),
  };
}

function authFieldsOf(txn: string, ksn: string, answer: HostAnswer): Fields {
  switch (answer.kind) {
    case 'approved':
      return { txn, ksn, outcome: 'approved', auth: answer.authorisationCode, code: answer.hostCode };
    case 'declined':
      return { txn, ksn, outcome: 'declined', code: answer.hostCode };
    case 'unknown':
      return { txn, ksn, outcome: 'unknown' };
    default:
      return unreachable(answer);
  }
}

function attentionOf(status: ReaderStatus): ReaderAttention | undefined {
  if (status.tampered === true) return 'tampered';
  if (status.batteryPercent !== undefined && status.batteryPercent <= lowBatteryPercent) return 'battery_low';
  return undefined;
}

/** A reader that is not there is shown by the state of its connection. */
function searchAttention(refusal: SessionRefusal | undefined): ReaderAttention | undefined {
  return refusal === 'not_there' || refusal === 'lost' ? undefined : refusal;
}
