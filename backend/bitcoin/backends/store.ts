import { statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, updateBy } from '../../foundation/database/statements.ts';
import type { BitcoinBackendRow } from './rows.ts';

export const backendById = selectBy('bitcoinBackends', 'id');

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
export const insertBackend = insertUnlessTaken('bitcoinBackends');

export const retireBackend = statement<{ businessId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('bitcoinBackends')
    .set({ isCurrent: 0 })
    .where('businessId', '=', arg('businessId'))
    .where('isCurrent', '=', 1),
);

export const updateBackend = updateBy('bitcoinBackends', {
  set: ['configJson', 'sealedSecrets', 'isCurrent', 'changedAt'],
  by: ['id'],
});
