import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Job } from './runner.ts';

export type PruningPorts = { readonly database: Database; readonly clock: Clock; readonly retentionMs: number };

const everyMs = 10 * 60_000;
const batch = 500;

/** A job that deletes what is older than the retention: `prune` deletes up to `limit` rows and returns how many. */
export function pruningJob(
  name: string,
  { database, clock, retentionMs }: PruningPorts,
  prune: (tx: Transaction, options: { readonly before: Instant; readonly limit: number }) => Promise<number>,
): Job {
  const run = () => database.write(tx => prune(tx, { before: clock.now() - retentionMs, limit: batch }));
  return { name, everyMs, batch, run };
}
