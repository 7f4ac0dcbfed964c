import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { checkpointAfterPages } from '@florin/backend/foundation/database/sqlite.ts';
import SqliteConnection from 'better-sqlite3';
import { type Measured, measure, scattered } from './measure.ts';
import { benchAccount, benchBusinessId, linkIdOf, paymentIdOf } from './shop.ts';

/**
 * The ceiling of the refund code: hand-written code on the product's schema, with all its indexes and checks, writes exactly
 * the rows of one refund requested over the API, in two transactions.
 */
export function refundsByHand(options: { file: string; payments: number; refunds: number }): Measured {
  const db = new SqliteConnection(options.file);
  commitAsInProduction(db);
  const write = handWritten(db);
  const measured = measure(options.refunds, index => {
    const rows = rowsOfOneRefund(index, options.payments);
    write.inTransaction(() => write.reserve(rows, null));
    write.inTransaction(() => write.record(rows));
  });
  db.close();
  return measured;
}

/** Flushes and checkpoints as the product does. */
export function commitAsInProduction(db: SqliteConnection.Database): void {
  db.pragma('synchronous = FULL');
  db.pragma(`wal_autocheckpoint = ${checkpointAfterPages}`);
}

type Rows = ReturnType<typeof rowsOfOneRefund>;

/** The statements of a refund's two transactions. */
export function handWritten(db: SqliteConnection.Database) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const payment = db.prepare('SELECT * FROM payments WHERE id = ? AND businessId = ?');
  const reserve = db.prepare('UPDATE payments SET reservedMinor = reservedMinor + ? WHERE id = ? RETURNING *');
  const refund = db.prepare(
    `INSERT INTO refunds (id, businessId, paymentId, paymentLinkId, gatewayAccountId, kind, status, amountMinor, currency, actorKind, actorId,
       uniqueReference, nextPollAt, pollCount, polledForMs, isReversal, sentAt, createdAt, clientRequestId)
     VALUES (?, ?, ?, ?, ?, 'REFUND_SALE', 'pending', 1, 'GBP', 'api_key', 'key_bench', ?, ?, 0, 0, 0, ?, ?, ?)`,
  );
  const event = db.prepare(
    'INSERT INTO events (id, businessId, type, paymentId, subjectId, actorKind, actorId, payloadJson, createdAt, trace) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const settle = db.prepare(
    `UPDATE refunds SET status = 'approved', gatewayReference = ?, gatewayMessage = ?, outcomeAt = ?, nextPollAt = ?
       WHERE id = ? AND status = 'pending' RETURNING *`,
  );
  const release = db.prepare(
    'UPDATE payments SET reservedMinor = reservedMinor - ?, refundedMinor = refundedMinor + ? WHERE id = ? RETURNING *',
  );
  return {
    inTransaction<Value>(work: () => Value): Value {
      begin.run();
      const value = work();
      commit.run();
      return value;
    },
    reserve(rows: Rows, clientRequestId: string | null): void {
      payment.get(rows.paymentId, benchBusinessId);
      reserve.get(1, rows.paymentId);
      refund.run(...rows.refund, clientRequestId);
      event.run(...rows.requested);
    },
    /** Returns the row of the refund. */
    record(rows: Rows): object {
      const settled = settle.get(...rows.settled) as object;
      release.get(1, 1, rows.paymentId);
      event.run(...rows.approved);
      return settled;
    },
  };
}

const freshId = (prefix: string) => `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;

type Change = {
  paymentId: string;
  refundId: string;
  trace: string;
  at: number;
  by: readonly [kind: string, id: string | null];
};
const eventOfChange = ({ paymentId, refundId, trace, at, by }: Change, status: string, payload: object) =>
  [
    freshId('evt'),
    benchBusinessId,
    `refund.${status}`,
    paymentId,
    refundId,
    ...by,
    JSON.stringify({ paymentId, ...payload }),
    at,
    trace,
  ] as const;

/** The values of one refund's rows, in the order of the columns that the hand-written statements name. */
export function rowsOfOneRefund(index: number, payments: number) {
  const which = scattered(index, payments);
  const paymentId = paymentIdOf(which);
  const paymentLinkId = linkIdOf(which);
  const refundId = freshId('ref');
  const at = Date.now();
  const trace = `${randomBytes(16).toString('hex')}-01`;
  const change = { paymentId, refundId, trace, at, by: ['api_key', 'key_bench'] } as const;
  const facts = { kind: 'REFUND_SALE', amountMinor: 1, amountSats: null, currency: 'GBP' };
  const gatewayReference = `xref${index}`;
  const { amountSats: _, ...moved } = facts;
  const reply = { knownBy: 'reply', gatewayReference, message: 'APPROVED', failureCause: null };
  return {
    paymentId,
    refund: [
      refundId,
      benchBusinessId,
      paymentId,
      paymentLinkId,
      benchAccount.id,
      refundId,
      at + 60_000,
      at,
      at,
    ] as const,
    requested: eventOfChange(change, 'requested', { paymentLinkId, saleId: null, ...facts, reason: null }),
    settled: [gatewayReference, 'APPROVED', at, at + 3_600_000, refundId] as const,
    approved: eventOfChange({ ...change, by: ['system', null] }, 'approved', {
      paymentLinkId,
      saleId: null,
      ...moved,
      ...reply,
    }),
  };
}

/** What event consumers write, for many refunds at once: their positions, the running totals, the addresses of receipts. */
export const writtenByConsumers = `'eventConsumers', 'moneyTotals', 'receipts'`;

/**
 * Compares two shops with the same number of refunds: the same number of rows in every table, the same
 * columns filled, and (within a tenth: numbers in references have more or fewer digits) the same number of characters in each.
 * Otherwise one of them wrote less. What event consumers write does not belong to a refund and is left out.
 */
export function assertSameRows(file: string, otherFile: string): void {
  assertSameColumns(columnsIn(file), columnsIn(otherFile));
}

export function assertSameColumns(one: ReadonlyMap<string, Filled>, other: ReadonlyMap<string, Filled>): void {
  if (one.size !== other.size) throw new Error('the two databases have different tables');
  for (const [column, { filled, characters }] of one) {
    const counterpart = other.get(column);
    const isClose = counterpart && Math.abs(counterpart.characters - characters) <= characters * 0.1;
    if (counterpart?.filled !== filled || !isClose)
      throw new Error(
        `${column} differs: ${filled} rows with ${characters} characters, and ${JSON.stringify(counterpart)}`,
      );
  }
}

/** The number of rows with a value in a column, and their characters in total. */
export type Filled = { readonly filled: number; readonly characters: number };

function columnsIn(file: string): Map<string, Filled> {
  const db = new SqliteConnection(file, { readonly: true });
  const columns = db
    .prepare<[], { tableName: string; columnName: string }>(
      `SELECT m.name AS tableName, c.name AS columnName FROM sqlite_master m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE '%migration%' AND m.name NOT LIKE 'sqlite_%'
           AND m.name NOT IN (${writtenByConsumers})`,
    )
    .all();
  const found = columns.map(({ tableName, columnName }) => {
    const counted = db
      .prepare<[], Filled>(
        `SELECT count("${columnName}") AS filled, coalesce(sum(length("${columnName}")), 0) AS characters FROM "${tableName}"`,
      )
      .get();
    return [`${tableName}.${columnName}`, counted ?? { filled: 0, characters: 0 }] as const;
  });
  db.close();
  return new Map(found);
}
