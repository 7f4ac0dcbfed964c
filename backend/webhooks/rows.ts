import type {
  AttemptOutcome,
  DeliveredEvent,
  DeliveryStatus,
  WebhookEvent,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type WebhookRow = {
  id: string;
  businessId: string;
  url: string;
  eventType: WebhookEvent;
  description: string | null;
  /** The signing secret, encrypted: it is needed again at every delivery. */
  sealedSecret: string;
  /** The one before the last rotation, and until when it signs too. */
  previousSealedSecret: string | null;
  previousSecretUntil: Instant | null;
  /** Deliveries that failed since the last one that succeeded. */
  failedInARow: number;
  /** The sequence of the last delivery that an event made. */
  lastSequence: number;
  /** Of the address that one checkout was given for itself; it is in no list, and nobody changes it. */
  checkoutId: string | null;
  disabledAt: Instant | null;
  createdAt: Instant;
  deletedAt: Instant | null;
};

/** What one event is to one endpoint. Sent again on request, it is a new series of attempts of the same delivery. */
export type DeliveryRow = {
  id: string;
  businessId: string;
  webhookId: string;
  /** Null for test events. */
  eventId: string | null;
  eventType: DeliveredEvent;
  isTest: Flag;
  /** The order of the endpoint's events, without gaps; null for test events. */
  sequence: number | null;
  /** The order of the business's events; null for test events. */
  eventNumber: number | null;
  /** What is sent, byte for byte. */
  body: string;
  status: DeliveryStatus;
  series: number;
  /** Attempts of this series, the one under way included. */
  attemptCount: number;
  /** When the attempt under way was claimed, null where none is; past `nextAttemptAt` its process is taken for dead. */
  attemptStartedAt: Instant | null;
  /** When the next attempt is due, or the lease of the one under way ends; null where none follows. */
  nextAttemptAt: Instant | null;
  createdAt: Instant;
  finishedAt: Instant | null;
};

/** Written once it has ended: one under way is the delivery's own `attemptStartedAt` and `attemptCount`. */
export type AttemptRow = {
  deliveryId: string;
  series: number;
  number: number;
  startedAt: Instant;
  url: string;
  outcome: AttemptOutcome;
  responseStatus: number | null;
  durationMs: number | null;
  responseExcerpt: string | null;
  error: string | null;
};
