import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import pg from 'pg';
import type { Tables } from './database.ts';
import { createSchema } from './migrations/migrate.ts';
import { type Load, listed, notCopied, PlaceNotEmpty, quoted, type Snapshot } from './snapshot.ts';
import type { DatabaseState } from './state.ts';

const rowsPerFetch = 1_000;

/** bigint as a number: all values of the schema are within a double's exact range. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, types });
  await client.connect();
  return client;
}

async function namesOf(client: pg.Client, text: string, values: readonly string[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, [...values]);
  return rows.map(({ name }) => name);
}

const tableNames = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename';

/** Opens a snapshot of a PostgreSQL database, also while others write to it. Readers do not delay writers. */
export async function postgresSnapshot(connectionString: string): Promise<Snapshot> {
  const client = await connected(connectionString);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const migrations = await namesOf(
    client,
    `SELECT name FROM ${quoted(DEFAULT_MIGRATION_TABLE)} ORDER BY timestamp, name`,
  );
  const copied = (await namesOf(client, tableNames)).filter(name => !notCopied.has(name));
  const tables = [];
  for (const name of copied) {
    const columns = await namesOf(
      client,
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'NO' ORDER BY ordinal_position`,
      [name],
    );
    tables.push({ name, columns });
  }
  return {
    migrations,
    tables,
    async *rows({ name, columns }) {
      // Events that were not given a position yet come last, as they will be placed.
      const order = name === 'events' ? 'ORDER BY position NULLS LAST, sequence' : '';
      await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${listed(columns)} FROM ${quoted(name)} ${order}`);
      for (;;) {
        const { rows } = await client.query<(string | number | null)[]>({
          text: `FETCH ${rowsPerFetch} FROM copied`,
          rowMode: 'array',
        });
        yield* rows;
        if (rows.length < rowsPerFetch) break;
      }
      await client.query('CLOSE copied');
    },
    close: () => client.end(),
  };
}

/**
 * Creates the schema that these migrations made, in one transaction with what is then loaded.
 * @throws PlaceNotEmpty if the database has tables
 */
export async function postgresLoad(connectionString: string, migrations: readonly string[]): Promise<Load> {
  const client = await connected(connectionString);
  const abandon = async () => {
    try {
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
  };
  try {
    await client.query('BEGIN');
    const [table] = await namesOf(client, tableNames);
    if (table !== undefined) throw new PlaceNotEmpty(`the database has tables, such as ${table}`);
    await createSchema(
      { db: new Kysely<Tables>({ dialect: new OneTransaction(client) }), dialect: 'postgres' },
      migrations,
    );
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    async insert({ name, columns }, rows) {
      const list = listed(columns);
      const objects = rows.map(row => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
      await client.query(
        `INSERT INTO ${quoted(name)} (${list}) SELECT ${list} FROM json_populate_recordset(null::${quoted(name)}, $1)`,
        [JSON.stringify(objects)],
      );
    },
    async commit() {
      await client.query('COMMIT');
      await client.query('ANALYZE');
      await client.end();
    },
    abandon,
  };
}

/** Migrations in a transaction that is open already. */
class OneTransaction extends PostgresDialect {
  constructor(client: pg.Client) {
    const connection = Object.assign(client, { release() {} });
    super({ pool: { connect: async () => connection as never, end: async () => {}, options: {} as never } });
  }
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override get supportsTransactionalDdl(): boolean {
        return false;
      }
    })();
  }
}

/** A session that was closed is listed for a moment longer. */
const looks = 10;

/** Whether a process of the service uses this database: each has a session that waits for notifications, and does nothing else. */
export async function isServed(connectionString: string): Promise<boolean> {
  const client = await connected(connectionString);
  try {
    for (let look = 1; ; look += 1) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN %' LIMIT 1`,
      );
      if (rowCount === 0 || look === looks) return rowCount !== 0;
      await client.query('SELECT pg_sleep(0.1)');
    }
  } finally {
    await client.end();
  }
}

/** Looks at a PostgreSQL database without migrating it. @throws if it does not respond */
export async function postgresState(connectionString: string): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString, types, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string | null>>(
      `SELECT current_setting('server_version') AS version,
         (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now,
         pg_is_in_recovery()::text AS standby, current_setting('transaction_read_only') AS "readOnly",
         has_schema_privilege(current_schema(), 'CREATE')::text AS "mayCreate",
         current_setting('archive_mode') AS archiving, current_setting('fsync') AS fsync,
         to_regclass($1)::text AS migrations`,
      [quoted(DEFAULT_MIGRATION_TABLE)],
    );
    const [row = {}] = rows;
    const migrations = row.migrations
      ? await namesOf(client, `SELECT name FROM ${quoted(DEFAULT_MIGRATION_TABLE)} ORDER BY timestamp, name`)
      : [];
    return {
      version: `PostgreSQL ${row.version}`,
      migrations,
      notWritable: whyReadOnly(row),
      damage: row.fsync === 'off' ? 'fsync is off: a power failure may lose or damage records' : null,
      now: Number(row.now),
      notes: [`continuous archiving is ${row.archiving === 'off' ? 'off' : 'on'}`],
    };
  } finally {
    await client.end();
  }
}

function whyReadOnly(row: Readonly<Record<string, string | null>>): string | null {
  if (row.standby === 'true') return 'it is a standby server';
  if (row.readOnly === 'on') return 'its transactions are read-only';
  return row.mayCreate === 'true' ? null : 'its user may not create tables';
}
