import type { Instant } from '@florin/shared/ports.ts';
import SqliteConnection from 'better-sqlite3';

export type Action = 'SALE' | 'PREAUTH' | 'VERIFY' | 'REFUND_SALE' | 'REFUND';
export type State =
  | 'received'
  | 'approved'
  | 'captured'
  | 'tendered'
  | 'accepted'
  | 'rejected'
  | 'verified'
  | 'declined'
  | 'referred'
  | 'reversed'
  | 'canceled'
  | 'finished';

export type TransactionRow = {
  transactionID: number;
  xref: string;
  merchantID: string;
  action: Action;
  channel: 'online' | 'cardPresent';
  type: string;
  state: State;
  amountMinor: number;
  /** Three digits. */
  currencyCode: string;
  transactionUnique: string;
  relatedXref: string | null;
  cardMask: string | null;
  cardScheme: string | null;
  cardType: string | null;
  cardTypeCode: string | null;
  cardFingerprint: string | null;
  securityCodeCheck: string | null;
  authorisationCode: string | null;
  responseCode: number;
  responseMessage: string;
  approvedMinor: number;
  receivedMinor: number;
  refundedMinor: number;
  /** Days until capture; -1 waits for a CAPTURE. */
  captureDelayDays: number;
  /** The amount that determines the test outcome of settlement. */
  testAmountMinor: number;
  /** The request's fields as echoed in replies, without card data. */
  echoJson: string;
  threeDSecureJson: string | null;
  createdAt: Instant;
  /** The creation time in the duplicate window's clock, which can be advanced. */
  duplicateFrom: Instant;
  changedAt: Instant;
};

export type RequestRow = {
  id: number;
  at: Instant;
  merchantID: string;
  action: string;
  transactionUnique: string | null;
  xref: string | null;
  responseCode: number;
};

export type CallbackRow = { id: number; url: string; body: string; attempts: number; status: string };

