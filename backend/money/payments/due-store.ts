import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { claimDue, hasStatus, renewLeases } from '../../foundation/database/claim.ts';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import type { PaymentRow, PaymentStatus } from './rows.ts';

/** Claims of payments by background work. */

export const renewPaymentLeases = renewLeases('payments', 'nextPollAt');
export const renewReversalLeases = renewLeases('payments', 'reversalDueAt');

export const claimPendingPayments = claimDue('payments', hasStatus<PaymentStatus>('pending'));
export const claimUnsettledPayments = claimDue('payments', hasStatus<PaymentStatus>('unsettled'));
export const claimPaymentsToRecheck = claimDue('payments', hasStatus<PaymentStatus>('settled'));

/** Claims approved sales to be reversed for which no void or refund is pending. */
export const claimReversals = statement<{ now: Instant; dueAt: Instant; limit: number }, PaymentRow>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('payments')
      .set({ reversalDueAt: arg('dueAt'), reversalAttempts: sql<number>`"reversalAttempts" + 1` })
      .where('id', 'in', query =>
        query
          .selectFrom('payments')
          .select('id')
          .where('reversalDueAt', '<=', arg('now'))
          .where('status', 'in', ['unsettled', 'settled'])
          .where('reservedMinor', '=', 0)
          .orderBy('reversalDueAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
);

/** Claims approved sales that their terminal should have completed or reversed by now, each once. */
export const claimUncompletedSales = statement<{ now: Instant; limit: number }, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .updateTable('payments')
    .set({ completeBy: null })
    .where('id', 'in', query =>
      query
        .selectFrom('payments')
        .select('id')
        .where('completeBy', '<=', arg('now'))
        .orderBy('completeBy')
        .limit(rowLimit(arg('limit')))
        .$if(isPostgres, due => due.forUpdate().skipLocked()),
    )
    .returningAll(),
);

/** Has no effect once no reversal is due. */
export const postponeReversal = statement<{ id: string; dueAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ reversalDueAt: arg('dueAt') })
    .where('id', '=', arg('id'))
    .where('reversalDueAt', 'is not', null)
    .returningAll(),
);

/** Ends automatic attempts: a person has to return the money. */
export const endReversal = statement<{ id: string }, PaymentRow>(({ db }, arg) =>
  db.updateTable('payments').set({ reversalDueAt: null }).where('id', '=', arg('id')).returningAll(),
);
