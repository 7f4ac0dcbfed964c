import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';

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
    let builder = db.schema.createTable('savedViews');
    for (const [name, type] of Object.entries(savedViewTables.savedViews))
      builder = builder.addColumn(name, type as 'text', column => column.notNull());
    await builder.addPrimaryKeyConstraint('savedViews_key', ['id'] as never).execute();
    await db.schema.createIndex('savedViews_business').on('savedViews').columns(['businessId', 'id']).execute();
    await db.schema
      .createIndex('savedViews_name')
      .unique()
      .on('savedViews')
      .columns(['businessId', 'ownerId', 'list', 'name'])
      .execute();
  },
};
