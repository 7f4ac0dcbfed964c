import type { Clock, Ids, Instant, Log, Random } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { traceToKeep } from '../../foundation/context.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { rowsJsonOf } from '../../foundation/database/statements.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Held, Leases, LeasesOn } from '../../foundation/jobs/leases.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './rows.ts';
import type { WebhookSettings } from './settings.ts';
import {
  type AttemptKey,
  type AttemptName,
  anyWebhookById,
  countAttempts,
  type DeliveryChange,
  type DeliveryState,
  deliveriesForUpdate,
  dueDeliveries,
  type Failing,
  failingJson,
  finishDelivered,
  forgetFailures,
  insertAttempts,
  insertDelivery,
  keysJson,
  noteFailing,
  renewAttempts,
  stopDeliveries,
  uncountAttempts,
  updateDelivery,
  updateWebhook,
  webhookForUpdate,
} from './store.ts';

/** An attempt that this process holds exclusively for as long as it renews its lease. */
export type Attempt = {
  readonly delivery: DeliveryRow;
  readonly number: number;
  readonly webhook: WebhookRow;
  readonly startedAt: Instant;
  readonly leaseUntil: Instant;
};

/** The outcome of an attempt. */
export type AttemptResult = Readonly<
  Pick<AttemptRow, 'outcome' | 'responseStatus' | 'durationMs' | 'responseExcerpt' | 'error'>
>;

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
  /** Claims due deliveries; each attempt is counted and recorded before anything is sent. */
  claim(webhookId: string, limit: number): Promise<Attempt[]>;
  /**
   * Records outcomes of attempts, once, in one transaction; false for each that another process took over meanwhile.
   */
  record(ended: readonly EndedAttempt[]): Promise<boolean[]>;
  /** The leases on attempts that this process has claimed. */
  readonly leases: LeasesOn<Attempt>;
  /** Releases claimed attempts that were not sent: their deliveries are due again, and the attempts are not counted. */
  release(attempts: readonly Attempt[]): Promise<void>;
};

type DeliveriesOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  readonly events: Events;
  readonly leases: Leases;
  readonly settings: WebhookSettings;
  /** Called when this transaction writes a delivery that is due now. */
  readonly sendSoon: (tx: Transaction, webhookId: string) => void;
  /** This process's sender, if it sends. */
  readonly sender: () => Sender | undefined;
};

/** Sends deliveries claimed with their event. */
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
  error: 'the process that made this attempt crashed',
};

/**
 * The state of deliveries, in the database: the one place that counts attempts and failures. An attempt is counted before it
 * is sent, so that no crash makes a sixth one, and uncounted only by the process that claimed it and never sent it.
 */
