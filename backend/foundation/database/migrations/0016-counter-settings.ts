import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The columns that it adds to `businesses`. */
export const counterSettingsColumns = {
  quickAmountsJson: 'text',
  confirmAboveMinor: 'bigint?',
  playsSounds: 'integer',
} satisfies Columns;

/** What staff find at a terminal. Existing businesses, and those that the previous version still creates, have all of it off. */
export const counterSettings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'businesses', counterSettingsColumns, { quickAmountsJson: '[]', playsSounds: 0 });
  },
};
