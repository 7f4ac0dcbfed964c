import { hash } from 'node:crypto';
import { columns as lastTables } from '@florin/backend/foundation/database/columns.ts';
import type { Tables } from '@florin/backend/foundation/database/database.ts';
import type { Columns } from '@florin/backend/foundation/database/migrations/0001-tables/columns.ts';
import { tables as firstTables } from '@florin/backend/foundation/database/migrations/0001-tables.ts';
import {
  type Migrations,
  migrate,
  releasedMigrations,
  SchemaNotKnown,
} from '@florin/backend/foundation/database/migrations/migrate.ts';
import { postgresLoad, postgresSnapshot } from '@florin/backend/foundation/database/postgres-snapshot.ts';
import type { CopiedRow, Snapshot } from '@florin/backend/foundation/database/snapshot.ts';
import { sqliteLoad, sqliteSnapshot } from '@florin/backend/foundation/database/sqlite-snapshot.ts';
import { inEarlierSchema } from '@florin/backend/programs/backup/earlier.ts';
import SqliteDriver from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  SqliteDialect,
  sql,
} from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anEmptyDatabase, type DatabaseKind, eachDatabase } from '../../support/backend.ts';

/**
 * What each released migration runs, on each database. A difference means that a released migration was edited: write a
 * new migration instead. Only a new one adds a line here.
 */
