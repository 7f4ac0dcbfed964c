import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Measured, measureConcurrently, scattered } from './measure.ts';

/**
 * The ceiling on PostgreSQL: a refund as two interactive transactions, the payment locked with FOR UPDATE in both, on as
 * many connections as callers.
 */
export async function rawPostgresRefunds(options: {
  connection: pg.PoolConfig;
  payments: number;
  refunds: number;
  connections: number;
}): Promise<Measured> {
  const pool = new pg.Pool({ ...options.connection, max: options.connections });
  await pool.query(schema);
  await pool.query(`INSERT INTO raw_payments SELECT 'pay_' || n, 1000000, 0, 0 FROM generate_series(0, $1 - 1) n`, [
    options.payments,
  ]);
  const measured = await measureConcurrently(
    { times: options.refunds, concurrency: options.connections },
    async index => {
      const paymentId = `pay_${scattered(index, options.payments)}`;
      const refundId = randomBytes(12).toString('hex');
      await inTransaction(pool, async client => {
        await client.query({
          name: 'lock',
          text: 'SELECT * FROM raw_payments WHERE id = $1 FOR UPDATE',
          values: [paymentId],
        });
        await client.query({
          name: 'hold',
          text: 'UPDATE raw_payments SET reserved = reserved + 1 WHERE id = $1',
          values: [paymentId],
        });
        await client.query({
          name: 'insert',
          text: `INSERT INTO raw_refunds VALUES ($1, $2, 1, 'pending')`,
          values: [refundId, paymentId],
        });
      });
      await inTransaction(pool, async client => {
        await client.query({
          name: 'lock',
          text: 'SELECT * FROM raw_payments WHERE id = $1 FOR UPDATE',
          values: [paymentId],
        });
        await client.query({
          name: 'approve',
          text: `UPDATE raw_refunds SET status = 'approved' WHERE id = $1`,
          values: [refundId],
        });
        await client.query({
          name: 'move',
          text: 'UPDATE raw_payments SET reserved = reserved - 1, refunded = refunded + 1 WHERE id = $1',
          values: [paymentId],
        });
      });
    },
  );
  await pool.end();
  return measured;
}

const schema = `
  CREATE TABLE raw_payments (id text primary key, amount bigint not null, reserved bigint not null, refunded bigint not null,
    CHECK (reserved + refunded <= amount));
  CREATE TABLE raw_refunds (id text primary key, payment_id text not null, amount bigint not null, status text not null);
  CREATE INDEX raw_refunds_payment ON raw_refunds (payment_id);`;

export async function inTransaction(pool: pg.Pool, body: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await body(client);
  await client.query('COMMIT');
  client.release();
}
