import { randomUUID } from 'node:crypto';
import SqliteConnection from 'better-sqlite3';
import { type Measured, measure } from './measure.ts';
import { benchBusinessId, paymentIdOf } from './shop.ts';

/**
 * The ceiling of the refund code itself: by hand, on the product's own schema with all its indexes and checks, exactly the
 * rows one refund asked for over the API writes, in its two transactions.
 */
export function refundsByHand(options: { file: string; payments: number; refunds: number }): Measured {
  const db = new SqliteConnection(options.file);
  db.pragma('synchronous = FULL');
  const write = {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    payment: db.prepare('SELECT * FROM payments WHERE id = ? AND businessId = ?'),
    reserve: db.prepare('UPDATE payments SET reservedMinor = reservedMinor + ? WHERE id = ? RETURNING *'),
    refund: db.prepare(
      `INSERT INTO refunds (id, businessId, paymentId, kind, status, amountMinor, currency, source, apiKeyId, uniqueReference,
         leaseUntil, askedCount, sentAt, createdAt) VALUES (?, ?, ?, 'REFUND_SALE', 'pending', 1, 'GBP', 'api', 'key_bench', ?, ?, 0, ?, ?)`,
    ),
    timeline: db.prepare(
      'INSERT INTO timelineEvents (id, businessId, paymentId, refundId, kind, detailJson, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    event: db.prepare(
      'INSERT INTO events (id, businessId, type, subjectId, payloadJson, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    settle: db.prepare(
      `UPDATE refunds SET status = 'approved', gatewayReference = ?, gatewayMessage = ?, settledAt = ?, leaseUntil = NULL
         WHERE id = ? AND status = 'pending' RETURNING *`,
    ),
    release: db.prepare(
      'UPDATE payments SET reservedMinor = reservedMinor - ?, refundedMinor = refundedMinor + ? WHERE id = ? RETURNING *',
    ),
  };
  const freshId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

  function tell(kind: string, paymentId: string, refundId: string, at: number): void {
    const detail = JSON.stringify({
      kind: 'REFUND_SALE',
      amountMinor: 1,
      currency: 'GBP',
      source: 'api',
      apiKeyId: 'key_bench',
    });
    write.timeline.run(freshId('evt'), benchBusinessId, paymentId, refundId, kind, detail, at);
    write.event.run(freshId('evt'), benchBusinessId, kind, refundId, detail, at);
  }

  const measured = measure(options.refunds, index => {
    const paymentId = paymentIdOf(index % options.payments);
    const refundId = freshId('ref');
    const at = Date.now();
    write.begin.run();
    write.payment.get(paymentId, benchBusinessId);
    write.reserve.get(1, paymentId);
    write.refund.run(refundId, benchBusinessId, paymentId, refundId, at + 60_000, at, at);
    tell('refund_requested', paymentId, refundId, at);
    write.commit.run();
    write.begin.run();
    write.settle.get(`xref${index}`, 'APPROVED', at, refundId);
    write.release.get(1, 1, paymentId);
    tell('refund_approved', paymentId, refundId, at);
    write.commit.run();
  });
  db.close();
  return measured;
}
