import SqliteConnection from 'better-sqlite3';

/** Every change of the schema, in order. A released one is never edited: the next one corrects it. */
const migrations: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- The one sale and the one refund that may be under way: what a restart goes on from.
  CREATE TABLE flows (kind TEXT PRIMARY KEY, snapshot TEXT NOT NULL, updatedAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Every transaction id ever given to a reader, written before the reader hears of it.
  CREATE TABLE readerTransactions (
    transactionId TEXT PRIMARY KEY, saleId TEXT NOT NULL, amountMinor INTEGER NOT NULL, currency TEXT NOT NULL,
    startedAt INTEGER NOT NULL, outcome TEXT
  ) STRICT, WITHOUT ROWID;
  -- What the service has still to be told about a sale. Deleted only by the service's answer.
  CREATE TABLE pendingReports (
    position INTEGER PRIMARY KEY AUTOINCREMENT, saleId TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT, until INTEGER,
    businessId TEXT NOT NULL, refusal TEXT, UNIQUE (saleId, kind)
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
];

/**
 * Opens the terminal's database file, creating or migrating it. Every commit is on the disk when the call returns:
 * a result that is on the screen survives the plug being pulled.
 */
export function openDatabase(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { timeout: 5_000 });
  connection.pragma('journal_mode = WAL');
  // Has to be asked for at every open: a reopened WAL database falls back to NORMAL.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('cache_size = -1024');
  const migrate = connection.transaction(() => {
    const done = connection.pragma('user_version', { simple: true }) as number;
    if (done > migrations.length) throw new Error('this database was written by a newer version of the terminal');
    for (const [index, change] of migrations.entries()) if (index >= done) connection.exec(change);
    connection.pragma(`user_version = ${migrations.length}`);
  });
  migrate.immediate();
  return connection;
}
