import { releasedMigrations } from '../../foundation/database/migrations/migrate.ts';
import type { CopiedRow, CopiedTable, Snapshot } from '../../foundation/database/snapshot.ts';
import { tablesMadeBy } from '../../foundation/database/sqlite-snapshot.ts';
import { BackupProblem } from './problem.ts';

/** What an earlier schema has no place for. */
export type LeftOut = {
  /** The number of rows of each table: of one that it does not have, or without a value that it requires, and events about them. */
  readonly rows: Readonly<Record<string, number>>;
  /** Columns of tables that it has, as `table.column`. */
  readonly columns: readonly string[];
};

export const nothingLeftOut: LeftOut = { rows: {}, columns: [] };

/**
 * What a database holds in the terms of an earlier schema, for the version of the program that made that schema. A schema
 * only ever grows, so this leaves things out and changes nothing.
 * @throws BackupProblem if the database never had that schema
 */
export async function inEarlierSchema(
  snapshot: Snapshot,
  schema: string,
): Promise<{ earlier: Snapshot; leftOut: LeftOut }> {
  const known = Object.keys(releasedMigrations('sqlite'));
  const had = snapshot.migrations.filter(name => known.includes(name));
  if (!had.includes(schema))
    throw new BackupProblem(`There is no schema ${schema} to go back to. This database had ${had.join(', ')}`);
  const migrations = had.slice(0, had.indexOf(schema) + 1);
  const made = await tablesMadeBy(migrations);
  const tables = snapshot.tables.flatMap(({ name, columns }) => {
    const its = made.get(name);
    return its ? [{ name, columns: columns.filter(column => its.has(column)) }] : [];
  });
  const fits = ({ name, columns }: CopiedTable, row: CopiedRow) => {
    const its = made.get(name);
    return its !== undefined && !row.some((value, index) => value === null && its.get(columns[index] ?? ''));
  };
  const { rows, ids, lastPosition } = await whatDoesNotFit(snapshot, fits);
  const added = snapshot.tables.flatMap(({ name, columns }) =>
    columns.filter(column => made.get(name)?.has(column) === false).map(column => `${name}.${column}`),
  );
  return {
    earlier: {
      ...snapshot,
      migrations,
      tables,
      async *rows(table) {
        for await (const row of snapshot.rows(table)) {
          if (!fits(table, row) || (table.name === 'events' && isOf(ids, table, row))) continue;
          yield table.name === 'eventConsumers' ? noFurtherThan(lastPosition, table, row) : row;
        }
      },
    },
    leftOut: { rows, columns: added },
  };
}

/** Counts the rows that are left out. That version may be unable to read an event about one of them, and would try for ever. */
async function whatDoesNotFit(snapshot: Snapshot, fits: (table: CopiedTable, row: CopiedRow) => boolean) {
  const rows: Record<string, number> = {};
  const ids = new Set<unknown>();
  let lastPosition = 0;
  const isEvents = ({ name }: CopiedTable) => name === 'events';
  for (const table of snapshot.tables.toSorted((one, other) => Number(isEvents(one)) - Number(isEvents(other)))) {
    const id = table.columns.indexOf('id');
    const position = table.columns.indexOf('position');
    for await (const row of snapshot.rows(table)) {
      if (!fits(table, row) || (isEvents(table) && isOf(ids, table, row))) {
        rows[table.name] = (rows[table.name] ?? 0) + 1;
        if (id !== -1) ids.add(row[id]);
      } else if (isEvents(table)) lastPosition = Math.max(lastPosition, Number(row[position]));
    }
  }
  return { rows, ids, lastPosition };
}

function isOf(ids: ReadonlySet<unknown>, { columns }: CopiedTable, row: CopiedRow): boolean {
  return ids.has(row[columns.indexOf('subjectId')]);
}

/** The next event gets the position after the last one that is kept: a consumer beyond that would miss it. */
function noFurtherThan(last: number, { columns }: CopiedTable, row: CopiedRow): CopiedRow {
  const position = columns.indexOf('position');
  return row.map((value, index) => (index === position ? Math.min(Number(value), last) : value));
}
