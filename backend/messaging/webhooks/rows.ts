import type {
  AttemptOutcome,
  DeliveredEvent,
  DeliveryStatus,
  DisabledReason,
  WebhookEvent,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type WebhookRow = {
  id: string;
  businessId: string;
  url: string;
  eventType: WebhookEvent;
  description: string | null;
  /** The encrypted signing secret, needed for every delivery. */
  sealedSecret: string;
  /** The previous secret, and until when it signs too. */
  previousSealedSecret: string | null;
  previousSecretUntil: Instant | null;
  /** Failed deliveries since the last success. */
  failedInARow: number;
  /** When the first attempt failed since the last success, with the outcome and the status of the latest one. */
  failingSince: Instant | null;
  failureOutcome: AttemptOutcome | null;
  failureStatus: number | null;
  /** The sequence of the last delivery created by an event. */
  lastSequence: number;
  /** Set for a checkout's own URL, which is not listed and cannot be changed. */
  checkoutId: string | null;
  disabledAt: Instant | null;
  /** Null where an earlier version disabled it, which did so after failures only. */
  disabledReason: DisabledReason | null;
  createdAt: Instant;
  deletedAt: Instant | null;
};

/** One event for one endpoint. Resending creates a new series of attempts of the same delivery. */
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
  /** The exact body sent. */
  body: string;
  status: DeliveryStatus;
  series: number;
  /** Attempts of this series, including one in progress. */
  attemptCount: number;
  /** When the current attempt was claimed, if any; after `nextAttemptAt` its process counts as crashed. */
  attemptStartedAt: Instant | null;
  /** When the next attempt is due or the current lease expires; null if none follows. */
  nextAttemptAt: Instant | null;
  createdAt: Instant;
  finishedAt: Instant | null;
  /** The trace of what caused it, which its attempts continue; null before there were traces. */
  trace: string | null;
};

/** Inserted once it has ended: an attempt in progress is the delivery's `attemptStartedAt` and `attemptCount`. */
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
