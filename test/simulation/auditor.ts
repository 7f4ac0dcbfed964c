import { chainVerifier } from '../../backend/audit/chain.ts';
import type { AuditEntryRow, PaymentRow, RefundRow, StaffRow } from '../../backend/database/schema.ts';
import { businessDay } from '../../backend/staff/business-day.ts';
import type { World } from './world.ts';

/** Something that must never be true was true. */
export class Violation extends Error {
  override name = 'Violation';
}

function must(holds: boolean, what: string, facts: unknown): void {
  if (!holds) throw new Violation(`${what}: ${JSON.stringify(facts)}`);
}

const isCapped = ({ kind }: RefundRow) => kind === 'CANCEL' || kind === 'REFUND_SALE';
const sum = (rows: readonly RefundRow[]) => rows.reduce((total, { amountMinor }) => total + amountMinor, 0);
const mayFollow: Record<PaymentRow['status'], readonly PaymentRow['status'][]> = {
  pending: ['declined', 'failed', 'unsettled', 'settled', 'cancelled'],
  unsettled: ['settled', 'cancelled'],
  settled: [],
  cancelled: [],
  declined: [],
  failed: [],
};

/** A sale given up may settle at the bank before its void gets through: then a person has to act, and is told. */
const expected = new Set(['given_up_sale_settled']);

/**
 * Looks on between every two steps, by its own connection, and knows nothing of how the engine works: what it compares are
 * rows, and the gateway's own books.
 */
