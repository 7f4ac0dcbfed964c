import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';

/** The column that it adds to `terminalChannels`. */
export const terminalHealthColumns = { healthJson: 'text?' } satisfies Columns;

/** What a terminal reports beside its readiness. Terminals of the previous version, and its own processes, report none. */
export const terminalHealthMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('terminalChannels').addColumn('healthJson', 'text').execute();
  },
};
