import { type Actor, actorColumns, actorReference, system } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { traceToKeep } from '../context.ts';
import { afterCommit } from '../database/after-commit.ts';
import type { Transaction } from '../database/database.ts';
import { type EventType, type PayloadOf, type PaymentEventType, warnings } from './catalogue.ts';
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
  } & (Type extends PaymentEventType
    ? {
        /** The payment that it happened to; null if none is known yet. */
        readonly paymentId: string | null;
      }
    : { readonly paymentId?: undefined });
}[EventType];

export type Events = {
  /**
   * Announces what this transaction makes true, exactly once: the caller does so only where its compare-and-set changed the
   * row. It is delivered right after the commit.
   */
  announce(tx: Transaction, event: NewEvent): void;
};

/**
 * Writes each event in the caller's transaction. After the commit, and never after a rollback, `wake` is called and the
 * event is logged: problems as warnings, others only if a person, a key or a terminal caused them.
 */
export function announcer(options: { clock: Clock; ids: Ids; log: Log; wake: (event: EventRow) => void }): Events {
  const { clock, ids, log, wake } = options;
  return {
    announce(tx, { type, businessId, paymentId = null, subjectId, by = system, payload }) {
      const event: EventRow = {
        id: ids.next(idPrefixes.event),
        businessId,
        type,
        paymentId,
        subjectId,
        ...actorColumns(by),
        payloadJson: JSON.stringify(payload),
        createdAt: clock.now(),
        trace: traceToKeep(),
      };
      tx.send(insertEvent, event);
      const warning = warnings[type];
      afterCommit(tx, () => {
        const facts = { businessId, paymentId, subjectId, by: actorReference(by) };
        if (warning !== undefined) log.warn({ ...payload, ...facts }, warning);
        else if (by.kind !== 'system') log.info({ ...facts, event: type }, 'an event was recorded');
        wake(event);
      });
    },
  };
}
