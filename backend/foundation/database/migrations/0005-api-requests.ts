import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';

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
    let builder: CreateTableBuilder<string, string> = db.schema.createTable('apiRequests');
    for (const [name, type] of Object.entries<string>(apiRequestsTables.apiRequests))
      builder = builder.addColumn(name, type.replace('?', '') as 'text', column =>
        type.endsWith('?') ? column : column.notNull(),
      );
    builder = builder.addPrimaryKeyConstraint('apiRequests_key', ['businessId', 'id'] as never);
    // On SQLite a row is then written into one B-tree instead of two.
    if (dialect === 'sqlite') builder = builder.modifyEnd(sql`WITHOUT ROWID`);
    await builder.execute();
    await db.schema.createIndex('apiRequests_created').on('apiRequests').columns(['createdAt']).execute();
    await db.schema
      .createIndex('apiRequests_unsuccessful')
      .on('apiRequests')
      .columns(['businessId', 'outcome', 'id'])
      .where(sql.raw(`"outcome" <> 'ok'`) as never)
      .execute();
  },
});
