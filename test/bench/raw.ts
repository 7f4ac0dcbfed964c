import { createHash, randomBytes } from 'node:crypto';
import SqliteConnection from 'better-sqlite3';
import { type Measured, measure, scattered } from './measure.ts';

/**
 * The ceiling: a refund as two hand-written transactions on the raw binding, nothing around them. Reserve: read the
 * payment, reserve the amount, insert the refund. Outcome: mark it approved, move the reserved amount. `full` also writes what
 * the product writes: two audit rows in a hash chain, two timeline rows and the stored answer of the call.
 */
export function rawRefunds(options: { file: string; payments: number; refunds: number; full: boolean }): Measured {
  const db = new SqliteConnection(options.file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(schema);
  fill(db, options.payments);
  const write = statements(db);
  let sequence = 0;
  let head = '';

  function audit(paymentId: string, at: number): void {
    sequence += 1;
    const detail = JSON.stringify({ paymentId, amountMinor: 1, at });
    const hash = createHash('sha256').update(`${head}|${sequence}|${detail}`).digest('hex');
    write.audit.run(`aud_${sequence}`, 'biz', sequence, 'refund_check', detail, at, head, hash);
    head = hash;
  }

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
    if (options.full) {
      audit(paymentId, at);
      write.timeline.run(`${refundId}a`, 'biz', paymentId, refundId, 'refund_requested', '{}', at);
      write.once.run('biz', refundId, 'hash', at);
    }
    write.commit.run();
    write.begin.run();
    write.approve.run('approved', `xref${index}`, at, refundId);
    write.move.run(1, 1, paymentId);
    if (options.full) {
      audit(paymentId, at);
      write.timeline.run(`${refundId}b`, 'biz', paymentId, refundId, 'refund_approved', '{}', at);
      write.answer.run(201, JSON.stringify({ id: refundId, status: 'approved', amountInCents: 1 }), 'biz', refundId);
    }
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
  CREATE INDEX refunds_pending ON refunds (leaseUntil) WHERE status = 'pending';
  CREATE TABLE audit (id text primary key, businessId text not null, sequence bigint not null, kind text not null, detailJson text not null,
    recordedAt bigint not null, previousHash text not null, hash text not null);
  CREATE UNIQUE INDEX audit_chain ON audit (businessId, sequence);
  CREATE TABLE timeline (id text primary key, businessId text not null, paymentId text not null, refundId text, kind text not null,
    detailJson text not null, at bigint not null);
  CREATE INDEX timeline_payment ON timeline (paymentId, id);
  CREATE TABLE once (businessId text not null, key text not null, requestHash text not null, responseStatus integer, responseBody text,
    createdAt bigint not null, primary key (businessId, key));`;

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
    audit: db.prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    timeline: db.prepare('INSERT INTO timeline VALUES (?, ?, ?, ?, ?, ?, ?)'),
    once: db.prepare('INSERT INTO once (businessId, key, requestHash, createdAt) VALUES (?, ?, ?, ?)'),
    answer: db.prepare('UPDATE once SET responseStatus = ?, responseBody = ? WHERE businessId = ? AND key = ?'),
  };
}
