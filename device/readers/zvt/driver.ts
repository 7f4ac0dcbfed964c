import { exponentOf } from '@florin/shared/money.ts';
import { wait } from '@florin/shared/ports.ts';
import { numericCurrency } from '@florin/shared/reader-line/currencies.ts';
import type {
  CardReader,
  EndOfDayOutcome,
  LineFailureCounts,
  ReaderAttention,
  ReaderDriver,
  ReaderMemory,
  ReaderOptions,
  ReaderOutcome,
  ReaderRefund,
  ReaderSale,
  ReaderStage,
  ReaderStatus,
  ReaderTotals,
  ReaderVoid,
} from '../reader.ts';
import { discovery } from '../serial/discovery.ts';
import { LineFailures } from '../serial/line-failures.ts';
import type { Apdu } from './apdu.ts';
import { maxAmountMinor, payment, refund, reversal } from './commands.ts';
import { Connection, type Registered, type SearchRefusal } from './connection.ts';
import { closeDay } from './end-of-day.ts';
import { type Entry, Journal } from './journal.ts';
import { parseReference, type Reference } from './outcomes.ts';
import { Session } from './session.ts';
import { Transactions } from './transactions.ts';

/** ZVT, the protocol between tills and payment terminals in Germany, Austria and Switzerland. */
export const zvtDriver: ReaderDriver = { name: 'zvt', open: options => new ZvtReader(options) };

const usualBaudRates = [9600, 115_200];
const usualPassword = '000000';
const busy = { kind: 'not_available', reason: 'busy' } as const;
const busyForDay = { kind: 'refused', reason: 'busy' } as const;
const busyTries = 5;
const busyPauseMs = 1000;
const usualId = /^[\w.-]{1,64}$/;

type Given = Pick<Entry, 'id' | 'kind' | 'amountMinor' | 'currency' | 'saleReference'>;
type Command = (lastReceipt: string | undefined) => Apdu;

class ZvtReader implements CardReader {
  readonly protocol = zvtDriver.name;
  readonly authorisation = 'reader';
  readonly #options: ReaderOptions;
  readonly #password: string;
  readonly #journal: Journal;
  readonly #transactions: Transactions;
  readonly #connection: Connection;
  readonly #lineFailures: LineFailures;
  readonly #listeners = new Set<(status: ReaderStatus) => void>();
  #status: ReaderStatus = { connection: 'searching' };
  #running: { readonly id: string; readonly outcome: Promise<ReaderOutcome> } | undefined;
  #isClosingDay = false;
  #openFailure: string | undefined;
  #searchRefusal: SearchRefusal | undefined;

