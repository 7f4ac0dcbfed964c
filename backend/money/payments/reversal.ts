import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { inTraceOf } from '../../foundation/events/begun.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { RefundStatus } from '../refunds/rows.ts';
import { claimReversals, postponeReversal } from './due-store.ts';
import { isSettling, returnedMinor, takenMinor, timestampOf, tookMoney } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import type { PaymentSettlement } from './settlement.ts';
import { paymentById } from './store.ts';

export type ReversalSettings = {
  /** The delays between attempts of a reversal; the last one repeats. */
  readonly retriesMs: readonly number[];
  /** From when after the sale a reversal that is still due becomes a discrepancy. */
  readonly overdueAfterMs: number;
};

export const defaultReversal: ReversalSettings = {
  retriesMs: [5_000, 30_000, 120_000, 300_000],
  overdueAfterMs: 24 * 3_600_000,
};

/** Returns all that is left of a payment, by the one operation its state allows; resolves to the status of that. */
export type ReturnPayment = (options: {
  readonly payment: PaymentRow;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  readonly reason: string;
}) => Promise<RefundStatus | 'refused'>;

/** Reversals of terminal sales. One that is due is stored in the payment's row until it is carried out. */
export type Reversals = {
  /** Voids an unsettled payment and refunds a settled one. Returns the payment afterwards; idempotent. */
  carryOut(payment: PaymentRow): Promise<PaymentRow>;
  /** Executes due reversals; returns their number. */
  run(limit: number): Promise<number>;
};

/**
 * Returns the money of reversed sales by a void or a refund, and retries while it is due. A refused void or an overdue
 * reversal becomes a discrepancy.
 */
export function reversals(options: {
  database: Database;
  clock: Clock;
  log: Log;
  discrepancies: Discrepancies;
  paymentSettlement: Pick<PaymentSettlement, 'refresh'>;
  returnPayment: ReturnPayment;
  leases: LeasesOn<Pick<PaymentRow, 'id'>>;
  settlementPollMs: number;
  settings: ReversalSettings;
}): Reversals {
  const { database, clock, log, discrepancies, paymentSettlement, returnPayment, leases, settings } = options;
  const idsOf = ({ businessId, id: paymentId }: PaymentRow) => ({ businessId, paymentId });

  async function read({ businessId, id }: PaymentRow): Promise<PaymentRow> {
    const payment = await database.first(paymentById, { businessId, id });
    if (!payment) throw new Error(`payment ${id} is missing`);
    return payment;
  }

  async function attempt(payment: PaymentRow): Promise<{ payment: PaymentRow; isVoidRefused: boolean }> {
    const kind = payment.status === 'settled' ? 'REFUND_SALE' : 'CANCEL';
    const became = await returnPayment({ payment, kind, reason: `reversal: ${payment.reversalReason}` });
    const after = await read(payment);
    // A refused void may mean that the payment has settled, so the gateway's current state decides what to do next.
    const isUndecided =
      isReversalDue(after) && after.status === 'unsettled' && !isSettling(after) && after.reservedMinor === 0;
    if (!isUndecided) return { payment: after, isVoidRefused: false };
    const { payment: now, gatewayState } = await paymentSettlement.refresh(after);
    return { payment: now, isVoidRefused: became === 'declined' && gatewayState === 'unsettled' };
  }

  async function postpone(payment: PaymentRow, isVoidRefused: boolean): Promise<PaymentRow> {
    const now = clock.now();
    const { retriesMs, overdueAfterMs } = settings;
    const retryMs = retriesMs[Math.min(payment.reversalAttempts, retriesMs.length - 1)] ?? 0;
    const dueAt = now + (isSettling(payment) ? options.settlementPollMs : retryMs);
    return database.write(async tx => {
      const { id, businessId, takenAt, reversalReason: reason } = payment;
      const postponed = await tx.first(postponeReversal, { id, dueAt });
      const isOverdue = now >= (takenAt ?? now) + overdueAfterMs;
      if (postponed && (isVoidRefused || isOverdue))
        await discrepancies.raise(tx, {
          businessId,
          paymentId: id,
          kind: isVoidRefused ? 'reversal_declined' : 'reversal_overdue',
          recorded: { reason, dueMinor: takenMinor(payment) - returnedMinor(payment) },
          gateway: { status: payment.status, isSettling: isSettling(payment), isVoidRefused },
        });
      return postponed ?? payment;
    });
  }

  async function carryOut(given: PaymentRow): Promise<PaymentRow> {
    if (!isReversalDue(given)) return given;
    return leases.during(given, given.reversalDueAt, () => carryOutDue(given));
  }

  async function carryOutDue(given: PaymentRow): Promise<PaymentRow> {
    let { payment, isVoidRefused } = await attempt(given);
    if (given.status === 'unsettled' && payment.status === 'settled' && isReversalDue(payment))
      ({ payment, isVoidRefused } = await attempt(payment));
    if (!isReversalDue(payment)) return payment;
    const postponed = await postpone(payment, isVoidRefused);
    const { status, reversalAttempts: attempts, reversalDueAt: dueAt } = postponed;
    const facts = { ...idsOf(payment), status, attempts, dueAt: timestampOf(dueAt), isVoidRefused };
    if (isSettling(payment)) log.info(facts, 'a reversal waits until the payment has settled');
    else log.warn(facts, 'a reversal did not complete; it is retried');
    return postponed;
  }

  return {
    carryOut,
    async run(limit) {
      const claim = { now: clock.now(), dueAt: leases.fromNow(), limit };
      const due = await database.write(tx => tx.all(claimReversals, claim));
      return workOnEach(due, { log, idsOf }, payment =>
        inTraceOf(database, { paymentId: payment.id, subjectId: payment.id }, () => carryOut(payment)),
      );
    },
  };
}

function isReversalDue(payment: PaymentRow): boolean {
  return payment.reversalDueAt !== null && tookMoney(payment);
}