export function deliveries(options: DeliveriesOptions): Deliveries {
  const { database, clock, ids, random, log, events, settings, sendSoon } = options;
  const leases = options.leases.on<Attempt>({
    what: 'webhook attempts',
    // It waits for at most one slow response at its endpoint, and then for its own.
    maxMs: 2 * settings.timeoutMs,
    renew,
  });
  const maximumOf = ({ isTest }: DeliveryState) => (isTest === 1 ? 1 : settings.retryDelaysMs.length + 1);

  function delayMs(attemptsMade: number): number {
    const planned = settings.retryDelaysMs[attemptsMade - 1] ?? 0;
    const part = Buffer.from(random.bytes(4)).readUInt32BE() / 0xffff_ffff;
    return Math.round(planned * (1 + settings.jitter * (2 * part - 1)));
  }

  const change = (tx: Transaction, delivery: DeliveryState, to: Partial<DeliveryChange>) =>
    tx.run(updateDelivery, { ...delivery, attemptStartedAt: null, ...to });

  async function failed(tx: Transaction, delivery: DeliveryState): Promise<void> {
    const now = clock.now();
    await change(tx, delivery, { status: 'failed', nextAttemptAt: null, finishedAt: now });
    if (delivery.isTest === 1) return;
    const webhook = await tx.first(webhookForUpdate, { id: delivery.webhookId });
    if (!webhook || webhook.deletedAt !== null || webhook.disabledAt !== null) return;
    const failedInARow = webhook.failedInARow + 1;
    const isOver = failedInARow >= settings.disableAfter;
    const disabledReason = isOver ? 'failures' : null;
    await tx.run(updateWebhook, { ...webhook, failedInARow, disabledReason, disabledAt: isOver ? now : null });
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

  /** An attempt failed that was not the last one. */
  function again(tx: Transaction, delivery: DeliveryState, { outcome }: AttemptResult): Promise<number> {
    const waitMs = outcome === 'interrupted' ? 0 : delayMs(delivery.attemptCount);
    return change(tx, delivery, { nextAttemptAt: clock.now() + waitMs });
  }

  async function renew(held: readonly Held<Attempt>[], nextAttemptAt: Instant): Promise<readonly Held<Attempt>[]> {
    const keys = keysJson(held.map(({ work }) => keyOf(work)));
    const renewed = await database.write(tx => tx.all(renewAttempts, { keysJson: keys, nextAttemptAt }));
    const names = new Map(renewed.map(name => [name.deliveryId, name]));
    return held.filter(({ work }) => isOf(work, names.get(work.delivery.id)));
  }

  function begin(tx: Transaction, due: readonly DeliveryRow[], webhook: WebhookRow): Attempt[] {
    if (due.length === 0) return [];
    const begun = { attemptStartedAt: clock.now(), nextAttemptAt: leases.fromNow() };
    tx.send(countAttempts, { webhookId: webhook.id, deliveryIdsJson: idsOf(due), ...begun });
    const { attemptStartedAt: startedAt, nextAttemptAt: leaseUntil } = begun;
    return due.map(delivery => ({ delivery, number: delivery.attemptCount + 1, webhook, startedAt, leaseUntil }));
  }

  /** Whether another attempt of a due delivery is allowed; ends the attempt of a crashed process. */
  async function mayBeSent(tx: Transaction, delivery: DeliveryRow, webhook: WebhookRow): Promise<boolean> {
    if (delivery.attemptStartedAt !== null) {
      const { id: deliveryId, series, attemptCount: number, attemptStartedAt: startedAt } = delivery;
      writeAttempts(tx, [{ deliveryId, series, number, startedAt, url: webhook.url, ...interrupted }]);
      if (number >= maximumOf(delivery)) {
        await failed(tx, delivery);
        return false;
      }
    }
    const isStopped =
      webhook.deletedAt !== null ||
      (webhook.disabledAt !== null && delivery.isTest === 0) ||
      isOfAnotherEvent(delivery, webhook);
    if (isStopped) await change(tx, delivery, { status: 'not_sent', nextAttemptAt: null, finishedAt: clock.now() });
    return !isStopped;
  }

  /** False for each whose delivery has changed since it was claimed. */
  async function end(tx: Transaction, ended: readonly EndedAttempt[]): Promise<boolean[]> {
    const isDelivered = ({ result }: EndedAttempt) => result.outcome === 'delivered';
    const [delivered, failing] = await Promise.all([
      finish(tx, ended.filter(isDelivered)),
      statesOf(
        tx,
        ended.filter(one => !isDelivered(one)),
      ),
    ]);
    const isLeaseHeld = (one: EndedAttempt) => delivered.has(one) || failing.has(one);
    writeAttempts(tx, ended.filter(isLeaseHeld).map(rowOf));
    const withoutFailures = new Set<string>();
    const stillFailing = new Map<string, Failing>();
    // In order, because consecutive failures count.
    for (const one of ended) {
      const { webhookId, isTest } = one.attempt.delivery;
      const failure = failing.get(one);
      if (isTest === 0 && failure) addFailure(stillFailing, one);
      else if (isTest === 0 && delivered.has(one)) stillFailing.delete(webhookId);
      if (failure && failure.attemptCount < maximumOf(failure)) await again(tx, failure, one.result);
      else if (failure) {
        await failed(tx, failure);
        withoutFailures.delete(webhookId);
      } else if (delivered.has(one) && isTest === 0 && !withoutFailures.has(webhookId)) {
        tx.send(forgetFailures, { id: webhookId });
        withoutFailures.add(webhookId);
      }
    }
    if (stillFailing.size > 0) tx.send(noteFailing, { failingJson: failingJson([...stillFailing.values()]) });
    return ended.map(isLeaseHeld);
  }

  /** The successful attempts whose deliveries have not changed since they were claimed. */
  async function finish(tx: Transaction, ended: readonly EndedAttempt[]): Promise<Set<EndedAttempt>> {
    if (ended.length === 0) return new Set();
    const finished = new Map<string, AttemptName>();
    const keys = keysJson(ended.map(({ attempt }) => keyOf(attempt)));
    for (const key of await tx.all(finishDelivered, { keysJson: keys, now: clock.now() }))
      finished.set(key.deliveryId, key);
    return new Set(ended.filter(({ attempt }) => isOf(attempt, finished.get(attempt.delivery.id))));
  }

  return {
    leases,

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
        attemptStartedAt: null,
        nextAttemptAt: isSent ? now : null,
        createdAt: now,
        finishedAt: isSent ? null : now,
        trace: traceToKeep(),
      };
      const sender = what.eventId === null ? undefined : options.sender();
      if (isSent && sender?.hasRoomAt(webhook.id)) {
        const leaseUntil = leases.fromNow();
        tx.send(insertDelivery, { ...row, attemptStartedAt: now, nextAttemptAt: leaseUntil, attemptCount: 1 });
        afterCommit(tx, () => sender.send({ delivery: row, number: 1, webhook, startedAt: now, leaseUntil }));
      } else {
        tx.send(insertDelivery, row);
        if (isSent) sendSoon(tx, webhook.id);
      }
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
        await tx.run(uncountAttempts, { keysJson: keysJson(attempts.map(keyOf)), now: clock.now() });
      }),
  };
}

