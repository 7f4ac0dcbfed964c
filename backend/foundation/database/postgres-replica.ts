import type { Log, Timers } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, statement } from './database.ts';
import { commandsFor, readsOver } from './postgres-commands.ts';
import type { Replica } from './replica.ts';

/** A replica that lags more is not read. */
const defaultMaxLagMs = 10_000;
/** How long the answer to how far it lags is believed. */
const checkEveryMs = 1_000;
const connectWithinMs = 1_000;
const answerWithinMs = 10_000;

/** How far the primary has written, and its time in milliseconds. */
const written = statement<object, { position: string; now: number }>(({ db }) =>
  db.selectNoFrom([
    sql<string>`pg_current_wal_lsn()::text`.as('position'),
    sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`.as('now'),
  ]),
);

/**
 * How old the replica's records are; null for a server that is no replica. It has everything up to a position of the primary, or
 * at least up to the last commit that it repeated.
 */
const lag = statement<{ position: string; now: number }, { lagMs: number | null }>(({ db }, arg) =>
  db.selectNoFrom(
    sql<number | null>`CASE
      WHEN NOT pg_is_in_recovery() THEN NULL
      WHEN pg_last_wal_replay_lsn() >= cast(${arg('position')} AS pg_lsn) THEN 0
      ELSE cast(${arg('now')} AS bigint) - (extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint
    END`.as('lagMs'),
  ),
);

/** A standby server of PostgreSQL that answers queries. Statements are not prepared, so that it may be behind a pooler. */
export function openReplica(options: {
  readonly connectionString: string;
  readonly maximumConnections: number;
  readonly primary: Pick<Database, 'first'>;
  readonly timers: Timers;
  readonly elapsedMs: () => number;
  readonly log: Log;
  readonly maxLagMs?: number;
}): Replica {
  const { connectionString, maximumConnections: max, primary, timers, elapsedMs, log } = options;
  const { maxLagMs = defaultMaxLagMs } = options;
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: connectWithinMs });
  const onLost = (error: Error) => log.warn({ err: error }, 'a connection to the replica was lost');
  pool.on('error', onLost);
  pool.on('connect', client => client.on('error', onLost));
  const reads = readsOver(pool, commandsFor(true), { timers, answerWithinMs });
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let checking = Promise.resolve(false);

  async function check(): Promise<boolean> {
    try {
      const at = await primary.first(written, {});
      const found = at && (await reads.first(lag, at));
      const lagMs = found?.lagMs ?? null;
      if (lagMs !== null && lagMs <= maxLagMs) return true;
      log.warn({ lagMs }, 'the replica is not read: it lags too much, or is no replica');
    } catch (error) {
      log.warn({ err: error }, 'the replica is not read: it does not answer');
    }
    return false;
  }

  return {
    ...reads,
    isFresh() {
      if (elapsedMs() - checkedAtMs >= checkEveryMs) {
        checkedAtMs = elapsedMs();
        checking = check();
      }
      return checking;
    },
    close: () => pool.end(),
  };
}
