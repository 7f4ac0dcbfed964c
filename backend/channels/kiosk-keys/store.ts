import type { Instant } from '@florin/shared/ports.ts';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, selectBy, updateBy } from '../../foundation/database/statements.ts';
import type { KioskKeyRow } from './rows.ts';

export const kioskKeyByHash = selectBy('kioskKeys', 'keyHash');

export const insertKioskKey = insertInto('kioskKeys');

export const kioskKeyById = selectBy('kioskKeys', 'businessId', 'id');

export const kioskKeysOfBusiness = statement<{ businessId: string; before: string; limit: number }, KioskKeyRow>(
  ({ db }, arg) =>
    db
      .selectFrom('kioskKeys')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

/** Changes nothing once it is revoked. */
export const revokeKioskKey = statement<{ id: string; revokedAt: Instant }, KioskKeyRow>(({ db }, arg) =>
  db
    .updateTable('kioskKeys')
    .set({ revokedAt: arg('revokedAt') })
    .where('id', '=', arg('id'))
    .where('revokedAt', 'is', null)
    .returningAll(),
);

export const recordKioskKeyUse = updateBy('kioskKeys', { set: ['lastUsedAt'], by: ['id'] });
