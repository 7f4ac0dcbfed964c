import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@florin/backend/backend.ts';
import { readSettings } from '@florin/backend/config/settings.ts';
import { columns as tables } from '@florin/backend/foundation/database/columns.ts';
import type { Tables } from '@florin/backend/foundation/database/database.ts';
import { type Database, statement } from '@florin/backend/foundation/database/database.ts';
import type { Columns } from '@florin/backend/foundation/database/migrations/0001-tables/columns.ts';
import { CompiledQuery, type Generated } from 'kysely';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { anEmptyDatabase, eachDatabase } from '../../support/backend.ts';

/** The type of a column and whether it may be null. */
type Kind<Value> = [NonNullable<Value>] extends [string] ? 'text' : 'number';
type InRow<Value> = [Extract<Value, null>] extends [never] ? Kind<Value> : `${Kind<Value>} or null`;
type Rows = {
  [Table in keyof Tables]: {
    [Name in keyof Tables[Table] as Tables[Table][Name] extends Generated<infer _> ? never : Name]: InRow<
      Tables[Table][Name]
    >;
  };
};

type KindOf<Type> = Type extends 'text' ? 'text' : 'number';
type InTable<Type> = Type extends `${infer Base}?` ? `${KindOf<Base>} or null` : KindOf<Type>;
type Declared = {
  [Table in keyof typeof tables]: {
    [Name in keyof (typeof tables)[Table]]: InTable<(typeof tables)[Table][Name]>;
  };
};

test('the columns of the tables match the fields of the row types, with their types and nulls', () => {
  // The compiler checks this, because row types do not exist at run time.
  expectTypeOf<Declared>().toEqualTypeOf<Rows>();
  expectTypeOf<keyof Tables>().toEqualTypeOf<keyof typeof tables>();
});

test('every insert that is written out takes the columns of its table from their list', () => {
  const files = globSync('*/**/*.ts', { cwd: backend }).filter(file => !file.endsWith('.test.ts'));
  const inserts = files.flatMap(file => {
    const text = readFileSync(join(backend, file), 'utf8');
    return [...text.matchAll(/insertInto\(\s*'(\w+)'\s*\)\s*\.\w+\((?:rowFor\(arg, '(\w+)')?/g)].map(
      ([, table, named]) => ({ file, table, named }),
    );
  });
  expect(inserts.length).toBeGreaterThan(5);
  for (const { file, table, named } of inserts) expect([file, named]).toEqual([file, table]);
});

const backend = join(import.meta.dirname, '../../../backend');

type RealColumn = { table: string; name: string; type: string; required: number };
const realColumns = (database: Database) =>
  database.all(
    statement<Record<string, never>, RealColumn>(() => ({
      compile: () =>
        CompiledQuery.raw(
          database.dialect === 'sqlite'
            ? `SELECT t.name AS "table", c.name, lower(c.type) AS type, c."notnull" AS required
               FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`
            : `SELECT table_name AS "table", column_name AS name, coalesce(domain_name, data_type) AS type,
               (is_nullable = 'NO')::int AS required FROM information_schema.columns WHERE table_schema = 'public'`,
        ) as CompiledQuery<RealColumn>,
    })),
    {},
  );

/** Tables that libraries create. */
const ofLibraries = new Set(['kysely_migration', 'kysely_migration_lock', 'rateLimits', 'sqlite_sequence']);
/** Columns that the database fills, such as the order of events. */
const generated = new Set(['events.position', 'events.sequence']);

eachDatabase('a new database', kind => {
  test('has the declared tables and columns, and no others', async () => {
    const read = readSettings(await anEmptyDatabase(kind));
    if (!read.ok) throw new Error(JSON.stringify(read));
    const database = await openDatabase(read.settings);
    onTestFinished(() => database.close());
    const real = await realColumns(database);
    const found = real
      .filter(({ table, name }) => !ofLibraries.has(table) && !generated.has(`${table}.${name}`))
      .map(({ table, name, type, required }) => `${table}.${name} ${type}${required ? '' : '?'}`);
    const numbers: Record<string, string> = kind === 'sqlite' ? { notNegative: 'bigint', positive: 'bigint' } : {};
    const declared = Object.entries<Columns>(tables).flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, given]) => {
        const base = given.replace('?', '');
        return `${table}.${name} ${numbers[base] ?? base}${given.endsWith('?') ? '?' : ''}`;
      }),
    );
    expect(found.toSorted()).toEqual(declared.toSorted());
    expect(real.filter(({ table, name }) => generated.has(`${table}.${name}`)).length).toBe(kind === 'sqlite' ? 1 : 2);
  });
});
