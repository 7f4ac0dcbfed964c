import pg from 'pg';
import { type Measured, measureConcurrently } from './measure.ts';
import { inTransaction } from './raw-postgres.ts';
import { type Filled, rowsOfOneRefund, writtenByConsumers } from './same-rows.ts';
import { benchBusinessId } from './shop.ts';

/**
 * The ceiling of the refund code on PostgreSQL: hand-written code on the product's schema, with all its indexes and checks,
 * writes exactly the rows of one refund in two interactive transactions.
 */
export async function postgresRefundsByHand(options: {
  connection: pg.PoolConfig;
  payments: number;
  refunds: number;
  connections: number;
}): Promise<Measured> {
  const pool = new pg.Pool({ ...options.connection, max: options.connections });
  const measured = await measureConcurrently(
    { times: options.refunds, concurrency: options.connections },
    async index => {
      const rows = rowsOfOneRefund(index, options.payments);
      await inTransaction(pool, async client => {
        await client.query(named('payment', [rows.paymentId, benchBusinessId]));
        await client.query(named('reserve', [1, rows.paymentId]));
        await client.query(named('refund', rows.refund));
        await client.query(named('event', rows.requested));
      });
      await inTransaction(pool, async client => {
        await client.query(named('settle', rows.settled));
        await client.query(named('release', [1, 1, rows.paymentId]));
        await client.query(named('event', rows.approved));
      });
    },
  );
  await pool.end();
  return measured;
}

const statements = {
  payment: 'SELECT * FROM payments WHERE id = $1 AND "businessId" = $2 FOR UPDATE',
  reserve: 'UPDATE payments SET "reservedMinor" = "reservedMinor" + $1 WHERE id = $2 RETURNING *',
  refund: `INSERT INTO refunds (id, "businessId", "paymentId", "paymentLinkId", "gatewayAccountId", kind, status, "amountMinor", currency, "actorKind",
      "actorId", "uniqueReference", "nextPollAt", "pollCount", "polledForMs", "isReversal", "sentAt", "createdAt")
    VALUES ($1, $2, $3, $4, $5, 'REFUND_SALE', 'pending', 1, 'GBP', 'api_key', 'key_bench', $6, $7, 0, 0, 0, $8, $9)`,
  event: `INSERT INTO events (id, "businessId", type, "paymentId", "subjectId", "actorKind", "actorId", "payloadJson", "createdAt", trace)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  settle: `UPDATE refunds SET status = 'approved', "gatewayReference" = $1, "gatewayMessage" = $2, "outcomeAt" = $3,
      "nextPollAt" = $4 WHERE id = $5 AND status = 'pending' RETURNING *`,
  release: `UPDATE payments SET "reservedMinor" = "reservedMinor" - $1, "refundedMinor" = "refundedMinor" + $2
    WHERE id = $3 RETURNING *`,
};

function named(name: keyof typeof statements, values: readonly (string | number | null)[]): pg.QueryConfig {
  return { name, text: statements[name], values: [...values] };
}

/** The contents of all tables, except migrations and the order of events, which is written after the refund. */
export async function postgresColumns(connection: pg.ClientConfig): Promise<Map<string, Filled>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT LIKE '%migration%'
       AND table_name NOT IN (${writtenByConsumers}) AND NOT (table_name = 'events' AND column_name = 'position')`,
  );
  const found = new Map<string, Filled>();
  for (const { table, column } of columns) {
    const { rows } = await client.query<Filled>(
      `SELECT count("${column}")::int AS filled, coalesce(sum(length("${column}"::text)), 0)::int AS characters FROM "${table}"`,
    );
    found.set(`${table}.${column}`, rows[0] ?? { filled: 0, characters: 0 });
  }
  await client.end();
  return found;
}
