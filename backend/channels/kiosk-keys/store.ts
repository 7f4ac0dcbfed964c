import type { Instant } from '@florin/shared/ports.ts';
import { allColumnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { KioskKeyRow } from './rows.ts';

export const kioskKeyByHash = statement<{ keyHash: string }, KioskKeyRow>(({ db }, arg) =>
  db.selectFrom('kioskKeys').selectAll().where('keyHash', '=', arg('keyHash')),
);

export const insertKioskKey = statement<KioskKeyRow, unknown>(({ db }, arg) =>
  db
    .insertInto('kioskKeys')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'name',
        'terminalIdsJson',
        'keyHash',
        'lastFour',
        'revokedAt',
        'lastUsedAt',
        'createdAt',
      ]),
    ),
);

export const kioskKeyById = statement<{ businessId: string; id: string }, KioskKeyRow>(({ db }, arg) =>
  db.selectFrom('kioskKeys').selectAll().where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);

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

export const recordKioskKeyUse = statement<{ id: string; lastUsedAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('kioskKeys')
    .set({ lastUsedAt: arg('lastUsedAt') })
    .where('id', '=', arg('id')),
);
