import type { Compilable, Kysely, RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';

/** The tables by name. backend/tables.ts adds those of the domains; the port itself knows none. */
// biome-ignore lint/suspicious/noEmptyInterface: declared here, filled by the list of tables
export interface Tables {}

/**
 * The database port. Stores use statements that are compiled once; only backend.ts chooses between SQLite and
 * PostgreSQL. Everything that changes money goes through `write`.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs `body` as one transaction and resolves only once it is durable. A body awaits nothing but its own statements
   * and has no other effects: it may run again after a serialisation failure. A refusal is a returned value and
   * commits what the body wrote; a thrown error rolls the body back.
   * @throws DatabaseUnavailable when nothing was committed; CommitOutcomeUnknown when that cannot be determined.
   */
  write<Value>(body: (tx: Transaction) => Promise<Value>): Promise<Value>;
  /** Rows as last committed. Never decide about money on these: read inside `write`. */
  all<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]>;
  first<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row | undefined>;
  close(): Promise<void>;
}

export interface Transaction {
  all<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]>;
  first<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row | undefined>;
  /** Runs a statement that changes rows; returns how many it changed. */
  run<Args>(statement: Statement<Args, unknown>, args: Args): Promise<number>;
  /**
   * Queues a statement whose result the body does not need; it runs in order, before the commit. If it fails, the body
   * fails. PostgreSQL sends it with the next statement or the COMMIT, which saves a round trip.
   */
  send<Args>(statement: Statement<Args, unknown>, args: Args): void;
}

/** Nothing was committed; it is safe to report this. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The connection was lost during COMMIT and the outcome could not be queried. */
export class CommitOutcomeUnknown extends Error {
  override name = 'CommitOutcomeUnknown';
}

/** A typed query, built by Kysely once per database (building it each time costs half the throughput) and then reused. */
export type Statement<Args, Row> = {
  readonly build: (queries: Queries, arg: ArgumentOf<Args>) => Compilable<Row>;
};

export type Queries = { readonly db: Kysely<Tables>; readonly isPostgres: boolean };
export type ArgumentOf<Args> = <Name extends keyof Args & string>(name: Name) => RawBuilder<Args[Name]>;

/** Declares a statement. `arg('name')` is a placeholder for the argument of that name. */
export function statement<Args, Row>(build: Statement<Args, Row>['build']): Statement<Args, Row> {
  return { build };
}

/** Each of these columns as an argument of its name, for `set` and `values`. */
export function columnsOf<Args, Name extends keyof Args & string>(
  arg: ArgumentOf<Args>,
  names: readonly Name[],
): { [Column in Name]: RawBuilder<Args[Column]> } {
  return Object.fromEntries(names.map(name => [name, arg(name)])) as { [Column in Name]: RawBuilder<Args[Column]> };
}

/** Sorts after every id and currency: where a list begins. Letters only, so that it does under any collation. */
export const afterEveryId = 'zzzzzzzz';

/** A statement in the drivers' form: text and the position of each argument. */
export type Compiled = {
  readonly text: string;
  readonly values: (args: Readonly<Record<string, unknown>>) => unknown[];
};

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Whether a compiled value is an argument. Other values are constants inlined in the text, so that a plan can use a
 * partial index and SQLite does not plan again on every run.
 */
export function isArgument(value: unknown): boolean {
  return value instanceof Placeholder;
}

/** Compiles statements for one dialect, each once. */
export function statementCompiler(queries: Queries): (statement: Statement<never, unknown>) => Compiled {
  const compiled = new WeakMap<object, Compiled>();
  const arg = ((name: string) => sql`${new Placeholder(name)}`) as ArgumentOf<Record<string, unknown>>;
  return definition => {
    const known = compiled.get(definition);
    if (known) return known;
    const { sql: text, parameters } = (definition as unknown as Statement<Record<string, unknown>, unknown>)
      .build(queries, arg)
      .compile();
    const made: Compiled = {
      text,
      values: args => parameters.map(value => (value instanceof Placeholder ? present(args, value.name) : value)),
    };
    compiled.set(definition, made);
    return made;
  };
}

