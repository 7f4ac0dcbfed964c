import type { Tables } from '@florin/backend/foundation/database/database.ts';
import {
  MigrationHeldUp,
  type Migrations,
  migrate,
  releasedMigrations,
} from '@florin/backend/foundation/database/migrations/migrate.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anEmptyDatabase } from '../../support/backend.ts';
import { testClock } from '../../support/clock.ts';

/** A PostgreSQL database without tables, a process that migrates it, and sessions of others. */
async function anEmptySchema() {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = await anEmptyDatabase('postgres');
  const connectionString = DATABASE_DIRECT_URL ?? DATABASE_URL;
  const ignored = () => undefined;
  const poolOf = () => {
    const pool = new pg.Pool({ connectionString });
    return pool.on('error', ignored).on('connect', client => client.on('error', ignored));
  };
  let logged = '';
  const log = createLog({ level: 'info', destination: { write: (line: string) => (logged += line) } });
  const timers = testClock();
  const others = poolOf();
  onTestFinished(() => others.end());
  return {
    timers,
    logged: () => logged,
    others,
    /** As a process that starts. */
    async migrated(migrations: Migrations): Promise<void> {
      const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf() }) });
      onTestFinished(() => db.destroy());
      await migrate({ db, dialect: 'postgres', timers, log }, migrations);
    },
    async applied(): Promise<string[]> {
      const { rows } = await others.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
      return rows.map(({ name }) => name);
    },
  };
}

const released = releasedMigrations('postgres');
const until = (name: string) => Object.fromEntries(Object.entries(released).filter(([other]) => other < name));

test('a migration that waits for a reader lets other readers through, and is done once the reader has ended', async () => {
  const { migrated, others, timers, logged, applied } = await anEmptySchema();
  await migrated(until('0021'));
  const reader = await others.connect();
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await reader.query('SELECT count(*) FROM discrepancies');
  const migrating = migrated(released);
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'alter table "discrepancies"%'`;
  await vi.waitUntil(async () => (await others.query(waiting)).rowCount === 1, { timeout: 10_000, interval: 5 });
  await others.query('SELECT count(*) FROM discrepancies');
  await vi.waitUntil(() => timers.isWaiting(), { timeout: 10_000 });
  expect(logged()).toContain('the migration waits for another session');
  await reader.query('COMMIT');
  reader.release();
  timers.advance({ seconds: 5 });
  await migrating;
  expect(await applied()).toEqual(Object.keys(released));
});

test('a migration that never gets its table fails in one line; those before it are kept', async () => {
  const { migrated, timers, applied } = await anEmptySchema();
  const never: Migrations[string] = {
    async up(db) {
      await sql`create table "halfway" (id text)`.execute(db);
      await sql.raw(`do $$ begin raise 'planted' using errcode = 'lock_not_available'; end $$`).execute(db);
    },
  };
  const refused = migrated({ ...released, '9999-never': never }).catch((error: unknown) => error);
  let isOver = false;
  void refused.then(() => (isOver = true));
  await vi.waitUntil(
    () => {
      timers.advance({ seconds: 5 });
      return isOver;
    },
    { timeout: 20_000, interval: 1 },
  );
  expect(await refused).toBeInstanceOf(MigrationHeldUp);
  expect(String(await refused)).toContain('9999-never');
  expect(String(await refused)).not.toContain('\n');
  expect(await applied()).toEqual(Object.keys(released));
});

test('processes that start together migrate once', async () => {
  const { migrated, applied } = await anEmptySchema();
  let runs = 0;
  const counted: Migrations[string] = {
    async up() {
      runs += 1;
    },
  };
  const migrations = { ...released, '9999-counted': counted };
  await Promise.all([migrated(migrations), migrated(migrations), migrated(migrations)]);
  expect(runs).toBe(1);
  expect(await applied()).toEqual(Object.keys(migrations));
});
