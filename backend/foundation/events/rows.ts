import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Generated } from 'kysely';

/** What happened: the only record of it, written in the transaction that made it true. */
export type EventRow = ActorColumns & {
  id: string;
  businessId: string;
  type: string;
  /** The payment that it happened to. Such events are the payment's timeline and are kept as long as the payment. */
  paymentId: string | null;
  subjectId: string;
  payloadJson: string;
  createdAt: Instant;
  /** The trace of the request or job that caused it; null before there were traces. */
  trace: string | null;
};

export type EventTable = EventRow & {
  /** The order in which events are delivered. */
  position: Generated<number>;
  /** PostgreSQL alone: the order of insertion. `position` is null there until the event is committed: see events/store.ts. */
  sequence: Generated<number>;
};

/** How far a consumer of events has come: it has handled everything up to and including `position`. */
export type EventConsumerRow = { name: string; position: number };
