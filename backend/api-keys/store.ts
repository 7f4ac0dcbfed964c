import type { Instant } from '@florin/shared/ports.ts';
import {
  allColumnsOf,
  type Database,
  optionalFilters,
  rowLimit,
  statement,
  type Transaction,
} from '../database/database.ts';
import type { ApiKeyRow } from './rows.ts';

const byHash = statement<{ keyHash: string }, ApiKeyRow>(({ db }, arg) =>
  db.selectFrom('apiKeys').selectAll().where('keyHash', '=', arg('keyHash')),
);

const byId = statement<{ businessId: string; id: string }, ApiKeyRow>(({ db }, arg) =>
  db.selectFrom('apiKeys').selectAll().where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);

export type ApiKeyStatus = 'active' | 'revoked' | 'expired';

type ListArgs = { businessId: string; preset: string | null; now: Instant; before: string; limit: number };

/** As `apiKeyStatusOf` words it. */
const listOf = (status: ApiKeyStatus | null) =>
  statement<ListArgs, ApiKeyRow>(({ db, isPostgres }, arg) => {
    const optional = optionalFilters(isPostgres);
    return db
      .selectFrom('apiKeys')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .where(optional.text('preset', '=', arg('preset')))
      .$if(status !== null, query => query.where('revokedAt', status === 'revoked' ? 'is not' : 'is', null))
      .$if(status === 'expired', query => query.where('expiresAt', '<=', arg('now')))
      .$if(status === 'active', query =>
        query.where(eb => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', arg('now'))])),
      )
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit')));
  });
const listPage = {
  all: listOf(null),
  active: listOf('active'),
  revoked: listOf('revoked'),
  expired: listOf('expired'),
};

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

/** Changes nothing where another process has noted a use since `unusedSince`. */
const touch = statement<{ id: string; now: Instant; unusedSince: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: arg('now') })
    .where('id', '=', arg('id'))
    .where(eb => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', arg('unusedSince'))])),
);

export function apiKeyStore(database: Database) {
  return {
    byHash: (keyHash: string) => database.first(byHash, { keyHash }),
    byId: (businessId: string, id: string) => database.first(byId, { businessId, id }),
    /** Newest first, those made before the key `before`. */
    page: (status: ApiKeyStatus | null, options: ListArgs) => database.all(listPage[status ?? 'all'], options),
    insert: (tx: Transaction, row: ApiKeyRow) => tx.run(insert, row),
    /** Whether it was still in force. */
    revoke: async (tx: Transaction, businessId: string, id: string, now: Instant) =>
      (await tx.run(revoke, { businessId, id, now })) === 1,
    recordUse: (use: { id: string; now: Instant; unusedSince: Instant }) => database.write(tx => tx.run(touch, use)),
  };
}
