import type { Instant } from '@florin/shared/ports.ts';
import { columnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy } from '../../foundation/database/statements.ts';
import type { GatewayAccountRow } from './rows.ts';

type Key = { businessId: string; id: string };

export const accountById = selectBy('gatewayAccounts', 'id');

/** All of them locked, so that changes of the default wait for each other. */
export const accountsForUpdate = statement<{ businessId: string }, GatewayAccountRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('gatewayAccounts')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .orderBy('id')
    .$if(isPostgres, query => query.forUpdate()),
);

/** Oldest first. */
export const accountsOfBusiness = statement<{ businessId: string }, GatewayAccountRow>(({ db }, arg) =>
  db.selectFrom('gatewayAccounts').selectAll().where('businessId', '=', arg('businessId')).orderBy('id'),
);

export const accountPage = statement<{ businessId: string; before: string; limit: number }, GatewayAccountRow>(
  ({ db }, arg) =>
    db
      .selectFrom('gatewayAccounts')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

export const allAccounts = statement<Record<string, never>, GatewayAccountRow>(({ db }) =>
  db.selectFrom('gatewayAccounts').selectAll().orderBy('id'),
);

export const defaultAccount = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('gatewayAccounts')
    .select('id')
    .where('businessId', '=', arg('businessId'))
    .where('isDefault', '=', 1)
    .where('disabledAt', 'is', null),
);

/** Inserts nothing if this is to be the default and the business has one. */
export const insertAccount = insertUnlessTaken('gatewayAccounts');

export const clearDefault = statement<{ businessId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('gatewayAccounts')
    .set({ isDefault: 0 })
    .where('businessId', '=', arg('businessId'))
    .where('isDefault', '=', 1),
);

export const setDefault = statement<Key, unknown>(({ db }, arg) =>
  db
    .updateTable('gatewayAccounts')
    .set({ isDefault: 1 })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('disabledAt', 'is', null),
);

export const replaceSettings = statement<
  Pick<GatewayAccountRow, 'id' | 'name' | 'configJson' | 'sealedSecrets'>,
  GatewayAccountRow
>(({ db }, arg) =>
  db
    .updateTable('gatewayAccounts')
    .set(columnsOf(arg, ['name', 'configJson', 'sealedSecrets']))
    .where('id', '=', arg('id'))
    .returningAll(),
);

export const disableAccount = statement<Key & { disabledAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('gatewayAccounts')
    .set({ disabledAt: arg('disabledAt'), isDefault: 0 })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('disabledAt', 'is', null),
);
