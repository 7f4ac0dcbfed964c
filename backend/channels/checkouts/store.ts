import { sql } from 'kysely';
import { optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import {
  insertInto,
  insertUnlessTaken,
  selectBy,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { CheckoutRow } from './rows.ts';

export const insertCheckout = insertInto('checkouts');

export const checkoutById = selectBy('checkouts', 'id');

export type CheckoutList = {
  readonly businessId: string;
  readonly status: CheckoutRow['status'] | null;
  readonly orderId: string | null;
  readonly externalReference: string | null;
  readonly before: string;
  readonly limit: number;
};

/** Newest first, before the id `before`; a null filter is off. */
export const checkoutsOfBusiness = statement<CheckoutList, CheckoutRow>(({ db, isPostgres }, arg) => {
  const optional = optionalFilters(isPostgres);
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where(optional.text('status', '=', arg('status')))
    .where(optional.text('orderId', '=', arg('orderId')))
    .where(optional.text('externalReference', '=', arg('externalReference')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit')));
});

/** The number of unpaid checkouts created without a key. */
export const openCheckoutsWithoutKey = statement<{ businessId: string }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('checkouts')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', arg('businessId'))
    .where('endedAt', 'is', null)
    .where('actorKind', '=', sql.lit('system')),
);

/** Locked until the transaction ends. Its invoice is always locked first. */
export const checkoutForUpdate = selectForUpdateBy('checkouts', 'id');

export const updateCheckout = updateBy('checkouts', {
  set: ['status', 'sequence', 'paidJson', 'network', 'endedAt'],
  by: ['id'],
});

export const checkoutSettingsOf = selectBy('checkoutSettings', 'businessId');

export const checkoutSettingsForUpdate = selectForUpdateBy('checkoutSettings', 'businessId');

/** Changes nothing if settings exist. */
export const insertCheckoutSettings = insertUnlessTaken('checkoutSettings');

export const updateCheckoutSettings = updateBy('checkoutSettings', {
  set: ['sealedSigningKey', 'frameOriginsJson', 'updatedAt'],
  by: ['businessId'],
});