export function auditorOf(world: World) {
  const { connection, gateway } = world;
  if (!connection) throw new Error('the auditor looks into SQLite in memory');
  const changes = connection.prepare('SELECT total_changes() AS count').pluck();
  const read = {
    payments: connection.prepare('SELECT * FROM payments'),
    refunds: connection.prepare('SELECT * FROM refunds'),
    staff: connection.prepare('SELECT * FROM staff'),
    proofs: connection.prepare(
      `SELECT staffId, count(*) AS count FROM auditEntries
         WHERE kind IN ('refund_check', 'void_check') AND NOT (status = 'failed' AND reason = 'invalid_signature') GROUP BY staffId`,
    ),
    checks: connection
      .prepare(`SELECT count(*) FROM auditEntries WHERE kind IN ('refund_check', 'void_check')`)
      .pluck(),
    usedNonces: connection.prepare('SELECT nonce FROM staffNonces WHERE usedAt IS NOT NULL').pluck(),
    entries: connection.prepare('SELECT * FROM auditEntries ORDER BY sequence'),
    finalEvents: connection.prepare(
      `SELECT subjectId, count(*) AS count FROM events WHERE type IN ('refund.approved', 'refund.declined', 'refund.failed') GROUP BY subjectId`,
    ),
    discrepancies: connection.prepare('SELECT kind, paymentId, refundId, detailJson FROM discrepancies'),
    intent: connection
      .prepare(
        'SELECT 1 FROM refunds WHERE uniqueReference = ? UNION ALL SELECT 1 FROM payments WHERE uniqueReference = ?',
      )
      .pluck(),
  };
  const refundsSeen = new Map<string, RefundRow>();
  const paymentsSeen = new Map<string, PaymentRow>();
  const staffSeen = new Map<string, StaffRow & { proofs: number }>();
  const replies = new Map<string, string>();
  const noncesUsed = new Set<string>();
  let changesSeen = -1;

  function checkPayment(payment: PaymentRow, refunds: readonly RefundRow[]): void {
    const capped = refunds.filter(isCapped);
    const pending = sum(capped.filter(({ status }) => status === 'pending'));
    const approved = sum(capped.filter(({ status }) => status === 'approved'));
    must(pending + approved <= payment.amountMinor, '1: refunds exceed the payment', { payment, pending, approved });
    must(payment.reservedMinor === pending, '1: what is held is not what is pending', { payment, pending });
    must(payment.refundedMinor === approved, '1: what is refunded is not what was approved', { payment, approved });
    const before = paymentsSeen.get(payment.id);
    if (before && before.status !== payment.status)
      must(mayFollow[before.status].includes(payment.status), '4: a final payment changed', { before, payment });
    paymentsSeen.set(payment.id, payment);
  }

  function checkRefund(refund: RefundRow): void {
    const before = refundsSeen.get(refund.id);
    if (before && before.status !== 'pending')
      must(JSON.stringify(before) === JSON.stringify(refund), '4: a final refund changed', { before, refund });
    refundsSeen.set(refund.id, refund);
  }

  function checkStaff(staff: StaffRow, proofs: number, refunds: readonly RefundRow[]): void {
    const before = staffSeen.get(staff.id);
    const fell =
      before !== undefined &&
      ((staff.lockedUntil ?? 0) < (before.lockedUntil ?? 0) ||
        staff.lockoutRound < before.lockoutRound ||
        (staff.failedAttempts < before.failedAttempts && staff.lockoutRound === before.lockoutRound));
    must(!fell || proofs > before.proofs, '8: a lock was eased without a right password', { before, staff });
    staffSeen.set(staff.id, { ...staff, proofs });
    if (staff.dailyLimitMinor === null) return;
    const totals = new Map<number, number>();
    for (const refund of refunds) {
      if (refund.kind !== 'REFUND_SALE' || (refund.status !== 'pending' && refund.status !== 'approved')) continue;
      const { from } = businessDay(refund.createdAt, world.business.timeZone);
      totals.set(from, (totals.get(from) ?? 0) + refund.amountMinor);
    }
    for (const total of totals.values())
      must(total <= staff.dailyLimitMinor, '9: a daily limit was exceeded', { staff, total });
  }

  /** After every step: cheap where nothing was written. */
  function check(): void {
    const count = changes.get() as number;
    if (count === changesSeen) return;
    changesSeen = count;
    const refunds = read.refunds.all() as RefundRow[];
    const byPayment = Map.groupBy(refunds, ({ paymentId }) => paymentId);
    const byStaff = Map.groupBy(refunds, ({ staffId }) => staffId);
    for (const refund of refunds) checkRefund(refund);
    for (const payment of read.payments.all() as PaymentRow[]) checkPayment(payment, byPayment.get(payment.id) ?? []);
    const proofs = new Map(
      (read.proofs.all() as { staffId: string; count: number }[]).map(row => [row.staffId, row.count]),
    );
    for (const staff of read.staff.all() as StaffRow[])
      checkStaff(staff, proofs.get(staff.id) ?? 0, byStaff.get(staff.id) ?? []);
    // Kept here: the service forgets nonces once they are over.
    for (const nonce of read.usedNonces.all() as string[]) noncesUsed.add(nonce);
    const checks = read.checks.get();
    must(checks === noncesUsed.size, '7: not one entry per check of a password', { checks, nonces: noncesUsed.size });
  }

  world.afterStep = check;
  world.onSend = uniqueReference => {
    must(
      read.intent.get(uniqueReference, uniqueReference) === 1,
      '5: sent before the intent was saved',
      uniqueReference,
    );
    must(gateway.sendsOf(uniqueReference) === 0, '3: sent twice', uniqueReference);
  };

  return {
    /** What a caller was told for one of its own request ids: the same refund every time. */
    told(requestId: string, refundId: string): void {
      const before = replies.get(requestId) ?? refundId;
      replies.set(requestId, refundId);
      must(before === refundId, '6: one request id, two refunds', { requestId, before, refundId });
    },

    isAtRest(): boolean {
      const refunds = read.refunds.all() as RefundRow[];
      const payments = read.payments.all() as PaymentRow[];
      const isDealtWith = (paymentId: string) =>
        refunds.some(
          refund => refund.paymentId === paymentId && refund.kind === 'CANCEL' && refund.status !== 'failed',
        );
      const waits = payments.some(
        ({ id, status, reversalReason }) =>
          status === 'pending' || (status === 'unsettled' && reversalReason !== null && !isDealtWith(id)),
      );
      return !waits && refunds.every(({ status }) => status !== 'pending');
    },

    /** Once nothing goes wrong any more and everything had its time. */
    checkAtRest(secrets: readonly string[]): void {
      check();
      const refunds = read.refunds.all() as RefundRow[];
      const payments = read.payments.all() as PaymentRow[];
      for (const refund of refunds) must(refund.status !== 'pending', '13: a refund never settled', refund);
      for (const payment of payments) must(payment.status !== 'pending', '13: a payment never settled', payment);
      const moved = new Set(
        gateway.bookings.filter(({ approved }) => approved).map(booking => booking.uniqueReference),
      );
      for (const { uniqueReference, status } of refunds)
        must(moved.has(uniqueReference ?? '') === (status === 'approved'), '2: our books and the bank’s differ', {
          uniqueReference,
          status,
        });
      for (const { uniqueReference, status } of payments) {
        const tookMoney = status === 'unsettled' || status === 'settled' || status === 'cancelled';
        must(moved.has(uniqueReference ?? '') === tookMoney, '2: our books and the bank’s differ', {
          uniqueReference,
          status,
        });
      }
      must(
        moved.size ===
          refunds.filter(({ status }) => status === 'approved').length +
            payments.filter(({ status }) => status !== 'declined' && status !== 'failed').length,
        '2: the bank knows more',
        [...moved],
      );
      for (const payment of payments) {
        const capped = gateway.bookings.filter(
          ({ approved, operation, paymentReference }) =>
            approved &&
            paymentReference === payment.gatewayReference &&
            (operation === 'cancel' || operation === 'refundSale'),
        );
        const back = capped.reduce((total, { amountMinor }) => total + amountMinor, 0);
        must(back <= payment.amountMinor, '1: the bank gave back more than it took', { payment, back });
      }
      const told = new Map(
        (read.finalEvents.all() as { subjectId: string; count: number }[]).map(row => [row.subjectId, row.count]),
      );
      for (const { id, status } of refunds)
        must(told.get(id) === 1, 'an outcome was not announced exactly once', { id, status });
      const numbers = payments.map(({ invoiceNumber }) => Number(invoiceNumber.slice(4))).sort((a, b) => a - b);
      must(
        numbers.every((number, index) => number === index + 1),
        'invoice numbers have gaps',
        numbers,
      );
      const verifier = chainVerifier();
      for (const entry of read.entries.all() as AuditEntryRow[]) verifier.add(entry);
      must(verifier.verdict().kind === 'intact', 'the log’s chain is broken', verifier.verdict());
      const contradictions = (read.discrepancies.all() as { kind: string }[]).filter(({ kind }) => !expected.has(kind));
      must(contradictions.length === 0, 'a contradiction nobody planted', contradictions);
      const everything = connection.serialize().toString('latin1');
      for (const secret of secrets) must(!everything.includes(secret), '12: a secret was written down', secret);
    },
  };
}
export type Auditor = ReturnType<typeof auditorOf>;