  constructor(options: ReaderOptions) {
    const { timers, log, storage, random, password = usualPassword } = options;
    this.#options = options;
    this.#password = password;
    this.#journal = new Journal(storage, random);
    this.#lineFailures = new LineFailures({ timers, onReport: counts => this.#reportFailures(counts) });
    this.#transactions = new Transactions({
      journal: this.#journal,
      password,
      timers,
      log,
      session: () => this.#connection.session,
      onCardNumber: () => this.#cardNumber(),
    });
    this.#setHeld();
    this.#connection = new Connection({
      timers,
      password,
      discovery: discovery(options.paths, log),
      baudRates: options.baudRates ?? usualBaudRates,
      hasOpenTransaction: () => this.#journal.open !== undefined,
      open: (path, baudRate, onLost) => this.#open(path, baudRate, onLost),
      onUp: () => this.#up(),
      onRegistered: registered => this.#registered(registered),
      onDown: () => this.#down(),
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

  sale({ transactionId: id, amount, onStage, timeoutMs }: ReaderSale): Promise<ReaderOutcome> {
    const given: Given = { id, kind: 'sale', ...amount };
    return this.#begin(given, lastReceipt => payment(amount, lastReceipt), { onStage, timeoutMs });
  }

  void({ transactionId: id, saleReference }: ReaderVoid): Promise<ReaderOutcome> {
    const sold = parseReference(saleReference);
    const problem = this.#problemWith(sold);
    if (!sold || problem !== undefined) return notAvailable(problem ?? 'unknown_reference');
    const { receipt, amountMinor, currency } = sold;
    const amount = { amountMinor, currency };
    const command: Command = lastReceipt => reversal({ password: this.#password, receipt, amount, lastReceipt });
    return this.#begin({ id, kind: 'void', ...amount, saleReference }, command, {});
  }

  refund({ transactionId: id, saleReference, amount }: ReaderRefund): Promise<ReaderOutcome> {
    const sold = parseReference(saleReference);
    const problem = this.#problemWith(sold);
    if (!sold || problem !== undefined) return notAvailable(problem ?? 'unknown_reference');
    // The protocol's refund names no sale, so the reader cannot keep it within one.
    const returned = this.#journal.find(id) ? 0 : this.#journal.returnedMinor(saleReference);
    if (returned + amount.amountMinor > sold.amountMinor)
      return Promise.resolve({ kind: 'declined', by: 'reader', code: 'EXCEEDS_SALE' });
    const command: Command = lastReceipt => refund(this.#password, amount, lastReceipt);
    return this.#begin({ id, kind: 'refund', ...amount, saleReference }, command, {});
  }

  async endOfDay(store: (totals: ReaderTotals) => void): Promise<EndOfDayOutcome> {
    const { session, isRegistered } = this.#connection;
    const { serial: terminalId } = this.#status;
    if (this.#running || this.#isClosingDay) return busyForDay;
    if (this.#journal.unconfirmed) return { kind: 'refused', reason: 'pending' };
    if (!session || !isRegistered || terminalId === undefined) return { kind: 'refused', reason: 'not_connected' };
    this.#isClosingDay = true;
    this.#set({ connection: 'busy' });
    const { log } = this.#options;
    return closeDay({ session, password: this.#password, terminalId, store, log }).finally(() => {
      this.#isClosingDay = false;
      if (this.#connection.session) this.#set({ connection: 'ready' });
    });
  }

  async last(transactionId: string, sent?: { underBootId: string }): Promise<ReaderMemory> {
    const { stage } = this.#transactions;
    if (this.#running?.id === transactionId) return { kind: 'active', stage };
    const entry = this.#journal.find(transactionId);
    // The journal that knew the transaction is gone.
    if (!entry && sent && !sent.underBootId.startsWith(this.#journal.id)) return { kind: 'forgotten' };
    if (!entry) return { kind: this.#connection.session ? 'unknown_to_reader' : 'unreachable' };
    if (entry.state === 'lost') return { kind: 'forgotten' };
    if (entry.outcome) return { kind: 'done', outcome: entry.outcome };
    if (this.#running) return { kind: 'unreachable' };
    const settled = await this.#transactions.settle(transactionId);
    this.#setHeld();
    switch (settled) {
      case 'active':
        return { kind: 'active', stage };
      case 'unsure':
      case 'lost':
        return { kind: 'unreachable' };
      case 'not_executed':
        return { kind: 'unknown_to_reader' };
      case 'unclear':
        return { kind: 'forgotten' };
      default:
        return { kind: 'done', outcome: settled };
    }
  }

  async confirm(transactionId: string): Promise<void> {
    const entry = this.#journal.find(transactionId);
    if (!entry) return;
    // Confirmed without an outcome: a person decided it.
    const state = entry.state === 'open' ? 'lost' : entry.state;
    this.#journal.update(transactionId, { isConfirmed: true, state });
    this.#setHeld();
  }

  async cancel(transactionId: string): Promise<void> {
    const isUnderWay = this.#running?.id === transactionId || this.#journal.open?.id === transactionId;
    if (isUnderWay) this.#transactions.stop('staff');
  }

  async close(): Promise<void> {
    await this.#connection.close();
    this.#lineFailures.close();
    await this.#running?.outcome;
    this.#listeners.clear();
  }

  #begin(
    given: Given,
    command: Command,
    { onStage = () => undefined, timeoutMs }: { onStage?: (stage: ReaderStage) => void; timeoutMs?: number },
  ): Promise<ReaderOutcome> {
    if (this.#running?.id === given.id) return this.#running.outcome;
    const refused = this.#running || this.#isClosingDay ? busy : this.#refusalOf(given);
    if (refused) return Promise.resolve(refused);
    const entry = this.#journal.find(given.id);
    if (entry?.state === 'ended' && entry.outcome) return Promise.resolve(entry.outcome);
    if (entry?.state === 'lost') return Promise.resolve({ kind: 'unknown' });
    if (!this.#connection.session) return notAvailable('not_connected');
    const outcome = this.#run(given, command, { onStage, timeoutMs }).finally(() => {
      this.#running = undefined;
      this.#setHeld(this.#connection.session ? { connection: 'ready' } : {});
    });
    this.#running = { id: given.id, outcome };
    this.#set({ connection: 'busy' });
    return outcome;
  }

  async #run(
    given: Given,
    command: Command,
    { onStage, timeoutMs }: { onStage: (stage: ReaderStage) => void; timeoutMs: number | undefined },
  ): Promise<ReaderOutcome> {
    if (this.#journal.find(given.id)) {
      const resumed = await this.#transactions.resume(given.id, onStage);
      if (resumed !== 'not_executed') return resumed;
    }
    for (let tries = 1; ; tries += 1) {
      await this.#connection.registered();
      const { serial: terminalId } = this.#status;
      if (!this.#connection.session) return { kind: 'unknown' };
      if (!this.#connection.isRegistered || terminalId === undefined) return busy;
      const outcome = await this.#transactions.carryOut({ given, terminalId, command, onStage, timeoutMs });
      // Nothing was begun: the reader was still at something else, such as a diagnosis of its own.
      const isBusy = outcome.kind === 'not_available' && outcome.reason === busy.reason;
      if (!isBusy || tries === busyTries) return outcome;
      await wait(this.#options.timers, busyPauseMs);
    }
  }

  #refusalOf(given: Given): ReaderOutcome | undefined {
    const problem = problemWith(given);
    if (problem !== undefined) return { kind: 'not_available', reason: problem };
    const entry = this.#journal.find(given.id);
    if (entry && !isSame(entry, given)) return { kind: 'not_available', reason: 'txn_mismatch' };
    const blocking = this.#journal.unconfirmed;
    if (!blocking || blocking.id === given.id) return undefined;
    return { kind: 'not_available', reason: 'pending', blockingTransactionId: blocking.id };
  }

  #problemWith(sold: Reference | undefined): string | undefined {
    const { serial } = this.#status;
    return sold && serial !== undefined && sold.terminalId !== serial ? 'other_reader' : undefined;
  }

  #open(path: string, baudRate: number, onLost: () => void) {
    return Session.open({
      openPort: this.#options.openPort,
      path,
      baudRate,
      timers: this.#options.timers,
      onFailure: cause => this.#lineFailures.count(cause),
      onOpenFailed: reason => {
        this.#openFailure = reason;
      },
      onLost,
      onResumed: () => this.#transactions.resumed(),
      onResumedEnd: ended => this.#transactions.resumedEnd(ended),
    });
  }

  #up(): void {
    this.#searchRefusal = undefined;
    const session = Buffer.from(this.#options.random.bytes(4)).toString('hex');
    const { attention: _, ...rest } = this.#status;
    // A transaction that is not over may go on at the reader, which registers this terminal only afterwards.
    const connection = this.#journal.open ? 'ready' : 'connecting';
    this.#replace({ ...rest, connection, bootId: `${this.#journal.id}-${session}` });
  }

  #registered({ terminalId, firmware, wasEmpty }: Registered): void {
    this.#options.log.info({ serial: terminalId, firmware }, 'reader connected');
    const { open } = this.#journal;
    // Its memory was emptied, so it cannot say what became of the transaction.
    if (wasEmpty && open) this.#journal.update(open.id, { state: 'lost' });
    const connection = this.#running ? 'busy' : 'ready';
    this.#setHeld({ connection, serial: terminalId, ...(firmware === undefined ? {} : { firmware }) });
  }

  #down(): void {
    this.#options.log.warn({ serial: this.#status.serial }, 'reader lost');
    this.#transactions.lost();
    this.#set({ connection: 'lost' });
  }

  #searching(refusal: SearchRefusal | undefined): void {
    if (refusal !== this.#searchRefusal && refusal !== undefined)
      this.#options.log.warn({ refusal, reason: this.#openFailure }, 'no reader can be used');
    this.#searchRefusal = refusal;
    this.#openFailure = undefined;
    const { attention: _, ...rest } = this.#status;
    const attention = attentionOf(refusal);
    const connection = refusal === 'refused' ? 'incompatible' : rest.connection === 'lost' ? 'lost' : 'searching';
    this.#replace({ ...rest, connection, ...(attention === undefined ? {} : { attention }) });
  }

  #cardNumber(): void {
    const { serial } = this.#status;
    this.#options.onAlarm({ kind: 'card_number_on_line', at: this.#options.clock.now(), readerSerial: serial });
  }

  #reportFailures(lineFailures: LineFailureCounts): void {
    this.#options.log.warn({ lineFailures, serial: this.#status.serial }, 'reader line failures');
    this.#set({ lineFailures });
  }

  /** The status, with the transaction that the journal waits to have confirmed. */
  #setHeld(change: Partial<ReaderStatus> = {}): void {
    const { unconfirmedTransactionId: _, ...rest } = { ...this.#status, ...change };
    const held = this.#journal.unconfirmed?.id;
    this.#replace(held === undefined ? rest : { ...rest, unconfirmedTransactionId: held });
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

/** A reader that is not there is shown by the state of its connection. */
function attentionOf(refusal: SearchRefusal | undefined): ReaderAttention | undefined {
  return refusal === 'not_there' ? undefined : refusal === 'refused' ? 'incompatible' : refusal;
}

function notAvailable(reason: string): Promise<ReaderOutcome> {
  return Promise.resolve({ kind: 'not_available', reason });
}

function problemWith({ id, amountMinor, currency }: Given): string | undefined {
  if (!usualId.test(id)) return 'transaction_id_not_sendable';
  if (exponentOf(currency) === undefined || numericCurrency(currency) === undefined) return 'currency_not_supported';
  const isSendable = Number.isSafeInteger(amountMinor) && amountMinor > 0 && amountMinor <= maxAmountMinor;
  return isSendable ? undefined : 'amount_not_supported';
}

function isSame(entry: Entry, given: Given): boolean {
  return (
    entry.kind === given.kind &&
    entry.amountMinor === given.amountMinor &&
    entry.currency === given.currency &&
    entry.saleReference === given.saleReference
  );
}
