import { type Actor, actorColumns, system } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../database/after-commit.ts';
import type { Transaction } from '../database/database.ts';
import type { EventType, PayloadOf } from './catalogue.ts';
import type { EventRow } from './rows.ts';
import { insertEvent } from './store.ts';

export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly payload: PayloadOf<Type>;
    readonly businessId: string;
    readonly subjectId: string;
    /** Default: the service. */
    readonly by?: Actor | undefined;
  };
}[EventType];

export type Events = {
  /**
   * Announces what this transaction makes true, exactly once: the caller does so only where its compare-and-set changed the
   * row. It is delivered right after the commit.
   */
  announce(tx: Transaction, event: NewEvent): void;
};

/** Writes each event in the caller's transaction; `wake` is called after the commit, and never after a rollback. */
export function announcer(options: { clock: Clock; ids: Ids; wake: (event: EventRow) => void }): Events {
  const { clock, ids, wake } = options;
  return {
    announce(tx, { type, businessId, subjectId, by = system, payload }) {
      const event: EventRow = {
        id: ids.next(idPrefixes.event),
        businessId,
        type,
        subjectId,
        ...actorColumns(by),
        payloadJson: JSON.stringify(payload),
        createdAt: clock.now(),
      };
      tx.send(insertEvent, event);
      afterCommit(tx, () => wake(event));
    },
  };
}
