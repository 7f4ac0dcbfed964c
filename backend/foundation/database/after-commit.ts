import type { Database, Transaction } from './database.ts';

type Effect = () => void;
/** In the transaction itself: with a WeakMap, effects and what they refer to stay in memory until a full collection. */
const effectsKey = Symbol('effects');
type WithEffects = Transaction & { [effectsKey]?: Effect[] };

/**
 * Runs `effect` once the transaction is durable, before its writer continues; never after a rollback. A crash in
 * between loses it: anything that must not be lost is written in the transaction.
 */
export function afterCommit(tx: Transaction, effect: Effect): void {
  (tx as WithEffects)[effectsKey]?.push(effect);
}

/** The same database with support for `afterCommit`. */
export function withAfterCommit(database: Database): Database {
  return {
    dialect: database.dialect,
    async write(body) {
      let effects: Effect[] = [];
      const value = await database.write(tx => {
        // A body may be retried: only the effects of the committed run count.
        effects = [];
        (tx as WithEffects)[effectsKey] = effects;
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
