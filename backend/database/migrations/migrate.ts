import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Tables } from '../schema.ts';
import { initial } from './0001-initial.ts';

export type MigrationContext = { readonly db: Kysely<Tables>; readonly dialect: 'sqlite' | 'postgres' };

/** Every change of the schema, in order of name. A released one is never edited: the next one corrects it. */
const migrationsFor = ({ dialect }: MigrationContext): Record<string, Migration> => ({
  '0001-initial': initial(dialect),
});

/** Brings the schema up to date. Safe when several processes start at once: one migrates, the others wait for it. */
export async function migrate(context: MigrationContext): Promise<void> {
  const migrator = new Migrator({ db: context.db, provider: { getMigrations: async () => migrationsFor(context) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
}
