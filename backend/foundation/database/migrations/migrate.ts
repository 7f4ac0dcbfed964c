import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Tables } from '../database.ts';
import { initial } from './0001-initial.ts';

export type MigrationContext = { readonly db: Kysely<Tables>; readonly dialect: 'sqlite' | 'postgres' };

/** All schema migrations, in order of name. A released one is never edited; a later one corrects it. */
const migrationsFor = ({ dialect }: MigrationContext): Record<string, Migration> => ({
  '0001-initial': initial(dialect),
});

/** Migrates the schema. Safe when several processes start at once: one migrates, the others wait for it. */
export async function migrate(context: MigrationContext): Promise<void> {
  const migrations = migrationsFor(context);
  if (await isUpToDate(context.db, Object.keys(migrations))) return;
  const migrator = new Migrator({ db: context.db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
}

/** One query in the common case; anything unexpected is left to the migrator, which reads every table first. */
async function isUpToDate(db: Kysely<Tables>, names: readonly string[]): Promise<boolean> {
  const applied = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`
    .execute(db)
    .catch(() => undefined);
  const expected = names.toSorted();
  return applied?.rows.length === expected.length && applied.rows.every(({ name }, index) => name === expected[index]);
}
