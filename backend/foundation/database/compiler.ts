import { DummyDriver, Kysely, type PostgresAdapter, type QueryCompiler, type SqliteAdapter } from 'kysely';
import type { Tables } from './database.ts';

/** Kysely as a statement compiler without a connection. */
export function compilerOnly(adapter: PostgresAdapter | SqliteAdapter, compiler: () => QueryCompiler): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('the statement compiler has no database');
      },
      createQueryCompiler: compiler,
    },
  });
}
