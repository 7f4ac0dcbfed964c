import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import SqliteConnection from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { createSchema } from './migrations/migrate.ts';
import { type CopiedRow, type Load, listed, notCopied, PlaceNotEmpty, quoted, type Snapshot } from './snapshot.ts';
import { migrationsOver } from './sqlite.ts';
import { refuseNotWritable } from './sqlite-rights.ts';
import type { DatabaseState } from './state.ts';

/** Opens a snapshot of a SQLite file, also while other processes write to it. Readers do not delay writers. */
export function sqliteSnapshot(file: string): Snapshot {
  const connection = readerOf(file);
  const names = (text: string) => connection.prepare<[], string>(text).pluck().all();
  // The first read fixes the moment: everything read before COMMIT is of it.
  connection.exec('BEGIN');
  const migrations = names(`SELECT name FROM ${quoted(DEFAULT_MIGRATION_TABLE)} ORDER BY timestamp, name`);
  const tables = names(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
    .filter(name => !notCopied.has(name))
    .map(name => ({ name, columns: names(`SELECT name FROM pragma_table_info('${name}') ORDER BY cid`) }));
  return {
    migrations,
    tables,
    async *rows({ name, columns }) {
      const order = name === 'events' ? 'ORDER BY position' : '';
      const all = connection.prepare<[], CopiedRow>(`SELECT ${listed(columns)} FROM ${quoted(name)} ${order}`);
      yield* all.raw().iterate();
    },
    async close() {
      connection.close();
    },
  };
}

/** While no process has the file open, also a reader writes files beside it. @throws DatabaseNotWritable if it may not */
function readerOf(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { readonly: true, fileMustExist: true });
  try {
    connection.pragma('schema_version');
    return connection;
  } catch (error) {
    connection.close();
    refuseNotWritable(file);
    throw error;
  }
}

/**
 * Creates a SQLite file with the schema that these migrations made.
 * @throws PlaceNotEmpty if the file exists
 */
export async function sqliteLoad(file: string, migrations: readonly string[]): Promise<Load> {
  if (existsSync(file)) throw new PlaceNotEmpty(`${file} exists`);
  const connection = new SqliteConnection(file);
  // A crash leaves a file that is not in use yet; it becomes durable as a whole.
  connection.pragma('journal_mode = OFF');
  connection.pragma('synchronous = OFF');
  await createSchema({ db: migrationsOver(connection), dialect: 'sqlite' }, migrations);
  connection.exec('BEGIN');
  return {
    async insert({ name, columns }, rows) {
      const values = columns.map(() => '?').join(', ');
      const insert = connection.prepare(`INSERT INTO ${quoted(name)} (${listed(columns)}) VALUES (${values})`);
      for (const row of rows) insert.run(...row);
    },
    async commit() {
      connection.exec('COMMIT');
      connection.close();
      const written = openSync(file, 'r+');
      fsyncSync(written);
      closeSync(written);
    },
    async abandon() {
      connection.close();
    },
  };
}

/** The tables that these migrations make, each with its columns and whether they need a value. */
export async function tablesMadeBy(
  migrations: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>> {
  const connection = new SqliteConnection(':memory:');
  try {
    await createSchema({ db: migrationsOver(connection), dialect: 'sqlite' }, migrations);
    const made = new Map<string, Map<string, boolean>>();
    const columns = connection
      .prepare<[], { table: string; name: string; required: number }>(
        `SELECT t.name AS "table", c.name, c."notnull" AS required
         FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
      )
      .all();
    for (const { table, name, required } of columns)
      made.set(table, (made.get(table) ?? new Map<string, boolean>()).set(name, required === 1));
    return made;
  } finally {
    connection.close();
  }
}

/** Whether another process has this file open. It is told by the lock that each keeps on it. */
export function isOpenElsewhere(file: string): boolean {
  refuseNotWritable(file);
  const connection = new SqliteConnection(file, { fileMustExist: true, timeout: 0 });
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    connection.close();
  }
}

/** Looks at a SQLite file without migrating it. @throws if it cannot be opened */
export function sqliteState(file: string): DatabaseState {
  const reader = new SqliteConnection(file, { readonly: true, fileMustExist: true });
  try {
    const first = (text: string) => String(reader.prepare<[], unknown>(text).pluck().get());
    const hasSchema = first(`SELECT count(*) FROM sqlite_schema WHERE name = '${DEFAULT_MIGRATION_TABLE}'`) === '1';
    const damage = first('PRAGMA quick_check(1)');
    return {
      version: `SQLite ${first('SELECT sqlite_version()')}`,
      migrations: hasSchema
        ? reader
            .prepare<[], string>(`SELECT name FROM ${quoted(DEFAULT_MIGRATION_TABLE)} ORDER BY timestamp, name`)
            .pluck()
            .all()
        : [],
      notWritable: whyNotWritable(file),
      damage: damage === 'ok' ? null : damage,
      now: null,
      notes: [],
    };
  } finally {
    reader.close();
  }
}

/** Longer than any transaction of a service. */
const lockWaitMs = 2_000;

function whyNotWritable(file: string): string | null {
  const writer = new SqliteConnection(file, { fileMustExist: true, timeout: lockWaitMs });
  try {
    // Takes the lock of a writer and changes nothing.
    writer.exec('BEGIN IMMEDIATE; ROLLBACK');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    writer.close();
  }
}
