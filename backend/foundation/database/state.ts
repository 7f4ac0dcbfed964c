import { disorderOf, releasedMigrations } from './migrations/migrate.ts';

/** What a look at a database finds without changing it. */
export type DatabaseState = {
  /** Such as `SQLite 3.50` or `PostgreSQL 18.1`. */
  readonly version: string;
  /** The migrations that made its schema, in order; empty for a new database. */
  readonly migrations: readonly string[];
  /** Why it takes no writes; null if it does. */
  readonly notWritable: string | null;
  /** Damage that the database itself finds; null if none, or if it does not check. */
  readonly damage: string | null;
  /** Its clock, in milliseconds; null if it is this machine's. */
  readonly now: number | null;
  /** Anything else an operator should know. */
  readonly notes: readonly string[];
};

/** How a schema relates to this version of the program. */
export function schemaState(migrations: readonly string[]): 'current' | 'older' | 'newer' | 'disordered' | 'none' {
  const known = Object.keys(releasedMigrations('sqlite'));
  if (migrations.some(name => !known.includes(name))) return 'newer';
  if (migrations.length === 0) return 'none';
  if (disorderOf(migrations, known) !== undefined) return 'disordered';
  return migrations.length === known.length ? 'current' : 'older';
}