const released: Readonly<Record<string, Readonly<Record<DatabaseKind, string>>>> = {
  '0001-first-release': {
    sqlite: 'c7ab826d849cdfba96f2bb8f413670278e7b5a9c85f0342c3edef46e60b9b998',
    postgres: '5f4eaa3efa7a74fd59f80464e8862a8b0a4ecf2005cb9f8e6cb11501579baed8',
  },
  '0002-portal-users': {
    sqlite: '724fc5332e237bccf01628bf9d64050b719b0d3c9b9f0ce22ea0db5eb6e6ced4',
    postgres: '724fc5332e237bccf01628bf9d64050b719b0d3c9b9f0ce22ea0db5eb6e6ced4',
  },
  '0003-portal-records': {
    sqlite: '59bd562d953537a3ddb0cd6ff7d5adf204388cfc655ca95227a62fb3d926062f',
    postgres: 'dac36b7cec067ac91bf3a91f26400809dce23f6726f80c368ed40944f332710a',
  },
  '0004-search-and-exports': {
    sqlite: 'dd132729e21771db534435b4dcd81b3c5d39d41c79749c92fbe2ff68fb830abf',
    postgres: 'dd132729e21771db534435b4dcd81b3c5d39d41c79749c92fbe2ff68fb830abf',
  },
  '0005-api-requests': {
    sqlite: 'f6edebc088e7cb42522a52f40a40919d3569181c35882cf41272ae31593194c0',
    postgres: '7cc4b3a9a4888043f565f7170d31189ff8ac54a737fd3090a4bbb3ca42967839',
  },
  '0006-receipts': {
    sqlite: '8e95d85eef239392bc6302b42a51d6a7d5e004d1cc4df9fdd5ae205eb65a2c34',
    postgres: '5d93a9937cac705743a92c68333f7f4c1c9737198bb63f42dc162908397c3af0',
  },
  '0007-webhook-health': {
    sqlite: 'b8528f4a89dcaaebdb80111cd7f829c381eccd337ddd3c30ed9d2e70619b040e',
    postgres: 'b8528f4a89dcaaebdb80111cd7f829c381eccd337ddd3c30ed9d2e70619b040e',
  },
  '0008-receipt-printed': {
    sqlite: '56eaa3ab510aa6296d8e7cd96cf62745897408efbbe8edc1100d30c93c78cb48',
    postgres: '56eaa3ab510aa6296d8e7cd96cf62745897408efbbe8edc1100d30c93c78cb48',
  },
  '0012-approvals': {
    sqlite: '4d95ba8569f3260e544d22843ed77586305667868528a36ac8e626f109f746c5',
    postgres: '4d95ba8569f3260e544d22843ed77586305667868528a36ac8e626f109f746c5',
  },
  '0013-saved-views': {
    sqlite: 'f3a0577096fe6c82d6d5bc440c8e08960df2d51d47d1dfdc1c820d103a66ee84',
    postgres: 'f3a0577096fe6c82d6d5bc440c8e08960df2d51d47d1dfdc1c820d103a66ee84',
  },
  '0016-counter-settings': {
    sqlite: 'cbe5f2cf8f738f58353929af67297d3c1d11afb003ae3cb388c7a1c0b8b1ab8e',
    postgres: 'cbe5f2cf8f738f58353929af67297d3c1d11afb003ae3cb388c7a1c0b8b1ab8e',
  },
  '0017-sale-facts': {
    sqlite: '7da2e025c92c7aa2db0d60d8107933f210c86b0d1258016cc1a6bd5ad66615f0',
    postgres: '7da2e025c92c7aa2db0d60d8107933f210c86b0d1258016cc1a6bd5ad66615f0',
  },
  '0018-tips': {
    sqlite: 'e79370852c1bfaeacf8e1a5197cb97141673d7bc957b24522a7e383dfc62ca48',
    postgres: 'e79370852c1bfaeacf8e1a5197cb97141673d7bc957b24522a7e383dfc62ca48',
  },
  '0019-permanent-keys': {
    sqlite: 'cfa4b295f2571af453ee030752786d26e2a70b6335797510aba06edcc0d68021',
    postgres: 'cfa4b295f2571af453ee030752786d26e2a70b6335797510aba06edcc0d68021',
  },
  '0020-traces': {
    sqlite: '98d86aee81de103bd8aad78bd3090362c1cc7a14ba1c4dab0b06af0ccb276058',
    postgres: '98d86aee81de103bd8aad78bd3090362c1cc7a14ba1c4dab0b06af0ccb276058',
  },
  '0021-reader-closings': {
    sqlite: '9d95da6e67fd2a603673d39404386a889eb6ee1d7c1a6bd14453b8752ae1e90c',
    postgres: '3950357b9d64cdfcfcd2ddb9f733117b675b056eb7ef0bf4c67efcd1434789ed',
  },
  '0022-terminal-care': {
    sqlite: '9115c3a83b79714e0621d74f44593a4c88d3489eca823d51af10c5e0dff03aa5',
    postgres: '9115c3a83b79714e0621d74f44593a4c88d3489eca823d51af10c5e0dff03aa5',
  },
  '0023-reference-search': {
    sqlite: 'ab4ac7b321390a53f6d68a32bfcdc0191fa3cf2f2c41ff03fd04be175cb4d647',
    postgres: '9e405a033b9ea795aa730fd9a5b23a9e9cf6c3181dabf1290f3a1ec406870110',
  },
};

async function statementsOf(kind: DatabaseKind, name: string): Promise<string> {
  const statements: string[] = [];
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('a migration does not read the schema');
      },
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await releasedMigrations(kind)[name]?.up(db);
  return hash('sha256', statements.join('\n'));
}

describe.each(['sqlite', 'postgres'] as const)('the released migrations on %s', kind => {
  test('are those that were released, unchanged', async () => {
    const names = Object.keys(releasedMigrations(kind));
    expect(names).toEqual(Object.keys(released));
    for (const name of names) expect([name, await statementsOf(kind, name)]).toEqual([name, released[name]?.[kind]]);
  });
});

/** A value of the type of a column that the checks of every table accept. */
function valueFor(table: string, column: string, type: string): string | number {
  if (type.startsWith('text')) return `${table}.${column}`;
  return type.startsWith('positive') || ['number', 'amountMinor', 'amountSats'].includes(column) ? 1 : 0;
}

type Settings = Awaited<ReturnType<typeof anEmptyDatabase>>;

