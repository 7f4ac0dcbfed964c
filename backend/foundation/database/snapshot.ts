/** One table as it is copied: identity columns, which a database numbers by itself, are left out. */
export type CopiedTable = { readonly name: string; readonly columns: readonly string[] };

/** A row's values in the order of its table's columns. */
export type CopiedRow = readonly (string | number | null)[];

/**
 * Every table of a database as of one moment, whatever is written meanwhile. It does not migrate: a backup before an
 * upgrade is of the version before it.
 */
export type Snapshot = {
  /** The names of the migrations that made its schema, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly CopiedTable[];
  /** The rows of a table; those of events in the order of delivery. */
  rows(table: CopiedTable): AsyncIterable<CopiedRow>;
  close(): Promise<void>;
};

/** A new database that is being filled; nobody sees anything of it before `commit`. */
export type Load = {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** Makes it durable. */
  commit(): Promise<void>;
  /** Leaves the place as it was. */
  abandon(): Promise<void>;
};

/** The place for a restored database is in use; nothing was changed. */
export class PlaceNotEmpty extends Error {
  override name = 'PlaceNotEmpty';
}

/** Tables that are about a running service or about the schema itself. */
export const notCopied: ReadonlySet<string> = new Set(['rateLimits', 'kysely_migration', 'kysely_migration_lock']);

/** A table or column name as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names separated by commas, as SQL. */
export function listed(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