const schema = `
  CREATE TABLE IF NOT EXISTS transactions (
    transactionID INTEGER PRIMARY KEY AUTOINCREMENT, xref TEXT NOT NULL UNIQUE, merchantID TEXT NOT NULL,
    action TEXT NOT NULL, channel TEXT NOT NULL, type TEXT NOT NULL, state TEXT NOT NULL, amountMinor INTEGER NOT NULL,
    currencyCode TEXT NOT NULL, transactionUnique TEXT NOT NULL, relatedXref TEXT, cardMask TEXT, cardScheme TEXT,
    cardType TEXT, cardTypeCode TEXT, cardFingerprint TEXT, securityCodeCheck TEXT, authorisationCode TEXT,
    responseCode INTEGER NOT NULL, responseMessage TEXT NOT NULL, approvedMinor INTEGER NOT NULL,
    receivedMinor INTEGER NOT NULL, refundedMinor INTEGER NOT NULL, captureDelayDays INTEGER NOT NULL,
    testAmountMinor INTEGER NOT NULL, echoJson TEXT NOT NULL, threeDSecureJson TEXT, createdAt INTEGER NOT NULL,
    duplicateFrom INTEGER NOT NULL, changedAt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS transactionsByReference ON transactions (merchantID, transactionUnique);
  CREATE INDEX IF NOT EXISTS transactionsByState ON transactions (state);
  CREATE INDEX IF NOT EXISTS transactionsByTime ON transactions (merchantID, createdAt);
  CREATE TABLE IF NOT EXISTS threeDSecureSteps (
    reference TEXT PRIMARY KEY, acsTransaction TEXT NOT NULL UNIQUE, xref TEXT NOT NULL, step TEXT NOT NULL,
    redirectUrl TEXT NOT NULL, answer TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, merchantID TEXT NOT NULL, action TEXT NOT NULL,
    transactionUnique TEXT, xref TEXT, responseCode INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS callbacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

export type Store = ReturnType<typeof openStore>;

/** The sandbox's own database: each response is on disk before it is sent. */
export function openStore(file: string) {
  const db = new SqliteConnection(file);
  db.pragma('journal_mode = WAL');
  // Not stored in the file: a reopened WAL database would default to NORMAL.
  db.pragma('synchronous = FULL');
  db.exec(schema);
  const byXref = db.prepare<[string], TransactionRow>('SELECT * FROM transactions WHERE xref = ?');
  const byReference = db.prepare<[string, string], TransactionRow>(
    'SELECT * FROM transactions WHERE merchantID = ? AND transactionUnique = ? ORDER BY transactionID',
  );
  const inState = db.prepare<[State], TransactionRow>(
    'SELECT * FROM transactions WHERE state = ? ORDER BY transactionID',
  );

  return {
    /** Atomic, and on disk when it returns. */
    transaction: <Value>(body: () => Value): Value => db.transaction(body).immediate(),

    insert(row: Omit<TransactionRow, 'transactionID'>): TransactionRow {
      const names = Object.keys(row);
      const result = db
        .prepare(`INSERT INTO transactions (${names.join(', ')}) VALUES (${names.map(name => `@${name}`).join(', ')})`)
        .run(row);
      return { ...row, transactionID: Number(result.lastInsertRowid) };
    },

    update(xref: string, changes: Partial<TransactionRow>): TransactionRow {
      const names = Object.keys(changes);
      db.prepare(
        `UPDATE transactions SET ${names.map(name => `${name} = @${name}`).join(', ')} WHERE xref = @xref`,
      ).run({
        ...changes,
        xref,
      });
      const row = byXref.get(xref);
      if (!row) throw new Error(`no transaction ${xref} to update`);
      return row;
    },

    byXref: (xref: string): TransactionRow | undefined => byXref.get(xref),
    byReference: (merchantID: string, transactionUnique: string) => byReference.all(merchantID, transactionUnique),
    inState: (state: State) => inState.all(state),
    all: () => db.prepare<[], TransactionRow>('SELECT * FROM transactions ORDER BY transactionID').all(),
    refundsOf: (xref: string) =>
      db
        .prepare<[string], TransactionRow>(
          `SELECT * FROM transactions WHERE relatedXref = ? AND action IN ('REFUND_SALE', 'REFUND') ORDER BY transactionID`,
        )
        .all(xref),

    /**
     * An identical request recorded at or after `since`, excluding those the gateway refused and including those
     * awaiting the bank.
     */
    duplicateOf(row: {
      merchantID: string;
      action: string;
      type: string;
      amountMinor: number;
      currencyCode: string;
      transactionUnique: string;
      card: string;
      since: Instant;
      afterTransactionID: number;
    }): TransactionRow | undefined {
      return db
        .prepare<[typeof row], TransactionRow>(
          `SELECT * FROM transactions WHERE merchantID = @merchantID AND action = @action AND type = @type
           AND amountMinor = @amountMinor AND currencyCode = @currencyCode AND transactionUnique = @transactionUnique
           AND COALESCE(relatedXref, cardFingerprint, '') = @card AND duplicateFrom >= @since
           AND transactionID > @afterTransactionID AND (responseCode < 65536 OR state = 'received') LIMIT 1`,
        )
        .get(row);
    },
    lastTransactionID: () =>
      db.prepare<[], { last: number | null }>('SELECT MAX(transactionID) AS last FROM transactions').get()?.last ?? 0,

    createdBetween: (options: { merchantID: string; from: Instant; to: Instant; offset: number; limit: number }) => ({
      total:
        db
          .prepare<[typeof options], { total: number }>(
            'SELECT COUNT(*) AS total FROM transactions WHERE merchantID = @merchantID AND createdAt BETWEEN @from AND @to',
          )
          .get(options)?.total ?? 0,
      rows: db
        .prepare<[typeof options], TransactionRow>(
          `SELECT * FROM transactions WHERE merchantID = @merchantID AND createdAt BETWEEN @from AND @to
           ORDER BY transactionID LIMIT @limit OFFSET @offset`,
        )
        .all(options),
    }),

    addStep(step: ThreeDSecureStepRow): void {
      db.prepare(
        `INSERT INTO threeDSecureSteps (reference, acsTransaction, xref, step, redirectUrl, answer)
         VALUES (@reference, @acsTransaction, @xref, @step, @redirectUrl, @answer)`,
      ).run(step);
    },
    stepByReference: (reference: string) =>
      db.prepare<[string], ThreeDSecureStepRow>('SELECT * FROM threeDSecureSteps WHERE reference = ?').get(reference),
    stepByAcsTransaction: (acsTransaction: string) =>
      db
        .prepare<[string], ThreeDSecureStepRow>('SELECT * FROM threeDSecureSteps WHERE acsTransaction = ?')
        .get(acsTransaction),
    answerStep(acsTransaction: string, answer: string): void {
      db.prepare('UPDATE threeDSecureSteps SET answer = ? WHERE acsTransaction = ? AND answer IS NULL').run(
        answer,
        acsTransaction,
      );
    },
    removeSteps(xref: string): void {
      db.prepare('DELETE FROM threeDSecureSteps WHERE xref = ?').run(xref);
    },

    addRequest(row: Omit<RequestRow, 'id'>): void {
      db.prepare(
        `INSERT INTO requests (at, merchantID, action, transactionUnique, xref, responseCode)
         VALUES (@at, @merchantID, @action, @transactionUnique, @xref, @responseCode)`,
      ).run(row);
    },
    requests: () => db.prepare<[], RequestRow>('SELECT * FROM requests ORDER BY id').all(),

    addCallback: (url: string, body: string): number =>
      Number(
        db.prepare(`INSERT INTO callbacks (url, body, attempts, status) VALUES (?, ?, 0, 'pending')`).run(url, body)
          .lastInsertRowid,
      ),
    callback: (id: number) => db.prepare<[number], CallbackRow>('SELECT * FROM callbacks WHERE id = ?').get(id),
    pendingCallbacks: () =>
      db.prepare<[], CallbackRow>(`SELECT * FROM callbacks WHERE status = 'pending' ORDER BY id`).all(),
    callbacks: () => db.prepare<[], CallbackRow>('SELECT * FROM callbacks ORDER BY id').all(),
    setCallback(id: number, attempts: number, status: string): void {
      db.prepare('UPDATE callbacks SET attempts = ?, status = ? WHERE id = ?').run(attempts, status, id);
    },

    /** A key of this sandbox, created on first use. */
    key(name: string, make: () => string): string {
      db.prepare('INSERT OR IGNORE INTO keys (name, value) VALUES (?, ?)').run(name, make());
      return db.prepare<[string], { value: string }>('SELECT value FROM keys WHERE name = ?').get(name)?.value ?? '';
    },

    /** Deletes all transactions, requests and callbacks; keys are kept. */
    reset(): void {
      db.exec('DELETE FROM transactions; DELETE FROM threeDSecureSteps; DELETE FROM requests; DELETE FROM callbacks;');
    },
    close: () => db.close(),
  };
}

export type ThreeDSecureStepRow = {
  reference: string;
  acsTransaction: string;
  xref: string;
  step: 'method' | 'challenge';
  redirectUrl: string;
  answer: string | null;
};
