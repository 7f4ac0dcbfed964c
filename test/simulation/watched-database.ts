import type { Database, Transaction } from '../../backend/foundation/database/database.ts';

/**
 * Counts the database calls in progress, so that virtual time can stand still until a real server has answered: `idle`
 * resolves once none is, and is undefined while none is.
 */
export function watchedDatabase(
  database: Database,
  atCommit: ((tx: Transaction) => Promise<void>) | undefined,
): { database: Database; idle: () => Promise<void> | undefined } {
  let running = 0;
  let awaiting: PromiseWithResolvers<void> | undefined;
  const count = async <Value>(promise: Promise<Value>): Promise<Value> => {
    running += 1;
    try {
      return await promise;
    } finally {
      running -= 1;
      if (running === 0) {
        awaiting?.resolve();
        awaiting = undefined;
      }
    }
  };
  /**
   * One write at a time on SQLite. Writes that share a commit are rolled back and run again when a later one fails, so
   * `atCommit` would be called twice for the same write.
   */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(write: () => Promise<Value>): Promise<Value> => {
    if (database.dialect !== 'sqlite') return write();
    const turn = last.then(write);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    idle() {
      if (running === 0) return undefined;
      awaiting ??= Promise.withResolvers();
      return awaiting.promise;
    },
    database: {
      dialect: database.dialect,
      write: body =>
        count(
          inTurn(() =>
            database.write(async tx => {
              const value = await body(tx);
              await atCommit?.(tx);
              return value;
            }),
          ),
        ),
      all: (text, args) => count(database.all(text, args)),
      first: (text, args) => count(database.first(text, args)),
      close: () => database.close(),
    },
  };
}
