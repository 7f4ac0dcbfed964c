import type { AttemptOutcome } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Clock, Ids, Instant, Log, Random } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../database/after-commit.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Events } from '../events/announce.ts';
import type { DeliveryRow, WebhookRow } from './rows.ts';
import type { WebhookSettings } from './settings.ts';
import {
  type AttemptEnd,
  anyWebhookById,
  countAttempts,
  type DeliveryChange,
  type DeliveryState,
  deleteUnsent,
  deliveriesForUpdate,
  dueDeliveries,
  endAttempts,
  finishDelivered,
  forgetFailures,
  insertAttempts,
  insertDelivery,
  stopDeliveries,
  uncountAttempts,
  updateDelivery,
  updateWebhook,
  webhookForUpdate,
} from './store.ts';

/** One attempt that this process has to itself until its lease ends. */
export type Attempt = {
  readonly delivery: DeliveryRow;
  readonly number: number;
  readonly webhook: WebhookRow;
  readonly startedAt: Instant;
};

/** How an attempt ended. */
export type AttemptResult = {
  readonly outcome: AttemptOutcome;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  readonly responseExcerpt: string | null;
  readonly error: string | null;
};

export type EndedAttempt = { readonly attempt: Attempt; readonly result: AttemptResult };

export type Deliveries = {
  /**
   * Writes what an event, or a test, is to an endpoint; it is sent once the transaction is committed. Where this process sends it,
   * the first attempt at an event is claimed in the same transaction.
   */
  add(
    tx: Transaction,
    webhook: WebhookRow,
    what: Pick<DeliveryRow, 'eventId' | 'eventType' | 'sequence' | 'eventNumber' | 'body'>,
  ): DeliveryRow;
  /** Takes deliveries that are due, each counted and written down before anything is sent. */
  claim(webhookId: string, limit: number): Promise<Attempt[]>;
  /** Writes down how attempts ended, once, in one transaction; false of each that another process took for dead meanwhile. */
  record(ended: readonly EndedAttempt[]): Promise<boolean[]>;
  /** Gives back what this process claimed and has not sent: it is due again, and the attempt is not counted. */
  release(attempts: readonly Attempt[]): Promise<void>;
};

type DeliveriesOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  readonly events: Events;
  readonly settings: WebhookSettings;
  /** This transaction writes a delivery that is due now. */
  readonly sendSoon: (tx: Transaction, webhookId: string) => void;
  /** This process, where it sends. */
  readonly sender: () => Sender | undefined;
};

/** Sends what is claimed with the event it is about. */
export type Sender = {
  /** Whether an attempt at this endpoint would be sent at once. */
  hasRoomAt(webhookId: string): boolean;
  send(attempt: Attempt): void;
};

const interrupted: AttemptResult = {
  outcome: 'interrupted',
  responseStatus: null,
  durationMs: null,
  responseExcerpt: null,
  error: 'the process that made this attempt died',
};

/**
 * What becomes of deliveries, in the database: the one place that counts attempts and failures. An attempt is counted before it
 * is sent, so that no crash makes a sixth one, and uncounted only by the process that claimed it and never sent it.
 */
