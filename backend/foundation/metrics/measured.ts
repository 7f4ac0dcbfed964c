import type { Database } from '../database/database.ts';
import type { Metrics } from './metrics.ts';

type Measuring = { readonly metrics: Metrics; readonly elapsedMs: () => number };

/** The database with measured transactions. */
export function measuredDatabase(database: Database, { metrics, elapsedMs }: Measuring): Database {
  return {
    dialect: database.dialect,
    async write(body) {
      const askedAt = elapsedMs();
      let begunAt: number | undefined;
      try {
        return await database.write(tx => {
          begunAt ??= elapsedMs();
          return body(tx);
        });
      } finally {
        const endedAt = elapsedMs();
        metrics.wrote({ waitMs: (begunAt ?? endedAt) - askedAt, durationMs: endedAt - askedAt });
      }
    },
    all: (statement, args) => database.all(statement, args),
    first: (statement, args) => database.first(statement, args),
    close: () => database.close(),
  };
}
