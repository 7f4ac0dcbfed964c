import type { Instant } from '@florin/shared/ports.ts';
import { optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, selectBy } from '../../foundation/database/statements.ts';
import type { ApiKeyRow } from './rows.ts';

const usedColumns = ['id', 'businessId', 'permissionsJson', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const;
export type UsedApiKey = Pick<ApiKeyRow, (typeof usedColumns)[number]>;

/** Read at every request, so without the columns that only people read. */
export const apiKeyByHash = statement<{ keyHash: string }, UsedApiKey>(({ db }, arg) =>
  db.selectFrom('apiKeys').select(usedColumns).where('keyHash', '=', arg('keyHash')),
);

export const apiKeyById = selectBy('apiKeys', 'businessId', 'id');

export type ApiKeyStatus = 'active' | 'revoked' | 'expired';

type ListArgs = { businessId: string; preset: string | null; now: Instant; before: string; limit: number };

/** The SQL form of `apiKeyStatusOf`. */
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
/** Newest first, before the key `before`. */
export const apiKeysOfBusiness = {
  all: listOf(null),
  active: listOf('active'),
  revoked: listOf('revoked'),
  expired: listOf('expired'),
};

export const insertApiKey = insertInto('apiKeys');

export const revokeApiKey = statement<{ businessId: string; id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('apiKeys')
    .set({ revokedAt: arg('now') })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('revokedAt', 'is', null),
);

/** Changes nothing if another process has recorded a use since `unusedSince`. */
export const recordApiKeyUse = statement<{ id: string; now: Instant; unusedSince: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: arg('now') })
    .where('id', '=', arg('id'))
    .where(eb => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', arg('unusedSince'))])),
);
