import type { Database, Transaction } from './database.ts';

type Effect = () => void;
const effectsOf = new WeakMap<Transaction, Effect[]>();

/**
 * Runs `effect` once the transaction is durable, before whoever wrote it goes on; never when it was rolled back. A process
 * that dies in between does not run it: what must not be lost is written in the transaction itself.
 */
export function afterCommit(tx: Transaction, effect: Effect): void {
  effectsOf.get(tx)?.push(effect);
}

/** The same database, keeping what `afterCommit` promises. */
export function withAfterCommit(database: Database): Database {
  return {
    dialect: database.dialect,
    async write(body) {
      let effects: Effect[] = [];
      const value = await database.write(tx => {
        // A body may run again: only the last run is the one that was committed.
        effects = [];
        effectsOf.set(tx, effects);
        return body(tx);
      });
      for (const effect of effects) effect();
      return value;
    },
    all: (statement, args) => database.all(statement, args),
    first: (statement, args) => database.first(statement, args),
    close: () => database.close(),
  };
}
