import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Tables } from '../database.ts';
import { initial } from './0001-first-release.ts';
import { portalUsers } from './0002-portal-users.ts';
import { portalRecords } from './0003-portal-records.ts';
import { searchAndExports } from './0004-search-and-exports.ts';
import { apiRequests } from './0005-api-requests.ts';
import { receipts } from './0006-receipts.ts';
import { webhookHealth } from './0007-webhook-health.ts';
import { receiptPrinted } from './0008-receipt-printed.ts';
import { approvals } from './0012-approvals.ts';
import { savedViewsMigration } from './0013-saved-views.ts';
import { counterSettings } from './0016-counter-settings.ts';
import { saleFacts } from './0017-sale-facts.ts';
import { tips } from './0018-tips.ts';
import { permanentKeys } from './0019-permanent-keys.ts';
import { traces } from './0020-traces.ts';
import { readerClosings } from './0021-reader-closings.ts';
import { terminalCare } from './0022-terminal-care.ts';
import { referenceSearch } from './0023-reference-search.ts';

export type MigrationContext = { readonly db: Kysely<Tables>; readonly dialect: 'sqlite' | 'postgres' };

export type Migrations = Readonly<Record<string, Migration>>;

/** All schema migrations, in order of name. A released one is never edited; a later one corrects it. */
export const releasedMigrations = (dialect: MigrationContext['dialect']): Migrations => ({
  '0001-first-release': initial(dialect),
  '0002-portal-users': portalUsers,
  '0003-portal-records': portalRecords(dialect),
  '0004-search-and-exports': searchAndExports(),
  '0005-api-requests': apiRequests(dialect),
  '0006-receipts': receipts(dialect),
  '0007-webhook-health': webhookHealth,
  '0008-receipt-printed': receiptPrinted,
  '0012-approvals': approvals,
  '0013-saved-views': savedViewsMigration,
  '0016-counter-settings': counterSettings,
  '0017-sale-facts': saleFacts,
  '0018-tips': tips,
  '0019-permanent-keys': permanentKeys,
  '0020-traces': traces,
  '0021-reader-closings': readerClosings(dialect),
  '0022-terminal-care': terminalCare,
  '0023-reference-search': referenceSearch(dialect),
});

/** The database has migrations that this program does not know; nothing was changed. */
export class SchemaNotKnown extends Error {
  override name = 'SchemaNotKnown';
  readonly code = 'SCHEMA_NOT_KNOWN';
}

/**
 * Migrates the schema. Safe when several processes start at once: one migrates, the others wait for it.
 * @throws SchemaNotKnown when another version of Florin, most likely a newer one, has changed the schema.
 */
export async function migrate(
  context: MigrationContext,
  migrations = releasedMigrations(context.dialect),
): Promise<void> {
  const applied = await appliedMigrations(context.db);
  const unknown = applied.filter(name => migrations[name] === undefined);
  if (unknown.length > 0)
    throw new SchemaNotKnown(
      `the database was changed by another version of Florin (${unknown.join(', ')}), most likely a newer one; start that version, or restore here what its backup create --for-schema ${Object.keys(migrations).at(-1)} writes`,
    );
  if (applied.length === Object.keys(migrations).length) return;
  await migrateAll(context, migrations);
}

/** Makes the schema as these released migrations left it, in a database without tables. */
export async function createSchema(context: MigrationContext, names: readonly string[]): Promise<void> {
  const released = Object.entries(releasedMigrations(context.dialect));
  await migrateAll(context, Object.fromEntries(released.filter(([name]) => names.includes(name))));
}

async function migrateAll(context: MigrationContext, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({ db: context.db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
}

/** One query in the common case. Without the list of migrations it is empty, and the migrator reads every table first. */
async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const list = sql.table(DEFAULT_MIGRATION_TABLE);
  const applied = await sql<{ name: string }>`select name from ${list} order by name`
    .execute(db)
    .catch(() => undefined);
  return applied?.rows.map(({ name }) => name) ?? [];
}
