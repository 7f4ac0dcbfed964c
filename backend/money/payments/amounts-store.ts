import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, sql } from 'kysely';
import { statement } from '../../foundation/database/database.ts';
import type { PaymentRow } from './rows.ts';
import { nothingDue } from './store.ts';

/** Changes of the amounts that a payment has reserved, returned and contested. */

/** A reversal stays due until all that was taken is returned. */
function dueUntilReturned(returnedMinor: RawBuilder<unknown>) {
  return sql<
    number | null
  >`CASE WHEN ${returnedMinor} < coalesce("approvedMinor", "amountMinor") THEN "reversalDueAt" END`;
}

/** Reserves an amount for a refund whose outcome is not known yet. */
export const reserveMinor = statement<{ id: string; amountMinor: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ reservedMinor: sql<number>`"reservedMinor" + ${arg('amountMinor')}` })
    .where('id', '=', arg('id')),
);

/** Ends a reservation: `refundedMinor` of it was returned, the rest is released. */
export const releaseMinor = statement<{ id: string; heldMinor: number; refundedMinor: number }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        reservedMinor: sql<number>`"reservedMinor" - ${arg('heldMinor')}`,
        refundedMinor: sql<number>`"refundedMinor" + ${arg('refundedMinor')}`,
        reversalDueAt: dueUntilReturned(sql`"refundedMinor" + "creditedMinor" + ${arg('refundedMinor')}`),
      })
      .where('id', '=', arg('id'))
      .returningAll(),
);

/** Counts an approved REFUND as returned. */
export const creditPayment = statement<{ id: string; amountMinor: number }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      creditedMinor: sql<number>`"creditedMinor" + ${arg('amountMinor')}`,
      reversalDueAt: dueUntilReturned(sql`"refundedMinor" + "creditedMinor" + ${arg('amountMinor')}`),
    })
    .where('id', '=', arg('id'))
    .returningAll(),
);

/** Ends the reservation of an approved void. */
export const voidPayment = statement<{ id: string; heldMinor: number; voidedOrRejectedAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        status: 'cancelled',
        voidedOrRejectedAt: arg('voidedOrRejectedAt'),
        ...nothingDue,
        reservedMinor: sql<number>`"reservedMinor" - ${arg('heldMinor')}`,
        refundedMinor: sql<number>`"refundedMinor" + ${arg('heldMinor')}`,
      })
      .where('id', '=', arg('id'))
      .returningAll(),
);

/** Reserves the amount that a late approval names although the refund is recorded as failed. */
export const contestMinor = statement<{ id: string; amountMinor: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ contestedMinor: sql<number>`"contestedMinor" + ${arg('amountMinor')}` })
    .where('id', '=', arg('id')),
);

/** Ends a contested amount; `returnedMinor` of it counts as returned from now on. */
export const releaseContested = statement<{ id: string; contestedMinor: number; returnedMinor: number }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        contestedMinor: sql<number>`"contestedMinor" - ${arg('contestedMinor')}`,
        creditedMinor: sql<number>`"creditedMinor" + ${arg('returnedMinor')}`,
        reversalDueAt: dueUntilReturned(sql`"refundedMinor" + "creditedMinor" + ${arg('returnedMinor')}`),
      })
      .where('id', '=', arg('id'))
      // A void found at the gateway has ended every reservation.
      .where('contestedMinor', '>=', arg('contestedMinor')),
);

/** Adds a bitcoin refund to the returned amount, in satoshis and as a share of the payment. */
export const refundSats = statement<{ id: string; amountSats: number; amountMinor: number }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        refundedSats: sql<number>`"refundedSats" + ${arg('amountSats')}`,
        refundedMinor: sql<number>`"refundedMinor" + ${arg('amountMinor')}`,
      })
      .where('id', '=', arg('id'))
      .returningAll(),
);
