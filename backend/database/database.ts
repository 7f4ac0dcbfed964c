import type { Compilable, Kysely, RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * The database port. Stores speak to it in statements that are compiled once; only compose.ts knows whether SQLite or
 * PostgreSQL answers. Everything that changes money goes through `write`.
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
  /** Rows as last committed. Never used to decide about money: that is read inside `write`. */
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
   * Runs a statement whose result the body does not need: in its turn, at the latest before the commit. Fails the body
   * where it fails. PostgreSQL gets it together with the next statement or the COMMIT, which saves a round trip.
   */
  send<Args>(statement: Statement<Args, unknown>, args: Args): void;
}

/** Nothing was committed; the caller may say so. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The connection was lost during COMMIT and the database could not be asked afterwards. */
export class CommitOutcomeUnknown extends Error {
  override name = 'CommitOutcomeUnknown';
}

/** A typed query, built by Kysely once per database (building it each time costs half the throughput) and then reused. */
export type Statement<Args, Row> = {
  readonly build: (queries: Queries, arg: ArgumentOf<Args>) => Compilable<Row>;
};

export type Queries = { readonly db: Kysely<Tables>; readonly isPostgres: boolean };
export type ArgumentOf<Args> = <Name extends keyof Args & string>(name: Name) => RawBuilder<Args[Name]>;

/** Declares a statement. `arg('name')` stands for the argument of that name at each run. */
export function statement<Args, Row>(build: Statement<Args, Row>['build']): Statement<Args, Row> {
  return { build };
}

/** Every named column as an argument, for inserts. */
export function columnsOf<Args, Name extends keyof Args & string>(
  arg: ArgumentOf<Args>,
  names: readonly Name[],
): { [Column in Name]: RawBuilder<Args[Column]> } {
  return Object.fromEntries(names.map(name => [name, arg(name)])) as { [Column in Name]: RawBuilder<Args[Column]> };
}

/** As `columnsOf`, for an insert: one that forgets a column of the row does not compile. */
export function allColumnsOf<Row, const Names extends readonly (keyof Row & string)[]>(
  arg: ArgumentOf<Row>,
  names: Names & Complete<keyof Row & string, Names[number]>,
): { [Column in Names[number]]: RawBuilder<Row[Column]> } {
  return columnsOf<Row, Names[number]>(arg, names);
}
type Complete<Wanted, Given> = [Exclude<Wanted, Given>] extends [never]
  ? unknown
  : { readonly missingColumn: Exclude<Wanted, Given> };

/** A statement as the drivers run it: text plus where each argument goes. */
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
 * Whether a compiled value is an argument of the statement. Everything else is a constant of the source and stands in the
 * text: a plan can then use a partial index, and SQLite need not plan anew at every run to find out whether it may.
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
 * Conditions that a null argument switches off, for list filters. The casts tell PostgreSQL the type of an argument it
 * could not infer from `$1 is null`.
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
 * Whether a column is one of a list, which is given as one argument, a JSON array of texts: the statement stays the same for
 * any number of them.
 */
export function oneOf(isPostgres: boolean, column: string, listJson: RawBuilder<string>): RawBuilder<SqlBool> {
  const list = isPostgres
    ? sql`(select jsonb_array_elements_text(cast(${listJson} as jsonb)))`
    : sql`(select value from json_each(${listJson}))`;
  return sql<SqlBool>`${sql.ref(column)} in ${list}`;
}
/**
 * The rows of a JSON array of objects, given as one argument, as a table to join: one statement changes any number of rows, each
 * in its own way.
 */
export function rowsOf<Row>(
  isPostgres: boolean,
  rowsJson: RawBuilder<string>,
  columns: { readonly [Column in keyof Row & string]: 'text' | 'bigint' },
): RawBuilder<Row> {
  const names = Object.entries<string>(columns);
  if (!isPostgres) {
    const members = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    // In binary: as text, each object would be parsed again for each of its members.
    return sql<Row>`(select ${sql.join(members)} from jsonb_each(${rowsJson}))`;
  }
  const typed = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql<Row>`(select * from jsonb_to_recordset(cast(${rowsJson} as jsonb)) as rows(${sql.join(typed)}))`;
}
/** A column by its name, or what is computed in its place. */
type Column = string | RawBuilder<unknown>;
type ComparisonSign = '=' | '<' | '<=' | '>' | '>=';

/**
 * A row with the same unique key was written by a transaction that committed meanwhile; the body is rolled back. Databases
 * throw it; `readingAgain` then runs the body once more, and this time it sees that row.
 */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

export async function readingAgain<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KeyTaken) return run();
    throw error;
  }
}

/**
 * A LIMIT given as an argument. With a bare parameter there SQLite plans the statement anew at every run, which costs
 * more than most runs do.
 */
export function rowLimit(limit: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`${limit} + 0`;
}
