import { type Log, type Timers, wait } from '@florin/shared/ports.ts';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { systemTimers } from '../../platform/system.ts';
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

export type MigrationContext = {
  readonly db: Kysely<Tables>;
  readonly dialect: 'sqlite' | 'postgres';
  readonly timers?: Timers | undefined;
  readonly log?: Log | undefined;
};

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

/** A migration did not get a table that it changes. It changed nothing; those before it are done. */
export class MigrationHeldUp extends Error {
  override name = 'MigrationHeldUp';
  readonly code = 'MIGRATION_HELD_UP';
}

/**
 * How long a migration waits for a table, with everyone who comes after it. Longer than PostgreSQL's deadlock_timeout, after
 * which an autovacuum that is in the way is cancelled.
 */
const lockWaitMs = 2_000;
/** Then the others go on, until it tries again. */
const pauseMs = 5_000;
/** Nearly five minutes. */
const maxTries = 40;
/** The lock was not to be had in time, or only after a deadlock. Nothing was changed. */
const heldUp: readonly unknown[] = ['55P03', '40P01'];

/**
 * Migrates the schema. Safe when several processes start at once: one migrates, the others wait for it. On PostgreSQL it
 * does not stop a service that uses the database: each migration is a transaction that waits only shortly for its tables.
 * @throws SchemaNotKnown when another version of Florin, most likely a newer one, has changed the schema.
 * @throws MigrationHeldUp when somebody has a table open for minutes.
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
  const disorder = disorderOf(applied, Object.keys(migrations));
  if (disorder !== undefined) throw new SchemaNotKnown(`the database ${disorder}`);
  if (applied.length === Object.keys(migrations).length) return;
  await (context.dialect === 'postgres' ? migrateEach(context, migrations) : migrateAll(context, migrations));
}

/**
 * In words how a schema is not one that these migrations pass through; undefined if it is. Only an unreleased build
 * leaves one: releases add migrations at the end.
 */
export function disorderOf(applied: readonly string[], known: readonly string[]): string | undefined {
  if (applied.length === known.length) return undefined;
  const index = applied.findIndex((name, at) => name !== known[at]);
  if (index < 0) return undefined;
  return `was made by an unreleased build of Florin (${applied[index]} was applied before ${known[index]}), and this version cannot upgrade it; start the build that made it, or restore a backup of a released version into an empty place`;
}

/** Makes the schema as these released migrations left it, in a database without tables. */
export async function createSchema(context: MigrationContext, names: readonly string[]): Promise<void> {
  const released = Object.entries(releasedMigrations(context.dialect));
  await migrateAll(context, Object.fromEntries(released.filter(([name]) => names.includes(name))));
}

const migratorOf = ({ db }: MigrationContext, migrations: Migrations) =>
  new Migrator({ db, provider: { getMigrations: async () => migrations } });

const thrown = ({ error }: MigrationResultSet) =>
  error instanceof Error ? error : new Error('the migration failed', { cause: error });

async function migrateAll(context: MigrationContext, migrations: Migrations): Promise<void> {
  const outcome = await migratorOf(context, migrations).migrateToLatest();
  if (outcome.error) throw thrown(outcome);
}

/** Each in a transaction of its own, and in competition with the other processes: whoever has the lock does the next one. */
async function migrateEach(context: MigrationContext, migrations: Migrations): Promise<void> {
  const { timers = systemTimers, log } = context;
  const shortly = Object.entries(migrations).map(([name, { up }]) => [name, { up: waitingShortly(up) }]);
  const migrator = migratorOf(context, Object.fromEntries(shortly));
  for (let tries = 1; ; tries += 1) {
    const outcome = await migrator.migrateUp();
    const migration = outcome.results?.[0]?.migrationName;
    if (!outcome.error && migration === undefined) return;
    if (!outcome.error) {
      tries = 0;
      continue;
    }
    if (!heldUp.includes((outcome.error as { code?: unknown }).code)) throw thrown(outcome);
    if (tries === maxTries)
      throw new MigrationHeldUp(
        `the migration ${migration} did not get the tables that it changes: another session, such as a backup or an open transaction of psql, has used one of them all the time (pg_stat_activity shows it). Nothing of it was changed; end that session, or start again once it has ended`,
        { cause: outcome.error },
      );
    log?.warn(
      { migration, tries },
      `the migration waits for another session, such as a backup, that uses a table it changes; it is tried again in ${pauseMs / 1_000} seconds, and requests are answered meanwhile`,
    );
    await wait(timers, pauseMs);
  }
}

const waitingShortly =
  (up: Migration['up']): Migration['up'] =>
  async db => {
    await sql`set local lock_timeout = ${sql.lit(lockWaitMs)}`.execute(db);
    await up(db);
  };

/** One query in the common case. Without the list of migrations it is empty, and the migrator reads every table first. */
async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const list = sql.table(DEFAULT_MIGRATION_TABLE);
  const applied = await sql<{ name: string }>`select name from ${list} order by timestamp, name`
    .execute(db)
    .catch(() => undefined);
  return applied?.rows.map(({ name }) => name) ?? [];
}
