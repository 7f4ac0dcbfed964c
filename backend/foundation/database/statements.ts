import { type Generated, type RawBuilder, sql } from 'kysely';
import { columns } from './columns.ts';
import {
  type ArgumentOf,
  columnsOf,
  type Queries,
  rowsJson,
  rowsOf,
  type Statement,
  statement,
  type Tables,
} from './database.ts';

/**
 * The statements that most stores have: by columns that equal the arguments of their names. What also depends on the
 * state of a row is written out in its store.
 */

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & string;
type Key<Table extends keyof Tables, Column extends ColumnOf<Table>> = {
  readonly [Name in Column]: NonNullable<Tables[Table][Name]>;
};
/** Without columns that the database fills. */
type Inserted<Table extends keyof Tables> = {
  [Name in ColumnOf<Table> as Tables[Table][Name] extends Generated<infer _> ? never : Name]: Tables[Table][Name];
};

/** All rows with these values, unordered. */
export function selectBy<Table extends keyof Tables, Column extends ColumnOf<Table>>(
  table: Table,
  ...by: readonly Column[]
): Statement<Key<Table, Column>, Tables[Table]> {
  return selection(table, by, false);
}

/** As `selectBy`, locked until the transaction ends. */
export function selectForUpdateBy<Table extends keyof Tables, Column extends ColumnOf<Table>>(
  table: Table,
  ...by: readonly Column[]
): Statement<Key<Table, Column>, Tables[Table]> {
  return selection(table, by, true);
}

/** Changes the rows with these values. */
export function updateBy<Table extends keyof Tables, Set extends ColumnOf<Table>, Column extends ColumnOf<Table>>(
  table: Table,
  { set, by }: { readonly set: readonly Set[]; readonly by: readonly Column[] },
): Statement<Pick<Tables[Table], Set> & Key<Table, Column>, unknown> {
  return anyTable(({ db }, arg) =>
    by.reduce(
      (query, column) => query.where(column as 'id', '=', arg(column)),
      db.updateTable(table as 'refunds').set(columnsOf(arg, set)),
    ),
  );
}

/** @throws KeyTaken where a unique index has such a row already. */
export function insertInto<Table extends keyof Tables>(table: Table): Statement<Inserted<Table>, unknown> {
  return anyTable(({ db }, arg) =>
    db.insertInto(table as 'refunds').values(rowFor(arg as AnyArgument, table as 'refunds')),
  );
}

/** Inserts nothing where a row has the same values in these unique columns, or without columns, in those of any index. */
export function insertUnlessTaken<Table extends keyof Tables>(
  table: Table,
  ...unique: readonly ColumnOf<Table>[]
): Statement<Inserted<Table>, unknown> {
  return anyTable(({ db }, arg) =>
    db
      .insertInto(table as 'refunds')
      .values(rowFor(arg as AnyArgument, table as 'refunds'))
      .onConflict(conflict =>
        (unique.length === 0 ? conflict : conflict.columns(unique as readonly 'id'[])).doNothing(),
      ),
  );
}

/** A row whose columns are arguments, every one that the database does not fill itself. */
export function rowFor<Table extends keyof Tables>(
  arg: ArgumentOf<Inserted<Table>>,
  table: Table,
): { [Name in keyof Inserted<Table>]: RawBuilder<Inserted<Table>[Name]> } {
  const names = Object.keys(columns[table]) as (keyof Inserted<Table> & string)[];
  return columnsOf(arg, names);
}

type Rows = { readonly rowsJson: string };

/** The argument of the two statements below. */
export function rowsJsonOf<Table extends keyof Tables>(table: Table, rows: readonly Inserted<Table>[]): Rows {
  return { rowsJson: rowsJson(rowTypes(table), rows) };
}

/** Inserts any number of rows. */
export function insertRows(table: keyof Tables): Statement<Rows, unknown> {
  return statement((queries, arg) => rowsInserted(table, queries, arg));
}

/** Inserts any number of rows, except those whose values in the columns of a unique index another row has. */
export function insertRowsUnlessTaken(table: keyof Tables): Statement<Rows, unknown> {
  return statement((queries, arg) => rowsInserted(table, queries, arg).onConflict(conflict => conflict.doNothing()));
}

function rowsInserted(table: keyof Tables, { db, isPostgres }: Queries, arg: ArgumentOf<Rows>) {
  const types = rowTypes(table as 'refunds');
  const names = Object.keys(types) as 'id'[];
  const given = rowsOf<{ readonly id: string }>(isPostgres, arg('rowsJson'), types);
  return (
    db
      .insertInto(table as 'refunds')
      .columns(names)
      // Without a condition SQLite takes ON CONFLICT for a join.
      .expression(db.selectFrom(given.as('given')).select(names).where(sql.lit(1), '=', sql.lit(1)))
  );
}

/** A table's columns as `rowsOf` and `rowsJson` take them. */
function rowTypes<Table extends keyof Tables>(
  table: Table,
): { readonly [Name in keyof Inserted<Table>]: 'text' | 'bigint' } {
  const types = Object.entries<string>(columns[table]).map(([name, type]) => [
    name,
    type.startsWith('text') ? 'text' : 'bigint',
  ]);
  return Object.fromEntries(types);
}

function selection<Args, Row>(table: keyof Tables, by: readonly string[], locks: boolean): Statement<Args, Row> {
  return anyTable(({ db, isPostgres }, arg) =>
    by
      .reduce(
        (query, column) => query.where(column as 'id', '=', arg(column)),
        db.selectFrom(table as 'refunds').selectAll(),
      )
      .$if(locks && isPostgres, query => query.forUpdate()),
  );
}

/** Any table serves for the types of Kysely. */
type AnyArgument = ArgumentOf<Inserted<'refunds'>>;

function anyTable<Args, Row>(build: Statement<Record<string, never>, unknown>['build']): Statement<Args, Row> {
  return statement(build) as Statement<Args, Row>;
}
