import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

/** The table that it adds. */
export const apiRequestsTables = {
  apiRequests: {
    id: 'text',
    businessId: 'text',
    apiKeyId: 'text',
    method: 'text',
    route: 'text',
    path: 'text',
    status: 'integer',
    outcome: 'text',
    reason: 'text?',
    message: 'text?',
    durationMs: 'integer',
    idempotencyKey: 'text?',
    isReplay: 'integer',
    createdAt: 'bigint',
  },
} satisfies Record<string, Columns>;

/** The calls that software made with API keys. */
export const apiRequests = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'apiRequests', {
      columns: apiRequestsTables.apiRequests,
      key: ['businessId', 'id'],
      withoutRowid: dialect === 'sqlite',
    });
    await db.schema.createIndex('apiRequests_created').on('apiRequests').columns(['createdAt']).execute();
    await db.schema
      .createIndex('apiRequests_unsuccessful')
      .on('apiRequests')
      .columns(['businessId', 'outcome', 'id'])
      .where(sql.raw(`"outcome" <> 'ok'`) as never)
      .execute();
  },
});
