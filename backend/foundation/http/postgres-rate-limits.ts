import type { Log } from '@florin/shared/ports.ts';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RequestCounts } from './rate-limits.ts';

/** Made by the first migration: not written ahead, since what it holds is over within seconds. */
const rateLimitTable = 'rateLimits';

/** Two are enough for statements this small, and no transaction that takes long keeps them waiting. */
const maximumConnections = 2;
/** After this a process counts for itself: a limit must not cost more than what it protects from. */
const answerWithinMs = 1_000;

/**
 * Counts requests in PostgreSQL, one statement each, so that all processes on it share every limit. Who is beyond a limit is
 * refused from memory until the window ends. While the database does not answer each process counts for itself.
 */
export function postgresRateLimits(options: {
  readonly connectionString: string;
  /** Whether it leads to a pooler: a session there does not know the statements that a connection has prepared. */
  readonly isPooled: boolean;
  readonly log: Log;
}): RequestCounts & { close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: maximumConnections,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  });
  const unprepared = { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) };
  pool.on('error', error => options.log.warn({ err: error }, 'a connection to the database was lost'));
  return {
    counterOf(name, { requests: points, windowSeconds: duration }) {
      const limit = { keyPrefix: name, points, duration };
      return new RateLimiterPostgres({
        ...limit,
        ...(options.isPooled
          ? { storeClient: unprepared, storeType: 'client' }
          : { storeClient: pool, storeType: 'pool' }),
        tableName: rateLimitTable,
        tableCreated: true,
        inMemoryBlockOnConsumed: points + 1,
        insuranceLimiter: new RateLimiterMemory(limit),
      });
    },
    close: () => pool.end(),
  };
}
