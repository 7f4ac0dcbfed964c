import { type DayTotals, dayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { type TerminalConfiguration, terminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { type SaleRecord, saleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { OutboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import { type CustomerLanguage, customerLanguages } from '@florin/shared/languages.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type SqliteConnection from 'better-sqlite3';
import { z } from 'zod';
import type { UnchargedSale } from '../../ipc/view.ts';
import type { SecretBox } from '../ports.ts';
import { openDatabase, StorageError } from './database.ts';
import { type Guard, type GuardFault, guardMethods, guardOf, type LockoutState } from './guard.ts';
import { ofThisBusiness, outboxOf, type RefusedEntry } from './outbox.ts';
import { type PrintRecord, printsOf } from './prints.ts';
import type { Rescue } from './rebuild.ts';
import { freeBytesOf, hasRoomForSale, keepReserve } from './room.ts';
import { type UnchargedChange, unchargedOf } from './uncharged.ts';

export type FlowKind = 'sale' | 'bitcoin' | 'refund' | 'remote' | 'closing';
const storedFlow = z.object({ value: z.string(), context: z.record(z.string(), z.unknown()) });
export type StoredFlow = z.infer<typeof storedFlow>;
/** A report that the service has not acknowledged yet: about a sale, or about the end of a reader's day. */
export type SaleReport = {
  /** Of `closing`, the id of the end of day. */
  readonly saleId: string;
  /**
   * `watch`: the request was probably never sent to the bank; if it still arrives, it is reversed. `printed`,
   * `not_printed`: the receipt that its software asked for.
   */
  readonly kind: 'complete' | 'reverse' | 'watch' | 'record' | 'unknown' | 'printed' | 'not_printed' | 'closing';
  readonly reason: 'card_refused' | 'customer_cancelled' | 'outcome_unknown' | 'not_completed' | null;
  /** When the report is no longer sent; null if it is sent until it is acknowledged. */
  readonly until: Instant | null;
  /** JSON of the sale that the reader authorised by itself, or may have, or of its end of day; with `record`, `unknown` and `closing`. */
  readonly recordJson?: string;
};
export type PendingReport = Omit<SaleReport, 'recordJson'> & {
  readonly recordJson: string | null;
  readonly position: number;
  /** Why the service last refused it; the report is kept and sent again. */
  readonly refusal: string | null;
};
export type ReaderTransaction = {
  readonly transactionId: string;
  readonly saleId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly startedAt: Instant;
};
/** One change of a flow: its new state and everything that must be stored with it. */
export type FlowChange = {
  readonly kind: FlowKind;
  /** Null when the flow is over and its result was seen. */
  readonly snapshot: unknown;
  readonly at: Instant;
  readonly reports?: readonly SaleReport[];
  readonly readerTransaction?: ReaderTransaction;
  readonly readerOutcome?: { readonly transactionId: string; readonly outcome: string };
  readonly uncharged?: UnchargedChange;
};
export type SecretName = 'deviceToken' | 'deviceKey';
type SettingName = 'configuration' | 'serial' | 'highestTime' | 'serverOffsetMs' | 'language';

const salesKept = 200;
const daysKept = 92;

/**
 * The terminal's storage. Each method is one transaction or one read, synchronous, and on disk when it returns, so
 * callers can store before they send.
 */
export interface Store {
  configuration(): TerminalConfiguration | undefined;
  /** Stores a configuration. `countedStaff` names staff whose local lockout count is included in the service's. */
  saveConfiguration(configuration: TerminalConfiguration, options: { countedStaff: readonly string[] }): void;
  /** A change that this terminal makes to its copy, unlike a configuration from the service: the local totals stay. */
  changeConfiguration(configuration: TerminalConfiguration): void;
  serial(): string | undefined;
  saveSerial(serial: string): void;
  secret(name: SecretName): string | undefined;
  saveSecret(name: SecretName, value: string): void;
  forgetEnrolment(): void;
  /** `unresolved` is the report to store about a sale in progress if the terminal is moved to another business. */
  enrol(options: { token: string; configuration: TerminalConfiguration; unresolved?: SaleReport | undefined }): void;
  /** The language that staff chose at this terminal; undefined until they do. */
  language(): CustomerLanguage | undefined;
  saveLanguage(language: CustomerLanguage): void;
  highestTime(): Instant;
  serverOffsetMs(): number;
  saveTime(time: { highestTime: Instant; serverOffsetMs: number }): void;
  /** @throws StorageError if it cannot be read: money may be moving in it. */
  flow(kind: FlowKind): StoredFlow | undefined;
  saveFlow(change: FlowChange): void;
  /** The outcome of a transaction id that this terminal once sent to a reader; undefined if it never did. */
  readerTransaction(transactionId: string): (ReaderTransaction & { readonly outcome: string | null }) | undefined;
  /** Of the terminal's current business, oldest first. */
  pendingReports(): PendingReport[];
  removePendingReport(position: number): void;
  recordReportRefusal(position: number, refusal: string): void;
  /** The number of reports of another business. */
  reportsElsewhere(): number;
  /** Entries to deliver to the terminal's current business, oldest first. */
  outbox(limit: number): OutboxEntry[];
  outboxSize(): number;
  /** The number of entries of another business. */
  outboxElsewhere(): number;
  refusedEntries(): RefusedEntry[];
  /** Staff with an entry that is not acknowledged, or was refused: the service has not counted it. */
  staffWithEntries(): string[];
  /**
   * Marks the entries for which `refusalOf` returns a reason as refused and returns their ids; undefined for one that
   * cannot be read.
   */
  setAside(limit: number, refusalOf: (entry: OutboxEntry | undefined) => string | undefined): string[];
  /** Entries that disappeared without having been delivered; each is reported once. */
  takeMissingEntries(): string[];
  /** The sequence of the newest entry recorded under this enrolment; 0 before the first. */
  lastOutboxSequence(terminalId: string): number;
  /** Records an entry for the service together with the local count that results from it. */
  recordEntry(record: { entry: OutboxEntry; lockout: LockoutState | null }): void;
  acknowledge(acknowledged: { taken: readonly string[]; refused: readonly RefusedEntry[] }): void;
  lockout(staffId: string): LockoutState | undefined;
  saveLockout(staffId: string, state: LockoutState | null): void;
  hasLockouts(): boolean;
  /** The stored total running time of this terminal's programs. */
  measuredMs(): number;
  saveMeasured(measuredMs: number): void;
  /** The counts of failed passwords were lost or modified, and the service was not reached since. */
  isGuardSuspect(): boolean;
  /** Signs of tampering that are not recorded for the service yet. */
  unreportedGuardFault(): GuardFault | null;
  saveGuardFaultReported(): void;
  saveGuardTrusted(): void;
  refundTotal(staffId: string, day: string): number | undefined;
  addToRefundTotal(options: { staffId: string; day: string; amountMinor: number; base: number }): void;
  saveSales(records: readonly SaleRecord[]): void;
  salesSeen(limit: number): SaleRecord[];
  saleSeen(saleId: string): SaleRecord | undefined;
  /** Of the terminal's current business, newest first; without those that a record of the service was seen of. */
  unchargedSales(): UnchargedSale[];
  printOf(receiptUrl: string): PrintRecord | undefined;
  /** With the report to the software that asked for it, once it is known whether it was printed. */
  savePrint(print: PrintRecord): void;
  /** At the start of the program: whatever was being printed may have come out or not. */
  interruptPrints(): void;
  /** The last totals of a day, as YYYY-MM-DD, that the service sent to this terminal. */
  dayTotals(date: string): DayTotals | undefined;
  saveDayTotals(totals: DayTotals): void;
  /** Whether the disk has room for the records of another sale. */
  hasRoom(): boolean;
  /** What was saved of a damaged database when this program started; undefined if it was sound. */
  readonly rescue: Rescue | undefined;
  close(): void;
}

export type StoreOptions = {
  readonly file: string;
  readonly secrets: SecretBox;
  /** The free space of the disk; that of the disk with `file` unless it is given. */
  readonly freeBytes?: () => number;
};

/** Creates the database file if necessary and locks it until `close`. @throws StorageError if it cannot be used. */
export function openStore(options: StoreOptions): Store {
  const { file, freeBytes = () => freeBytesOf(file) } = options;
  keepReserve(file, freeBytes());
  const { connection: db, rescue } = openDatabase(file);
  const guard = guardOf(db, options.secrets);
  return {
    ...settingsOf(db, options.secrets, guard),
    ...flowsOf(db),
    ...outboxOf(db, guard),
    ...guardMethods(db, guard),
    ...refundTotalsOf(db),
    ...salesOf(db),
    ...printsOf(db, reportInsertion(db)),
    ...dayTotalsOf(db),
    hasRoom: () => hasRoomForSale(freeBytes()),
    rescue,
    close: () => void db.close(),
  };
}

type Connection = SqliteConnection.Database;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Records that cannot be recreated and must not be dropped silently. */
export function damaged(what: 'configuration' | FlowKind): StorageError {
  return new StorageError(
    `The stored ${what} of this terminal is damaged. Keep the data folder as it is and call support.`,
  );
}

function settingsOf(db: Connection, secrets: SecretBox, guard: ReturnType<typeof guardOf>) {
  const read = db.prepare<[SettingName], { value: string }>('SELECT value FROM settings WHERE name = ?');
  const write = db.prepare<[SettingName, string]>('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)');
  const readSecret = db.prepare<[SecretName], { sealed: string }>('SELECT sealed FROM secrets WHERE name = ?');
  const writeSecret = db.prepare<[SecretName, string]>('INSERT OR REPLACE INTO secrets (name, sealed) VALUES (?, ?)');
  const dropTotals = db.prepare('DELETE FROM refundTotals');
  const business = db.prepare<[], { id: string }>(
    `SELECT json_extract(value, '$.business.id') AS id FROM settings WHERE name = 'configuration'`,
  );
  const addReport = reportInsertion(db);
  let known: { readonly text: string; readonly configuration: TerminalConfiguration } | undefined;
  const number = (name: SettingName) => Number(read.get(name)?.value ?? 0);
  const changeConfiguration = (configuration: TerminalConfiguration) =>
    void write.run('configuration', JSON.stringify(configuration));
  const saveConfiguration = (configuration: TerminalConfiguration, countedStaff: readonly string[]) => {
    changeConfiguration(configuration);
    // The configuration includes the service's totals for today, so the local counts start again.
    dropTotals.run();
    if (countedStaff.some(staffId => guard.read().lockouts[staffId])) {
      const left = (lockouts: Guard['lockouts']) =>
        Object.fromEntries(Object.entries(lockouts).filter(([staffId]) => !countedStaff.includes(staffId)));
      guard.change(before => ({ ...before, lockouts: left(before.lockouts) }));
    }
  };
  return {
    configuration() {
      const row = read.get('configuration');
      if (!row) return undefined;
      // Every heartbeat and every drawing of the screen asks for it, and it holds all staff.
      if (known?.text === row.value) return known.configuration;
      const parsed = terminalConfiguration.safeParse(parseJson(row.value));
      if (!parsed.success) throw damaged('configuration');
      known = { text: row.value, configuration: parsed.data };
      return parsed.data;
    },
    saveConfiguration: db.transaction(
      (configuration: TerminalConfiguration, { countedStaff }: { countedStaff: readonly string[] }) =>
        saveConfiguration(configuration, countedStaff),
    ),
    changeConfiguration,
    serial: () => read.get('serial')?.value,
    saveSerial: (serial: string) => void write.run('serial', serial),
    secret(name: SecretName) {
      const row = readSecret.get(name);
      return row ? secrets.open(row.sealed) : undefined;
    },
    saveSecret: (name: SecretName, value: string) => void writeSecret.run(name, secrets.seal(value)),
    forgetEnrolment: () => void db.prepare("DELETE FROM secrets WHERE name = 'deviceToken'").run(),
    enrol: db.transaction(({ token, configuration, unresolved }: Parameters<Store['enrol']>[0]) => {
      if (business.get()?.id !== configuration.business.id) {
        if (unresolved && business.get()) addReport.run(unresolved);
        // Flows and results of the previous business are dropped.
        for (const table of ['flows', 'salesSeen', 'prints']) db.exec(`DELETE FROM ${table}`);
        guard.change(before => ({ ...before, lockouts: {} }));
      }
      // The totals of a terminal are those of its enrolment.
      db.exec('DELETE FROM dayTotals');
      writeSecret.run('deviceToken', secrets.seal(token));
      saveConfiguration(configuration, []);
    }),
    language: () => customerLanguages.find(language => language === read.get('language')?.value),
    saveLanguage: (language: CustomerLanguage) => void write.run('language', language),
    highestTime: () => number('highestTime'),
    serverOffsetMs: () => number('serverOffsetMs'),
    saveTime: db.transaction((time: { highestTime: Instant; serverOffsetMs: number }) => {
      write.run('highestTime', String(time.highestTime));
      write.run('serverOffsetMs', String(time.serverOffsetMs));
    }),
  };
}

/** Adds a report about a sale of the terminal's current business. */
function reportInsertion(db: Connection) {
  const insert = db.prepare<[Omit<SaleReport, 'recordJson'> & { recordJson: string | null }]>(
    `INSERT OR IGNORE INTO pendingReports (saleId, kind, reason, until, recordJson, businessId)
     SELECT @saleId, @kind, @reason, @until, @recordJson, json_extract(value, '$.business.id')
     FROM settings WHERE name = 'configuration'`,
  );
  return { run: (report: SaleReport) => void insert.run({ ...report, recordJson: report.recordJson ?? null }) };
}

function flowsOf(db: Connection) {
  const read = db.prepare<[FlowKind], { snapshot: string }>('SELECT snapshot FROM flows WHERE kind = ?');
  const write = db.prepare<[FlowKind, string, Instant]>(
    'INSERT OR REPLACE INTO flows (kind, snapshot, updatedAt) VALUES (?, ?, ?)',
  );
  const drop = db.prepare<[FlowKind]>('DELETE FROM flows WHERE kind = ?');
  const addTransaction = db.prepare<[ReaderTransaction]>(
    `INSERT OR IGNORE INTO readerTransactions (transactionId, saleId, amountMinor, currency, startedAt)
     VALUES (@transactionId, @saleId, @amountMinor, @currency, @startedAt)`,
  );
  const endTransaction = db.prepare<[string, string]>(
    'UPDATE readerTransactions SET outcome = ? WHERE transactionId = ?',
  );
  const oneTransaction = db.prepare<[string], ReaderTransaction & { outcome: string | null }>(
    'SELECT * FROM readerTransactions WHERE transactionId = ?',
  );
  const addReport = reportInsertion(db);
  const uncharged = unchargedOf(db);
  const pending = db.prepare<[], PendingReport>(
    `SELECT position, saleId, kind, reason, until, recordJson, refusal FROM pendingReports WHERE ${ofThisBusiness} ORDER BY position`,
  );
  const elsewhere = db.prepare<[], { size: number }>(
    `SELECT count(*) AS size FROM pendingReports WHERE NOT ${ofThisBusiness}`,
  );
  const refuseReport = db.prepare<[string, number]>('UPDATE pendingReports SET refusal = ? WHERE position = ?');
  const removeReport = db.prepare<[number]>('DELETE FROM pendingReports WHERE position = ?');
  return {
    flow(kind: FlowKind): StoredFlow | undefined {
      const row = read.get(kind);
      if (!row) return undefined;
      const parsed = storedFlow.safeParse(parseJson(row.snapshot));
      if (!parsed.success) throw damaged(kind);
      return parsed.data;
    },
    saveFlow: db.transaction((change: FlowChange) => {
      if (change.snapshot === null) drop.run(change.kind);
      else write.run(change.kind, JSON.stringify(change.snapshot), change.at);
      if (change.readerTransaction) addTransaction.run(change.readerTransaction);
      if (change.readerOutcome) endTransaction.run(change.readerOutcome.outcome, change.readerOutcome.transactionId);
      for (const report of change.reports ?? []) addReport.run(report);
      if (change.uncharged) uncharged.change(change.uncharged);
    }),
    readerTransaction: (transactionId: string) => oneTransaction.get(transactionId),
    pendingReports: () => pending.all(),
    removePendingReport: (position: number) => void removeReport.run(position),
    recordReportRefusal: (position: number, refusal: string) => void refuseReport.run(refusal, position),
    reportsElsewhere: () => elsewhere.get()?.size ?? 0,
  };
}

function refundTotalsOf(db: Connection) {
  const total = db.prepare<[string, string], { amountMinor: number }>(
    'SELECT amountMinor FROM refundTotals WHERE staffId = ? AND day = ?',
  );
  const saveTotal = db.prepare<[string, string, number]>(
    'INSERT OR REPLACE INTO refundTotals (staffId, day, amountMinor) VALUES (?, ?, ?)',
  );
  return {
    refundTotal: (staffId: string, day: string) => total.get(staffId, day)?.amountMinor,
    addToRefundTotal: db.transaction((options: { staffId: string; day: string; amountMinor: number; base: number }) => {
      const before = total.get(options.staffId, options.day)?.amountMinor ?? options.base;
      saveTotal.run(options.staffId, options.day, before + options.amountMinor);
    }),
  };
}

function salesOf(db: Connection) {
  const uncharged = unchargedOf(db);
  const save = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO salesSeen (saleId, createdAt, record) VALUES (?, ?, ?)',
  );
  const prune = db.prepare<[number]>(
    'DELETE FROM salesSeen WHERE saleId NOT IN (SELECT saleId FROM salesSeen ORDER BY createdAt DESC LIMIT ?)',
  );
  const list = db.prepare<[number], { record: string }>(
    'SELECT record FROM salesSeen ORDER BY createdAt DESC, saleId DESC LIMIT ?',
  );
  const one = db.prepare<[string], { record: string }>('SELECT record FROM salesSeen WHERE saleId = ?');
  // A copy for reading only: one that cannot be read is fetched again.
  const parse = (row: { record: string }) => saleRecord.safeParse(parseJson(row.record)).data;
  return {
    saveSales: db.transaction((records: readonly SaleRecord[]) => {
      for (const record of records) {
        save.run(record.saleId, record.createdAt, JSON.stringify(record));
        uncharged.remove(record.saleId);
      }
      prune.run(salesKept);
    }),
    unchargedSales: () => uncharged.list(),
    salesSeen: (limit: number) => list.all(limit).flatMap(row => parse(row) ?? []),
    saleSeen(saleId: string) {
      const row = one.get(saleId);
      return row ? parse(row) : undefined;
    },
  };
}

function dayTotalsOf(db: Connection) {
  const save = db.prepare<[string, string]>('INSERT OR REPLACE INTO dayTotals (date, totals) VALUES (?, ?)');
  const prune = db.prepare<[number]>(
    'DELETE FROM dayTotals WHERE date NOT IN (SELECT date FROM dayTotals ORDER BY date DESC LIMIT ?)',
  );
  const one = db.prepare<[string], { totals: string }>('SELECT totals FROM dayTotals WHERE date = ?');
  return {
    dayTotals(date: string) {
      const row = one.get(date);
      // A copy for reading only: one that cannot be read is fetched again.
      return row ? dayTotals.safeParse(parseJson(row.totals)).data : undefined;
    },
    saveDayTotals: db.transaction((totals: DayTotals) => {
      save.run(totals.date, JSON.stringify(totals));
      prune.run(daysKept);
    }),
  };
}
