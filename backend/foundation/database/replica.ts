import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '@florin/shared/ports.ts';
import type { Database } from './database.ts';

export type ReadSource = 'primary' | 'replica';

/** Runs work that only reads, and whose caller accepts records that are some seconds old. */
export type ReplicaReads = <Value>(work: () => Promise<Value>) => Promise<{ value: Value; from: ReadSource }>;

/** A copy of the database that lags behind it. */
export type Replica = Pick<Database, 'all' | 'first' | 'close'> & {
  /** Whether it answers and lags little enough. Never throws. */
  isFresh(): Promise<boolean>;
};

/** Where there is no replica. */
export const readsPrimary: ReplicaReads = async work => ({ value: await work(), from: 'primary' });

/**
 * The database whose reads go to a replica within `reads`, and only there: everything else, and every write, sees what was
 * committed last. Work that the replica cannot do is done on the primary instead.
 */
export function withReplica(
  primary: Database,
  replica: Replica,
  log: Log,
): { readonly database: Database; readonly reads: ReplicaReads } {
  /** Ended with the work, because what it started may go on, such as a reader that all requests share. */
  const running = new AsyncLocalStorage<{ isOver: boolean }>();
  const source = () => (running.getStore()?.isOver === false ? replica : primary);
  return {
    database: {
      dialect: primary.dialect,
      write: body => primary.write(body),
      all: (statement, args) => source().all(statement, args),
      first: (statement, args) => source().first(statement, args),
      async close() {
        await Promise.all([primary.close(), replica.close()]);
      },
    },
    async reads(work) {
      if (!(await replica.isFresh())) return readsPrimary(work);
      const state = { isOver: false };
      try {
        return { value: await running.run(state, work), from: 'replica' };
      } catch (error) {
        log.warn({ err: error }, 'the replica could not be read; the primary is read instead');
      } finally {
        state.isOver = true;
      }
      return readsPrimary(work);
    },
  };
}
