import { sql } from 'kysely';
import { allColumnsOf, columnsOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import type { CheckoutRow, CheckoutSettingsRow } from './rows.ts';

export const insertCheckout = statement<CheckoutRow, unknown>(({ db }, arg) =>
  db
    .insertInto('checkouts')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'invoiceId',
        'status',
        'sequence',
        'amountMinor',
        'currency',
        'amountSats',
        'rate',
        'orderId',
        'externalReference',
        'successUrl',
        'webhookUrl',
        'cancelTokenHash',
        'paidJson',
        'network',
        'actorKind',
        'actorId',
        'expiresAt',
        'createdAt',
        'endedAt',
      ]),
    ),
);

export const checkoutById = statement<{ id: string }, CheckoutRow>(({ db }, arg) =>
  db.selectFrom('checkouts').selectAll().where('id', '=', arg('id')),
);

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
export const checkoutForUpdate = statement<{ id: string }, CheckoutRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

export const updateCheckout = statement<CheckoutRow, unknown>(({ db }, arg) =>
  db
    .updateTable('checkouts')
    .set(columnsOf(arg, ['status', 'sequence', 'paidJson', 'network', 'endedAt']))
    .where('id', '=', arg('id')),
);

export const checkoutSettingsOf = statement<{ businessId: string }, CheckoutSettingsRow>(({ db }, arg) =>
  db.selectFrom('checkoutSettings').selectAll().where('businessId', '=', arg('businessId')),
);

/** Changes nothing if settings exist. */
export const insertCheckoutSettings = statement<CheckoutSettingsRow, unknown>(({ db }, arg) =>
  db
    .insertInto('checkoutSettings')
    .values(allColumnsOf(arg, ['businessId', 'sealedSigningKey', 'frameOriginsJson', 'updatedAt']))
    .onConflict(conflict => conflict.doNothing()),
);

export const updateCheckoutSettings = statement<CheckoutSettingsRow, unknown>(({ db }, arg) =>
  db
    .updateTable('checkoutSettings')
    .set(columnsOf(arg, ['sealedSigningKey', 'frameOriginsJson', 'updatedAt']))
    .where('businessId', '=', arg('businessId')),
);
