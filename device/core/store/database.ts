import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import SqliteConnection from 'better-sqlite3';
import { finishRebuild, type Rescue, rebuild } from './rebuild.ts';

/** The migrations of the schema, in order. A released one is never edited: the next one corrects it. */
const migrations: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- The one sale and the one refund that may be under way: what a restart goes on from.
  CREATE TABLE flows (kind TEXT PRIMARY KEY, snapshot TEXT NOT NULL, updatedAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Every transaction id ever given to a reader, written before it is sent to the reader.
  CREATE TABLE readerTransactions (
    transactionId TEXT PRIMARY KEY, saleId TEXT NOT NULL, amountMinor INTEGER NOT NULL, currency TEXT NOT NULL,
    startedAt INTEGER NOT NULL, outcome TEXT
  ) STRICT, WITHOUT ROWID;
  -- What is still to be reported to the service about a sale. Deleted only by the service's answer.
  CREATE TABLE pendingReports (
    position INTEGER PRIMARY KEY AUTOINCREMENT, saleId TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT, until INTEGER,
    businessId TEXT NOT NULL, refusal TEXT, recordJson TEXT, UNIQUE (saleId, kind)
  ) STRICT;
  CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT, entryId TEXT NOT NULL UNIQUE, businessId TEXT NOT NULL, staffId TEXT,
    entry TEXT NOT NULL, refusal TEXT
  ) STRICT;
  CREATE TABLE refundTotals (
    staffId TEXT NOT NULL, day TEXT NOT NULL, amountMinor INTEGER NOT NULL, PRIMARY KEY (staffId, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE salesSeen (saleId TEXT PRIMARY KEY, createdAt TEXT NOT NULL, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX salesSeenByTime ON salesSeen (createdAt DESC);
  `,
  `
  -- What became of each receipt that was printed here, written before the printer is told.
  CREATE TABLE prints (
    receiptUrl TEXT PRIMARY KEY, state TEXT NOT NULL, why TEXT, saleId TEXT, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX printsByTime ON prints (at DESC);
  `,
  `
  -- The last totals of a day that the service sent.
  CREATE TABLE dayTotals (date TEXT PRIMARY KEY, totals TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- Sales that ended here before any money was asked for: the service has no record of them.
  CREATE TABLE unchargedSales (
    saleId TEXT PRIMARY KEY, businessId TEXT NOT NULL, outcome TEXT NOT NULL, why TEXT NOT NULL,
    amountMinor INTEGER NOT NULL, tipMinor INTEGER NOT NULL, currency TEXT NOT NULL, reference TEXT,
    startedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];

/** The terminal's storage cannot be used. The message is one line for the person who starts the program. */
export class StorageError extends Error {}

const lockTimeoutMs = 1_000;
/** Answers of an earlier reader transaction are asked for while the reader still remembers it: its last one. */
const readerTransactionsKept = 20_000;

export type OpenedDatabase = { readonly connection: SqliteConnection.Database; readonly rescue: Rescue | undefined };

/**
 * Opens the terminal's database file, creating or migrating it, with an exclusive lock. Every commit is on disk when
 * the call returns, so a result on the screen survives a power loss. A damaged file is kept under another name, and
 * what can be read of it is copied into a new one. @throws StorageError if the file cannot be used.
 */
export function openDatabase(file: string): OpenedDatabase {
  finishRebuild(file);
  try {
    return { connection: openSound(file), rescue: undefined };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    const rescue = rebuild(file, openSound);
    return { connection: openSound(file), rescue };
  }
}

class DamagedFile extends Error {}

/** @throws DamagedFile, StorageError */
function openSound(file: string): SqliteConnection.Database {
  let connection: SqliteConnection.Database | undefined;
  try {
    makePrivate(file);
    connection = new SqliteConnection(file, { timeout: lockTimeoutMs });
    prepare(connection, file);
    return connection;
  } catch (error) {
    connection?.close();
    throw storageErrorOf(error, file);
  }
}

/** SQLite creates its journal with the mode of the database file. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function prepare(connection: SqliteConnection.Database, file: string): void {
  // Two programs that share one reader and one outbox would corrupt each other's work.
  connection.pragma('locking_mode = EXCLUSIVE');
  connection.pragma('journal_mode = WAL');
  // Set at every open, because a reopened WAL database falls back to NORMAL.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('cache_size = -1024');
  if (connection.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new DamagedFile();
  migrate(connection, file);
  connection
    .prepare(
      `DELETE FROM readerTransactions WHERE outcome IS NOT NULL AND startedAt < (
         SELECT startedAt FROM readerTransactions ORDER BY startedAt DESC LIMIT 1 OFFSET ?)`,
    )
    .run(readerTransactionsKept);
}

/** A copy from before the change is kept beside the file, for a return to the version of the program before. */
function migrate(connection: SqliteConnection.Database, file: string): void {
  const done = connection.pragma('user_version', { simple: true }) as number;
  if (done > migrations.length) throw new StorageError('was written by a newer version of the terminal');
  if (done === migrations.length) return;
  if (done > 0) {
    const copy = `${file}.schema-${done}`;
    rmSync(copy, { force: true });
    makePrivate(copy);
    connection.prepare('VACUUM INTO ?').run(copy);
  }
  const change = connection.transaction(() => {
    for (const [index, statements] of migrations.entries()) if (index >= done) connection.exec(statements);
    connection.pragma(`user_version = ${migrations.length}`);
  });
  change.immediate();
}

function storageErrorOf(error: unknown, file: string): Error {
  if (error instanceof DamagedFile) return error;
  if (error instanceof StorageError) return new StorageError(`${file} ${error.message}`);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_BUSY')) return new StorageError(`${file} is in use by another terminal program`);
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) return new DamagedFile();
  if (code.startsWith('SQLITE_FULL')) return new StorageError(`${file} cannot be changed: the disk is full`);
  if (code === '') return error instanceof Error ? error : new Error(String(error));
  return new StorageError(`${file} cannot be opened (${code})`);
}