export function deliveries(options: DeliveriesOptions): Deliveries {
  const { database, clock, ids, random, log, events, settings, sendSoon } = options;
  const maximumOf = ({ isTest }: DeliveryState) => (isTest === 1 ? 1 : settings.retryDelaysMs.length + 1);

  function delayMs(attemptsMade: number): number {
    const planned = settings.retryDelaysMs[attemptsMade - 1] ?? 0;
    const part = Buffer.from(random.bytes(4)).readUInt32BE() / 0xffff_ffff;
    return Math.round(planned * (1 + settings.jitter * (2 * part - 1)));
  }

  const change = (tx: Transaction, delivery: DeliveryState, to: Partial<DeliveryChange>) =>
    tx.run(updateDelivery, { ...delivery, isUnderWay: 0, ...to });

  async function failed(tx: Transaction, delivery: DeliveryState): Promise<void> {
    const now = clock.now();
    await change(tx, delivery, { status: 'failed', nextAttemptAt: null, finishedAt: now });
    if (delivery.isTest === 1) return;
    const webhook = await tx.first(webhookForUpdate, { id: delivery.webhookId });
    if (!webhook || webhook.deletedAt !== null || webhook.disabledAt !== null) return;
    const failedInARow = webhook.failedInARow + 1;
    const isOver = failedInARow >= settings.disableAfter;
    await tx.run(updateWebhook, { ...webhook, failedInARow, disabledAt: isOver ? now : null });
    const { id: webhookId, businessId, url, eventType } = webhook;
    const payload = { url, eventType, failedInARow };
    if (isOver) {
      await tx.run(stopDeliveries, { webhookId, now });
      events.announce(tx, { type: 'webhook.disabled', businessId, subjectId: webhookId, payload });
    } else if (failedInARow === settings.warnAfter) {
      events.announce(tx, { type: 'webhook.failing', businessId, subjectId: webhookId, payload });
    }
    if (isOver || failedInARow === settings.warnAfter)
      afterCommit(tx, () =>
        log.warn(
          { businessId, webhookId, failedInARow },
          isOver ? 'a webhook endpoint was disabled' : 'a webhook endpoint is failing',
        ),
      );
  }

  /** An attempt failed that is not the last one. */
  function again(tx: Transaction, delivery: DeliveryState, { outcome }: AttemptResult): Promise<number> {
    const waitMs = outcome === 'interrupted' ? 0 : delayMs(delivery.attemptCount);
    return change(tx, delivery, { nextAttemptAt: clock.now() + waitMs });
  }

  function begin(tx: Transaction, due: readonly DeliveryRow[], webhook: WebhookRow): Attempt[] {
    if (due.length === 0) return [];
    const startedAt = clock.now();
    const leaseEndsAt = startedAt + settings.leaseMs;
    const deliveryIdsJson = idsOf(due);
    tx.send(countAttempts, { deliveryIdsJson, leaseEndsAt });
    tx.send(insertAttempts, { deliveryIdsJson, startedAt, url: webhook.url });
    return due.map(delivery => ({ delivery, number: delivery.attemptCount + 1, webhook, startedAt }));
  }

  /** Whether an attempt of a delivery that is due may still be made; ends the one that a dead process left. */
  async function mayBeSent(tx: Transaction, delivery: DeliveryRow, webhook: WebhookRow): Promise<boolean> {
    if (delivery.isUnderWay === 1) {
      const { id: deliveryId, series, attemptCount: number } = delivery;
      endEach(tx, [{ deliveryId, series, number, ...interrupted }]);
      if (number >= maximumOf(delivery)) {
        await failed(tx, delivery);
        return false;
      }
    }
    const isStopped = webhook.deletedAt !== null || (webhook.disabledAt !== null && delivery.isTest === 0);
    if (isStopped) await change(tx, delivery, { status: 'not_sent', nextAttemptAt: null, finishedAt: clock.now() });
    return !isStopped;
  }

  /** In the order in which they ended, since failures count in a row. */
  async function end(tx: Transaction, ended: readonly EndedAttempt[]): Promise<boolean[]> {
    const current = await currentOf(
      tx,
      ended.map(({ attempt }) => attempt),
    );
    const ends: AttemptEnd[] = [];
    const delivered: DeliveryState[] = [];
    const withoutFailures = new Set<string>();
    const areOurs: boolean[] = [];
    for (const { attempt, result } of ended) {
      const delivery = current.get(attempt.delivery.id);
      const isOurs = isUnderWay(attempt, delivery);
      areOurs.push(isOurs);
      if (!delivery || !isOurs) continue;
      const { id: deliveryId, series, attemptCount: number, webhookId, isTest } = delivery;
      ends.push({ deliveryId, series, number, ...result });
      if (result.outcome === 'delivered') {
        delivered.push(delivery);
        if (isTest === 0 && !withoutFailures.has(webhookId)) tx.send(forgetFailures, { id: webhookId });
        if (isTest === 0) withoutFailures.add(webhookId);
      } else if (number < maximumOf(delivery)) await again(tx, delivery, result);
      else {
        await failed(tx, delivery);
        withoutFailures.delete(webhookId);
      }
    }
    endEach(tx, ends);
    if (delivered.length > 0) tx.send(finishDelivered, { deliveryIdsJson: idsOf(delivered), now: clock.now() });
    return areOurs;
  }

  return {
    add(tx, webhook, what) {
      const now = clock.now();
      const isSent = webhook.disabledAt === null || what.eventId === null;
      const row: DeliveryRow = {
        ...what,
        id: ids.next(idPrefixes.delivery),
        businessId: webhook.businessId,
        webhookId: webhook.id,
        isTest: what.eventId === null ? 1 : 0,
        status: isSent ? 'pending' : 'not_sent',
        series: 1,
        attemptCount: 0,
        isUnderWay: 0,
        nextAttemptAt: isSent ? now : null,
        createdAt: now,
        finishedAt: isSent ? null : now,
      };
      tx.send(insertDelivery, row);
      const sender = what.eventId === null ? undefined : options.sender();
      if (isSent && sender?.hasRoomAt(webhook.id))
        for (const attempt of begin(tx, [row], webhook)) afterCommit(tx, () => sender.send(attempt));
      else if (isSent) sendSoon(tx, webhook.id);
      return row;
    },

    claim: (webhookId, limit) =>
      database.write(async tx => {
        const due = await tx.all(dueDeliveries, { webhookId, now: clock.now(), limit });
        const webhook = due.length > 0 ? await tx.first(anyWebhookById, { id: webhookId }) : undefined;
        if (!webhook) return [];
        const sendable: DeliveryRow[] = [];
        for (const delivery of due) if (await mayBeSent(tx, delivery, webhook)) sendable.push(delivery);
        return begin(tx, sendable, webhook);
      }),

    record: ended => database.write(tx => end(tx, ended)),

    release: attempts =>
      database.write(async tx => {
        const current = await currentOf(tx, attempts);
        const ours = attempts.filter(attempt => isUnderWay(attempt, current.get(attempt.delivery.id)));
        const deliveryIdsJson = idsOf(ours.map(({ delivery }) => delivery));
        tx.send(deleteUnsent, { deliveryIdsJson });
        tx.send(uncountAttempts, { deliveryIdsJson, now: clock.now() });
      }),
  };
}

/** Whether nothing else happened to the delivery since this attempt of it was claimed. */
function isUnderWay({ delivery: { series }, number }: Attempt, current: DeliveryState | undefined): boolean {
  if (!current) return false;
  return current.series === series && current.attemptCount === number && current.isUnderWay === 1;
}

async function currentOf(tx: Transaction, attempts: readonly Attempt[]): Promise<Map<string, DeliveryState>> {
  const deliveryIdsJson = idsOf(attempts.map(({ delivery }) => delivery));
  const rows = await tx.all(deliveriesForUpdate, { deliveryIdsJson });
  return new Map(rows.map(row => [row.id, row]));
}

function endEach(tx: Transaction, ends: readonly AttemptEnd[]): void {
  tx.send(endAttempts, { endsJson: JSON.stringify(ends) });
}

function idsOf(rows: readonly Pick<DeliveryRow, 'id'>[]): string {
  return JSON.stringify(rows.map(({ id }) => id));
}
