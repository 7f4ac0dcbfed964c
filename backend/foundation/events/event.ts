import { type Actor, actorOfColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { catalogue, type EventType, type PayloadOf } from './catalogue.ts';
import type { EventRow } from './rows.ts';

/** One event as its consumers see it: `event.type` decides the type of `event.payload`. */
export type DomainEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly payload: PayloadOf<Type>;
    readonly id: string;
    /** Its place in the order in which events are delivered; a stream that broke resumes after it. */
    readonly position: number;
    readonly businessId: string;
    /** The payment that it happened to, if any. */
    readonly paymentId: string | null;
    readonly subjectId: string;
    readonly by: Actor;
    readonly at: Instant;
  };
}[EventType];

export type StoredEvent = EventRow & { position: number };

/** Parses the payload by the catalogue's schema of its type; throws if a stored payload does not conform. */
export function eventOf(row: StoredEvent): DomainEvent {
  const { id, position, businessId, paymentId, subjectId } = row;
  const type = row.type as EventType;
  const payload = catalogue[type].parse(JSON.parse(row.payloadJson));
  return {
    type,
    payload,
    id,
    position,
    businessId,
    paymentId,
    subjectId,
    by: actorOfColumns(row),
    at: row.createdAt,
  } as DomainEvent;
}