/** Whether the endpoint has changed to another event since. A checkout's own URL is told of two. */
export function isOfAnotherEvent({ eventType }: DeliveryRow, webhook: WebhookRow): boolean {
  return webhook.checkoutId === null && eventType !== webhook.eventType;
}

/** Adds a failed attempt to those of its endpoint. An interrupted one says nothing about the endpoint. */
function addFailure(failing: Map<string, Failing>, { attempt, result: { outcome, responseStatus } }: EndedAttempt) {
  if (outcome === 'interrupted') return;
  const webhookId = attempt.webhook.id;
  const since = failing.get(webhookId)?.since ?? attempt.startedAt;
  failing.set(webhookId, { webhookId, since, outcome, status: responseStatus });
}

function keyOf({ delivery, number }: Attempt): AttemptKey {
  return { webhookId: delivery.webhookId, deliveryId: delivery.id, series: delivery.series, number };
}

function rowOf({ attempt: { delivery, number, startedAt, webhook }, result }: EndedAttempt): AttemptRow {
  return { deliveryId: delivery.id, series: delivery.series, number, startedAt, url: webhook.url, ...result };
}

/** Whether this attempt has that name. */
function isOf({ delivery: { series }, number }: Attempt, key: AttemptName | undefined): boolean {
  return key?.series === series && key.number === number;
}

/** The locked deliveries of these attempts that have not changed since they were claimed. */
async function statesOf(tx: Transaction, ended: readonly EndedAttempt[]): Promise<Map<EndedAttempt, DeliveryState>> {
  const states = new Map<EndedAttempt, DeliveryState>();
  if (ended.length === 0) return states;
  const rows = await tx.all(deliveriesForUpdate, {
    webhookIdsJson: idsOf(ended.map(({ attempt }) => attempt.webhook)),
    deliveryIdsJson: idsOf(ended.map(({ attempt }) => attempt.delivery)),
  });
  const current = new Map(rows.map(row => [row.id, row]));
  for (const one of ended) {
    const { delivery, number } = one.attempt;
    const state = current.get(delivery.id);
    if (state && isUnderWay(state, { series: delivery.series, number })) states.set(one, state);
  }
  return states;
}

function isUnderWay(current: DeliveryState, { series, number }: Omit<AttemptName, 'deliveryId'>): boolean {
  return current.series === series && current.attemptCount === number && current.attemptStartedAt !== null;
}

function writeAttempts(tx: Transaction, rows: readonly AttemptRow[]): void {
  if (rows.length > 0) tx.send(insertAttempts, rowsJsonOf('webhookAttempts', rows));
}

function idsOf(rows: readonly { readonly id: string }[]): string {
  return JSON.stringify(rows.map(({ id }) => id));
}
