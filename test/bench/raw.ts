import { randomBytes } from 'node:crypto';
import SqliteConnection from 'better-sqlite3';
import { type Measured, measure, scattered } from './measure.ts';

/**
 * The ceiling: a refund as two hand-written transactions on the raw binding, nothing around them. Reserve: read the
 * payment, reserve the amount, insert the refund. Outcome: mark it approved, move the reserved amount.
 */
export function rawRefunds(options: { file: string; payments: number; refunds: number }): Measured {
  const db = new SqliteConnection(options.file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(schema);
  fill(db, options.payments);
  const write = statements(db);

  const measured = measure(options.refunds, index => {
    const paymentId = `pay_${scattered(index, options.payments)}`;
    const refundId = `ref_${randomBytes(12).toString('hex')}`;
    const at = 1_700_000_000_000 + index;
    write.begin.run();
    const payment = write.payment.get(paymentId) as {
      amountMinor: number;
      refundedMinor: number;
      reservedMinor: number;
    };
    if (payment.refundedMinor + payment.reservedMinor + 1 > payment.amountMinor)
      throw new Error('the ceiling ran out of headroom');
    write.hold.run(1, paymentId);
    write.refund.run(refundId, 'biz', paymentId, 'REFUND_SALE', 'pending', 1, 'GBP', at, at + 60_000);
    write.commit.run();
    write.begin.run();
    write.approve.run('approved', `xref${index}`, at, refundId);
    write.move.run(1, 1, paymentId);
    write.commit.run();
  });
  db.close();
  return measured;
}

const schema = `
  CREATE TABLE payments (id text primary key, businessId text not null, amountMinor bigint not null, currency text not null,
    status text not null, gatewayReference text, refundedMinor bigint not null, reservedMinor bigint not null, createdAt bigint not null,
    CHECK (refundedMinor + reservedMinor <= amountMinor));
  CREATE INDEX payments_business ON payments (businessId, id);
  CREATE TABLE refunds (id text primary key, businessId text not null, paymentId text not null, kind text not null, status text not null,
    amountMinor bigint not null, currency text not null, gatewayReference text, createdAt bigint not null, outcomeAt bigint, leaseUntil bigint);
  CREATE INDEX refunds_payment ON refunds (paymentId);
  CREATE INDEX refunds_business ON refunds (businessId, id);
  CREATE INDEX refunds_pending ON refunds (leaseUntil) WHERE status = 'pending';`;

function fill(db: SqliteConnection.Database, payments: number): void {
  const insert = db.prepare(
    `INSERT INTO payments VALUES (?, 'biz', 1000000, 'GBP', 'settled', 'xref', 0, 0, 1700000000000)`,
  );
  db.transaction(() => {
    for (let index = 0; index < payments; index += 1) insert.run(`pay_${index}`);
  })();
}

function statements(db: SqliteConnection.Database) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    payment: db.prepare('SELECT * FROM payments WHERE id = ?'),
    hold: db.prepare('UPDATE payments SET reservedMinor = reservedMinor + ? WHERE id = ?'),
    refund: db.prepare(
      'INSERT INTO refunds (id, businessId, paymentId, kind, status, amountMinor, currency, createdAt, leaseUntil) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    approve: db.prepare(
      `UPDATE refunds SET status = ?, gatewayReference = ?, outcomeAt = ?, leaseUntil = NULL WHERE id = ? AND status = 'pending'`,
    ),
    move: db.prepare(
      'UPDATE payments SET reservedMinor = reservedMinor - ?, refundedMinor = refundedMinor + ? WHERE id = ?',
    ),
  };
}
