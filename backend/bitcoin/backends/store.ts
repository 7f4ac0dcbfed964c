import { allColumnsOf, columnsOf, statement } from '../../foundation/database/database.ts';
import type { BitcoinBackendRow } from './rows.ts';

export const backendById = statement<{ id: string }, BitcoinBackendRow>(({ db }, arg) =>
  db.selectFrom('bitcoinBackends').selectAll().where('id', '=', arg('id')),
);

export const currentBackend = statement<{ businessId: string }, BitcoinBackendRow>(({ db }, arg) =>
  db.selectFrom('bitcoinBackends').selectAll().where('businessId', '=', arg('businessId')).where('isCurrent', '=', 1),
);

/** Oldest first. */
export const backendsOfBusiness = statement<{ businessId: string }, BitcoinBackendRow>(({ db }, arg) =>
  db.selectFrom('bitcoinBackends').selectAll().where('businessId', '=', arg('businessId')).orderBy('id'),
);

/** Of all businesses. */
export const allBackends = statement<Record<string, never>, BitcoinBackendRow>(({ db }) =>
  db.selectFrom('bitcoinBackends').selectAll().orderBy('id'),
);

/** Inserts nothing if another process has just given the business a backend. */
export const insertBackend = statement<BitcoinBackendRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinBackends')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'adapter',
        'configJson',
        'sealedSecrets',
        'publicKey',
        'network',
        'isCurrent',
        'createdAt',
        'changedAt',
      ]),
    )
    .onConflict(conflict => conflict.doNothing()),
);

export const retireBackend = statement<{ businessId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('bitcoinBackends')
    .set({ isCurrent: 0 })
    .where('businessId', '=', arg('businessId'))
    .where('isCurrent', '=', 1),
);

export const updateBackend = statement<
  Pick<BitcoinBackendRow, 'id' | 'configJson' | 'sealedSecrets' | 'isCurrent' | 'changedAt'>,
  unknown
>(({ db }, arg) =>
  db
    .updateTable('bitcoinBackends')
    .set(columnsOf(arg, ['configJson', 'sealedSecrets', 'isCurrent', 'changedAt']))
    .where('id', '=', arg('id')),
);