function present(args: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = args[name];
  if (value === undefined) throw new Error(`statement argument "${name}" is missing (use null for no value)`);
  return value;
}

/**
 * Conditions that a null argument disables, for list filters. The casts give PostgreSQL the type of an argument, which
 * it cannot infer from `$1 is null`.
 */
export function optionalFilters(isPostgres: boolean): {
  text(column: Column, operator: ComparisonSign, value: RawBuilder<string | null>): RawBuilder<SqlBool>;
  integer(column: Column, operator: ComparisonSign, value: RawBuilder<number | null>): RawBuilder<SqlBool>;
} {
  const filter = (type: string) => (column: Column, operator: ComparisonSign, value: RawBuilder<unknown>) => {
    const typed = isPostgres ? sql`cast(${value} as ${sql.raw(type)})` : value;
    const compared = typeof column === 'string' ? sql.ref(column) : column;
    return sql<SqlBool>`(${typed} is null or ${compared} ${sql.raw(operator)} ${typed})`;
  };
  return { text: filter('text'), integer: filter('bigint') };
}
/**
 * Compares a text column without an index. SQLite would otherwise read all rows of a business where another condition
 * of the statement has a narrower index.
 */
export function equalsUnindexed(column: string, value: RawBuilder<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`coalesce(${sql.ref(column)}, '') = ${value}`;
}

/**
 * Whether a column is one of a list, given as one JSON array argument, so that the statement is the same for any
 * length.
 */
export function oneOf(isPostgres: boolean, column: string, listJson: RawBuilder<string>): RawBuilder<SqlBool> {
  const list = isPostgres
    ? sql`(select jsonb_array_elements_text(cast(${listJson} as jsonb)))`
    : sql`(select value from json_each(${listJson}))`;
  return sql<SqlBool>`${sql.ref(column)} in ${list}`;
}
type ColumnTypes<Row> = { readonly [Column in keyof Row & string]: 'text' | 'bigint' };

/** The argument of `rowsOf`: each row is a JSON array, because SQLite finds an element faster than a named member. */
export function rowsJson<Row>(columns: ColumnTypes<Row>, rows: readonly Row[]): string {
  const names = Object.keys(columns) as (keyof Row)[];
  return JSON.stringify(rows.map(row => names.map(name => row[name])));
}

/**
 * The rows of `rowsJson`, given as one argument, as a table to join: one statement changes any number of rows
 * individually.
 */
export function rowsOf<Row>(isPostgres: boolean, json: RawBuilder<string>, columns: ColumnTypes<Row>): RawBuilder<Row> {
  const elements = Object.entries<string>(columns).map(([name, type], index) => {
    const element = sql`value ->> ${sql.lit(index)}`;
    return sql`${isPostgres ? sql`cast(${element} as ${sql.raw(type)})` : element} as ${sql.ref(name)}`;
  });
  // As jsonb: as json text, each row would be parsed again for each element.
  const rows = isPostgres ? sql`jsonb_array_elements(cast(${json} as jsonb))` : sql`jsonb_each(${json})`;
  return sql<Row>`(select ${sql.join(elements)} from ${rows})`;
}
/** A column name or expression. */
type Column = string | RawBuilder<unknown>;
type ComparisonSign = '=' | '<' | '<=' | '>' | '>=';

/**
 * A row with the same unique key was committed by another transaction; the body is rolled back. Databases throw it;
 * `readingAgain` then runs the body again, which sees that row.
 */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/** Runs once more after KeyTaken, at most one time; `run` must contain the whole transaction. */
export async function readingAgain<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KeyTaken) return run();
    throw error;
  }
}

/**
 * A LIMIT given as an argument. With a bare parameter SQLite plans the statement again on every run, which costs more
 * than most runs.
 */
export function rowLimit(limit: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`${limit} + 0`;
}