/** An empty database and two programs that may use it: one with these migrations, one with those. */
async function anEmptySchema(kind: DatabaseKind, settings?: Settings): Promise<Kysely<Tables>> {
  const { DATA = '', DATABASE_URL } = settings ?? (await anEmptyDatabase(kind));
  const pool = new pg.Pool({ connectionString: DATABASE_URL });
  // A pool has ended before its connections have, and these are told when the database is dropped.
  pool.on('error', () => undefined).on('connect', client => client.on('error', () => undefined));
  const dialect =
    kind === 'sqlite'
      ? new SqliteDialect({ database: new SqliteDriver(`${DATA}/backend.db`) })
      : new PostgresDialect({ pool });
  const db = new Kysely<Tables>({ dialect });
  onTestFinished(() => db.destroy());
  return db;
}

/** One row in each table, with a value in each column. */
async function aRowInEachTable(db: Kysely<Tables>, tables: Readonly<Record<string, Columns>> = firstTables) {
  for (const [table, columns] of Object.entries(tables)) {
    const row = Object.entries(columns).map(([name, type]) => [name, valueFor(table, name, type)]);
    await db
      .insertInto(table as 'payments')
      .values(Object.fromEntries(row))
      .execute();
  }
}

async function rowsOf(db: Kysely<Tables>): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const [table, columns] of Object.entries<Columns>(firstTables)) {
    const names = Object.keys(columns).map(name => sql.ref(name));
    rows[table] = (await sql`select ${sql.join(names)} from ${sql.table(table)}`.execute(db)).rows;
  }
  return rows;
}

/** Stands for the first migration after the release: a column that is added and filled. */
const nextMigration: Migrations[string] = {
  async up(db) {
    await sql`alter table payments add column "note" text`.execute(db);
    await sql`update payments set "note" = id`.execute(db);
  },
};

eachDatabase('an upgrade', kind => {
  const first = () => ({ '0001-first-release': releasedMigrations(kind)['0001-first-release'] ?? nextMigration });
  const next = () => ({ ...releasedMigrations(kind), '9999-next': nextMigration });

  test('from the first release to this one and to a next one keeps every row', async () => {
    const db = await anEmptySchema(kind);
    await migrate({ db, dialect: kind }, first());
    await aRowInEachTable(db);
    const before = await rowsOf(db);
    expect(Object.values(before).filter(rows => (rows as unknown[]).length !== 1)).toEqual([]);
    await migrate({ db, dialect: kind });
    expect(await rowsOf(db)).toEqual(before);
    await migrate({ db, dialect: kind }, next());
    expect(await rowsOf(db)).toEqual(before);
    const { rows } = await sql<{ note: string }>`select note from payments`.execute(db);
    expect(rows).toEqual([{ note: 'payments.id' }]);
  });

  test('that another program made is refused in one line, and changes nothing', async () => {
    const db = await anEmptySchema(kind);
    await migrate({ db, dialect: kind }, next());
    await aRowInEachTable(db);
    const before = await rowsOf(db);
    const refusal = await migrate({ db, dialect: kind }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaNotKnown);
    expect(String(refusal)).toContain('(9999-next), most likely a newer one');
    expect(String(refusal)).not.toContain('\n');
    expect(await rowsOf(db)).toEqual(before);
  });
});

/** The rows of each table in its own columns, as a program of that schema finds them. */
async function contentOf(snapshot: Snapshot): Promise<Record<string, Record<string, unknown>[]>> {
  const content: Record<string, Record<string, unknown>[]> = {};
  for (const table of snapshot.tables) {
    const rows: CopiedRow[] = [];
    for await (const row of snapshot.rows(table)) rows.push(row);
    content[table.name] = rows.map(row => Object.fromEntries(table.columns.map((name, index) => [name, row[index]])));
  }
  return content;
}

type Content = Awaited<ReturnType<typeof contentOf>>;

