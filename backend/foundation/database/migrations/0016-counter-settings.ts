import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';

/** The columns that it adds to `businesses`. */
export const counterSettingsColumns = {
  quickAmountsJson: 'text',
  confirmAboveMinor: 'bigint?',
  playsSounds: 'integer',
} satisfies Columns;

/** What staff find at a terminal. Existing businesses, and those that the previous version still creates, have all of it off. */
export const counterSettings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const required = (initial: string | number) => (column: ColumnDefinitionBuilder) =>
      column.notNull().defaultTo(sql.lit(initial));
    const table = () => db.schema.alterTable('businesses');
    await table().addColumn('quickAmountsJson', 'text', required('[]')).execute();
    await table().addColumn('confirmAboveMinor', 'bigint').execute();
    await table().addColumn('playsSounds', 'integer', required(0)).execute();
  },
};
