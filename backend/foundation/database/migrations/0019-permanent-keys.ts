import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

/** The table that it adds. */
export const permanentKeyTables = {
  permanentKeys: { id: 'text', sealedKey: 'text' },
} satisfies Record<string, Columns>;

/** The key that stays when SECRETS_KEY is replaced; the next start stores it. */
export const permanentKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'permanentKeys', { columns: permanentKeyTables.permanentKeys });
  },
};