/** The same rows of `all` in the tables and columns that `some` has; how far a consumer of events came is compared on its own. */
function inColumnsOf(some: Content, all: Content): Content {
  return Object.fromEntries(
    Object.entries(some).map(([table, rows]) => [
      table,
      rows.map((row, index) => {
        const same = all[table]?.[index] ?? {};
        const values = Object.keys(row).map(name => [name, same[name]]);
        return { ...Object.fromEntries(values), ...(table === 'eventConsumers' && { position: row.position }) };
      }),
    ]),
  );
}

const columnsIn = ({ tables }: Snapshot) =>
  Object.fromEntries(tables.map(({ name, columns }) => [name, columns.toSorted()]));

eachDatabase('the way back', kind => {
  const snapshotIn = ({ DATA, DATABASE_URL = '' }: Settings) =>
    kind === 'sqlite' ? sqliteSnapshot(`${DATA}/backend.db`) : postgresSnapshot(DATABASE_URL);

  test('walks the last released schemas, and to the first: each takes all that it has a place for, and leads to this one again', async () => {
    const place = await anEmptyDatabase(kind);
    const db = await anEmptySchema(kind, place);
    await migrate({ db, dialect: kind });
    const { discrepancies, events, eventConsumers, ...others } = lastTables;
    await aRowInEachTable(db, others);
    const rowOf = (table: string, columns: Columns, values: object) => ({
      ...Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, valueFor(table, name, type)])),
      ...values,
    });
    const insert = (table: string, columns: Columns, values: object) =>
      db
        .insertInto(table as 'payments')
        .values(rowOf(table, columns, values) as never)
        .execute();
    await insert('discrepancies', discrepancies, { id: 'of a payment', evidenceKey: '1' });
    await insert('discrepancies', discrepancies, { id: 'of none', evidenceKey: '2', paymentId: null });
    await insert('events', events, { id: '1', position: 1, subjectId: 'of a payment' });
    await insert('events', events, { id: '2', position: 2, subjectId: 'of none', paymentId: null });
    await insert('eventConsumers', eventConsumers, { position: 2 });
    const whole = await snapshotIn(place);
    onTestFinished(() => whole.close());
    const before = await contentOf(whole);

    const names = Object.keys(released);
    for (const name of ['0001-first-release', ...names.slice(-4, -1)]) {
      const { earlier, leftOut } = await inEarlierSchema(whole, name);
      const earlierPlace = await anEmptyDatabase(kind);
      const { DATA, DATABASE_URL = '' } = earlierPlace;
      const load = await (kind === 'sqlite'
        ? sqliteLoad(`${DATA}/backend.db`, earlier.migrations)
        : postgresLoad(DATABASE_URL, earlier.migrations));
      for (const table of earlier.tables) {
        for await (const row of earlier.rows(table)) await load.insert(table, [row]);
      }
      await load.commit();
      const restored = await snapshotIn(earlierPlace);
      const found = await contentOf(restored);
      await restored.close();
      expect(restored.migrations).toEqual(names.filter(one => one <= name));
      const isOfNone = name < '0021';
      expect([name, found.discrepancies?.length, found.events?.length, found.eventConsumers?.[0]?.position]).toEqual([
        name,
        ...(isOfNone ? [1, 1, 1] : [2, 2, 2]),
      ]);
      expect([name, leftOut.rows.discrepancies, leftOut.rows.events]).toEqual([
        name,
        ...(isOfNone ? [1, 1] : [undefined, undefined]),
      ]);
      expect(inColumnsOf(found, before)).toEqual(found);

      const again = await anEmptySchema(kind, earlierPlace);
      await migrate({ db: again, dialect: kind });
      const upgraded = await snapshotIn(earlierPlace);
      expect(columnsIn(upgraded)).toEqual(columnsIn(whole));
      expect(inColumnsOf(found, await contentOf(upgraded))).toEqual(found);
      await upgraded.close();
      await again.destroy();
    }
  });
});
