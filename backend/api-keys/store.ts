import type { Instant } from '@florin/shared/ports.ts';
import { allColumnsOf, type Database, statement, type Transaction } from '../database/database.ts';
import type { ApiKeyRow } from '../database/schema.ts';

const byHash = statement<{ keyHash: string }, ApiKeyRow>(({ db }, arg) =>
  db.selectFrom('apiKeys').selectAll().where('keyHash', '=', arg('keyHash')),
);

const byId = statement<{ businessId: string; id: string }, ApiKeyRow>(({ db }, arg) =>
  db.selectFrom('apiKeys').selectAll().where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);

const listPage = statement<{ businessId: string; before: string; limit: number }, ApiKeyRow>(({ db }, arg) =>
  db
    .selectFrom('apiKeys')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .orderBy('id', 'desc')
    .limit(arg('limit')),
);

const insert = statement<ApiKeyRow, unknown>(({ db }, arg) =>
  db
    .insertInto('apiKeys')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'name',
        'preset',
        'permissionsJson',
        'keyHash',
        'lastFour',
        'expiresAt',
        'revokedAt',
        'lastUsedAt',
        'createdAt',
      ]),
    ),
);

const revoke = statement<{ businessId: string; id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('apiKeys')
    .set({ revokedAt: arg('now') })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('revokedAt', 'is', null),
);

const touch = statement<{ id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: arg('now') })
    .where('id', '=', arg('id')),
);

export function apiKeyStore(database: Database) {
  return {
    byHash: (keyHash: string) => database.first(byHash, { keyHash }),
    byId: (businessId: string, id: string) => database.first(byId, { businessId, id }),
    /** Newest first, those made before the key `before`. */
    page: (businessId: string, before: string, limit: number) => database.all(listPage, { businessId, before, limit }),
    insert: (tx: Transaction, row: ApiKeyRow) => tx.run(insert, row),
    /** Whether it was still in force. */
    revoke: async (tx: Transaction, businessId: string, id: string, now: Instant) =>
      (await tx.run(revoke, { businessId, id, now })) === 1,
    recordUse: (id: string, now: Instant) => database.write(tx => tx.run(touch, { id, now })),
  };
}
