import type { DeliveryRecord, WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { DeliveryRow, WebhookRow } from './rows.ts';
import type { ListedAttempt } from './service.ts';

const iso = (at: Instant) => new Date(at).toISOString();
const isoOrNull = (at: Instant | null) => (at === null ? null : iso(at));

/** An endpoint as the API shows it, without its secret. */
export function webhookRecordOf(
  row: WebhookRow,
  options: { readonly now: Instant; readonly warnAfter: number },
): WebhookRecord {
  const { id, url, eventType, description, failedInARow, disabledAt, previousSecretUntil, createdAt } = row;
  const { failingSince, failureOutcome: outcome, failureStatus: responseStatus } = row;
  const isPreviousInForce = previousSecretUntil !== null && previousSecretUntil > options.now;
  return {
    id,
    url,
    eventType,
    description,
    status: disabledAt === null ? 'enabled' : 'disabled',
    disabledAt: isoOrNull(disabledAt),
    disabledReason: disabledAt === null ? null : (row.disabledReason ?? 'failures'),
    failedInARow,
    isFailing: failingSince !== null || failedInARow >= options.warnAfter,
    failingSince: isoOrNull(failingSince),
    lastFailure: outcome === null ? null : { outcome, responseStatus },
    previousSecretUntil: isPreviousInForce ? isoOrNull(previousSecretUntil) : null,
    createdAt: iso(createdAt),
  };
}

/** A delivery as the API shows it, with its body. `nextAttemptAt` is null while an attempt is in progress. */
export function deliveryRecordOf(row: DeliveryRow, attempts: readonly ListedAttempt[]): DeliveryRecord {
  const { id, webhookId, eventType, sequence, eventNumber, status, series, attemptCount, body } = row;
  return {
    id,
    webhookId,
    eventType,
    isTest: row.isTest === 1,
    sequence,
    eventNumber,
    status,
    series,
    attemptCount,
    nextAttemptAt: row.attemptStartedAt !== null ? null : isoOrNull(row.nextAttemptAt),
    body,
    attempts: attempts.map(attemptRecordOf),
    createdAt: iso(row.createdAt),
    finishedAt: isoOrNull(row.finishedAt),
  };
}

function attemptRecordOf(row: ListedAttempt): DeliveryRecord['attempts'][number] {
  const { series, number, startedAt, url, outcome, responseStatus, durationMs, responseExcerpt, error } = row;
  return {
    series,
    number,
    startedAt: iso(startedAt),
    url,
    outcome,
    responseStatus,
    durationMs,
    responseExcerpt,
    error,
  };
}
