import { hash } from 'node:crypto';
import type { Tables } from '@florin/backend/foundation/database/database.ts';
import type { Columns } from '@florin/backend/foundation/database/migrations/0001-tables/columns.ts';
import { tables as firstTables } from '@florin/backend/foundation/database/migrations/0001-tables.ts';
import {
  type Migrations,
  migrate,
  releasedMigrations,
  SchemaNotKnown,
} from '@florin/backend/foundation/database/migrations/migrate.ts';
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

/** An empty database and two programs that may use it: one with these migrations, one with those. */
async function anEmptySchema(kind: DatabaseKind): Promise<Kysely<Tables>> {
  const { DATA = '', DATABASE_URL } = await anEmptyDatabase(kind);
  const dialect =
    kind === 'sqlite'
      ? new SqliteDialect({ database: new SqliteDriver(`${DATA}/backend.db`) })
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: DATABASE_URL }) });
  const db = new Kysely<Tables>({ dialect });
  onTestFinished(() => db.destroy());
  return db;
}

/** One row in each table, with a value in each column. */
async function aRowInEachTable(db: Kysely<Tables>): Promise<void> {
  for (const [table, columns] of Object.entries<Columns>(firstTables)) {
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
