import SqliteConnection from 'better-sqlite3';

export type InvoiceRecord = {
  /** Hexadecimal. */
  readonly paymentHash: string;
  readonly preimage: string;
  readonly paymentSecret: string;
  readonly bolt11: string;
  readonly memo: string;
  readonly descriptionHash: string;
  readonly valueMsat: number;
  readonly createdAt: number;
  readonly expiresInSeconds: number;
  readonly addIndex: number;
  readonly state: 'OPEN' | 'ACCEPTED' | 'SETTLED' | 'CANCELED';
  readonly settleIndex: number;
  readonly settledAt: number;
  readonly paidMsat: number;
};

/** An invoice of another node, which this node can pay. */
export type ForeignInvoiceRecord = {
  readonly paymentHash: string;
  readonly preimage: string;
  readonly bolt11: string;
  readonly amountMsat: number;
  /** The outcome of paying it. `stuck` waits for `resolve`. */
  readonly outcome: ForeignOutcome;
};
export type ForeignOutcome = 'succeeds' | 'noRoute' | 'refused' | 'stuck';

export type PaymentRecord = {
  readonly paymentHash: string;
  readonly bolt11: string;
  readonly amountMsat: number;
  readonly feeMsat: number;
  readonly createdAt: number;
  readonly index: number;
  readonly status: 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED';
  readonly failureReason: FailureReason;
  readonly preimage: string;
};
export type FailureReason =
  | 'FAILURE_REASON_NONE'
  | 'FAILURE_REASON_TIMEOUT'
  | 'FAILURE_REASON_NO_ROUTE'
  | 'FAILURE_REASON_ERROR'
  | 'FAILURE_REASON_INCORRECT_PAYMENT_DETAILS'
  | 'FAILURE_REASON_INSUFFICIENT_BALANCE';

export type TransactionRecord = {
  readonly txId: string;
  readonly outputs: readonly {
    readonly address: string;
    readonly amountSats: number;
    readonly isWalletAddress: boolean;
  }[];
  /** The amount taken from the wallet, fees included; 0 for an incoming payment. */
  readonly spentSats: number;
  readonly feeSats: number;
  readonly label: string;
  readonly createdAt: number;
  /** 0 while unconfirmed. */
  readonly blockHeight: number;
  /** Set once its coins were double-spent or the mempool dropped it: the wallet no longer lists it. */
  readonly replacedBy: string | null;
};

type Kinds = {
  invoice: InvoiceRecord;
  foreignInvoice: ForeignInvoiceRecord;
  payment: PaymentRecord;
  transaction: TransactionRecord;
  address: { readonly address: string; readonly index: number };
  /** Single values: keys, certificate, block height. */
  value: { readonly text: string };
};
type Kind = keyof Kinds;

export type RequestRecord = { readonly call: string; readonly query: string; readonly at: number };

/** The node's own database, in memory and in a file: each response is on disk before it is sent. */
export function openStore(file: string) {
  const db = new SqliteConnection(file);
  db.pragma('journal_mode = WAL');
  // Not stored in the file: a reopened WAL database would default to NORMAL.
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, json TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT');
  const records = new Map<string, Map<string, unknown>>();
  for (const row of db
    .prepare<[], { kind: string; id: string; json: string }>('SELECT * FROM records ORDER BY rowid')
    .all())
    ofKind(row.kind).set(row.id, JSON.parse(row.json));
  const put = db.prepare<[string, string, string]>('INSERT OR REPLACE INTO records (kind, id, json) VALUES (?, ?, ?)');
  let requests: RequestRecord[] = [];

  function ofKind(kind: string): Map<string, unknown> {
    const found = records.get(kind) ?? new Map<string, unknown>();
    records.set(kind, found);
    return found;
  }

  return {
    get: <K extends Kind>(kind: K, id: string) => ofKind(kind).get(id) as Kinds[K] | undefined,
    all: <K extends Kind>(kind: K) => [...ofKind(kind).values()] as Kinds[K][],
    put<K extends Kind>(kind: K, id: string, record: Kinds[K]): Kinds[K] {
      put.run(kind, id, JSON.stringify(record));
      ofKind(kind).set(id, record);
      return record;
    },
    addRequest(request: RequestRecord): void {
      requests = [...requests.slice(-999), request];
    },
    requests: (): readonly RequestRecord[] => requests,
    /** Deletes everything except keys and the certificate. */
    reset(): void {
      db.exec("DELETE FROM records WHERE kind <> 'value'");
      for (const kind of records.keys()) if (kind !== 'value') records.delete(kind);
      requests = [];
    },
    close: () => db.close(),
  };
}
export type Store = ReturnType<typeof openStore>;

/** A value of this node, created on first use. */
export function kept(store: Store, name: string, make: () => string): string {
  return (store.get('value', name) ?? store.put('value', name, { text: make() })).text;
}
