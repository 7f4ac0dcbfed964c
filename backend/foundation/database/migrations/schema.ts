import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Columns } from './0001-tables/columns.ts';

/**
 * What later migrations have in common. Released ones run these statements, so a change must leave their text as it is.
 */

type NewTable = {
  readonly columns: Columns;
  readonly key?: readonly string[] | undefined;
  /** On SQLite a row is then written into one B-tree instead of two. */
  readonly withoutRowid?: boolean;
};

const typeOf = (type: string) => type.replace('?', '') as 'text' | 'integer' | 'bigint';

/** Creates a table with its primary key. */
export async function createTable(
  db: Kysely<unknown>,
  table: string,
  { columns, key = ['id'], withoutRowid = false }: NewTable,
): Promise<void> {
  let builder = db.schema.createTable(table);
  for (const [name, type] of Object.entries(columns))
    builder = builder.addColumn(name, typeOf(type), column => (type.endsWith('?') ? column : column.notNull()));
  builder = builder.addPrimaryKeyConstraint(`${table}_key`, key as never);
  await (withoutRowid ? builder.modifyEnd(sql`WITHOUT ROWID`) : builder).execute();
}

/** Adds columns to a table, each in a statement. Existing rows get the initial value of a required column. */
export async function addColumns<Added extends Columns>(
  db: Kysely<unknown>,
  table: string,
  columns: Added,
  initial: { readonly [Name in keyof Added]?: string | number } = {},
): Promise<void> {
  const required = (value: string | number) => (column: ColumnDefinitionBuilder) =>
    column.notNull().defaultTo(sql.lit(value));
  for (const [name, type] of Object.entries(columns)) {
    const value = initial[name];
    const alteration = db.schema.alterTable(table);
    await alteration.addColumn(name, typeOf(type), value === undefined ? undefined : required(value)).execute();
  }
}
