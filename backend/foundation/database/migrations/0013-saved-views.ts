import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

/** The table that it adds. */
export const savedViewTables = {
  savedViews: {
    id: 'text',
    businessId: 'text',
    ownerId: 'text',
    list: 'text',
    name: 'text',
    filtersJson: 'text',
    isShared: 'integer',
    createdAt: 'bigint',
  },
} satisfies Record<string, Columns>;

/** Filters of lists under a name. */
export const savedViewsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'savedViews', { columns: savedViewTables.savedViews });
    await db.schema.createIndex('savedViews_business').on('savedViews').columns(['businessId', 'id']).execute();
    await db.schema
      .createIndex('savedViews_name')
      .unique()
      .on('savedViews')
      .columns(['businessId', 'ownerId', 'list', 'name'])
      .execute();
  },
};
