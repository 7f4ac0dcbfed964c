import type { Actor } from '@florin/shared/actor.ts';
import type { DeliveryStatus, WebhookEvent } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { Outbound } from '../../foundation/outbound/outbound.ts';
import { newSecret } from '../../foundation/secret.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import { testBody } from './body.ts';
import { type Deliveries, isOfAnotherEvent } from './deliveries.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './rows.ts';
import type { WebhookSettings } from './settings.ts';
import {
  attemptsOf,
  countWebhooks,
  deliveryById,
  deliveryForUpdate,
  deliveryPage,
  insertWebhook,
  restartUndelivered,
  stopDeliveries,
  stopOtherEvents,
  updateDelivery,
  updateWebhook,
  webhookById,
  webhookForUpdate,
  webhookPage,
} from './store.ts';

export type WebhookNotFound = { readonly kind: 'webhook_not_found' };
export type UrlRefused = { readonly kind: 'url_refused'; readonly problem: string };
type Disabled = { readonly kind: 'webhook_disabled' };
type DeliveryRefused = { readonly kind: 'delivery_not_found' } | { readonly kind: 'webhook_event_changed' };

export type NewWebhook = {
  readonly url: string;
  readonly eventType: WebhookEvent;
  readonly description: string | null;
};
export type WebhookWithSecret = { readonly webhook: WebhookRow; readonly secret: string };
/** The last attempt has no outcome while in progress. */
export type DeliveryWithAttempts = { readonly delivery: DeliveryRow; readonly attempts: readonly ListedAttempt[] };
export type ListedAttempt = Omit<AttemptRow, 'outcome'> & { readonly outcome: AttemptRow['outcome'] | null };
type Key = { readonly businessId: string; readonly id: string };
type Page = { readonly before: string; readonly limit: number };

/** Webhook endpoints and their deliveries. Specification: Webhook endpoint, Outbound webhooks. */
export type WebhookService = {
  create(
    businessId: string,
    input: NewWebhook,
    by: Actor,
    write: DurableWrite<WebhookRow>,
  ): Promise<Result<WebhookWithSecret, UrlRefused | { readonly kind: 'too_many_webhooks'; readonly limit: number }>>;
  list(businessId: string, page: Page): Promise<WebhookRow[]>;
  find(key: Key): Promise<WebhookRow | undefined>;
  /** Deliveries of another event than it now has are not sent any more. */
  change(key: Key, to: Partial<NewWebhook>, by: Actor): Promise<Result<WebhookRow, WebhookNotFound | UrlRefused>>;
  /** Nothing more is sent to it. */
  remove(key: Key, by: Actor): Promise<WebhookRow | undefined>;
  /** Issues a new signing secret; optionally the previous one also signs for a while. */
  rotateSecret(
    key: Key,
    options: { readonly keepPrevious: boolean },
    by: Actor,
    write: DurableWrite<WebhookRow>,
  ): Promise<WebhookWithSecret | undefined>;
  enable(key: Key, by: Actor, write: DurableWrite<WebhookRow>): Promise<WebhookRow | undefined>;
  /** Nothing more is sent to it; what happens meanwhile can be recovered. */
  disable(key: Key, by: Actor, write: DurableWrite<WebhookRow>): Promise<WebhookRow | undefined>;
  sendTest(key: Key, write: DurableWrite<DeliveryRow>): Promise<DeliveryRow | undefined>;
  deliveries(
    webhook: Pick<WebhookRow, 'id' | 'url'>,
    list: Page & { readonly status: DeliveryStatus | null },
  ): Promise<DeliveryWithAttempts[]>;
  redeliver(
    key: Key & { readonly deliveryId: string },
    write: DurableWrite<DeliveryWithAttempts>,
  ): Promise<Result<DeliveryWithAttempts, WebhookNotFound | Disabled | DeliveryRefused>>;
  /** Resends undelivered events since then; returns how many. */
  recover(
    key: Key & { readonly since: Instant },
    write: DurableWrite<number>,
  ): Promise<Result<number, WebhookNotFound | Disabled>>;
};

export type WebhookServiceOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly changes: ChangeLog;
  readonly outbound: Pick<Outbound, 'problemWith'>;
  readonly box: SecretBox;
  readonly settings: WebhookSettings;
  readonly deliveries: Pick<Deliveries, 'add'>;
  /** Called when this transaction makes deliveries due. */
  readonly sendSoon: (tx: Transaction, webhookId: string) => void;
};

/** An enabled endpoint without failures. */
const healthy = {
  failedInARow: 0,
  failingSince: null,
  failureOutcome: null,
  failureStatus: null,
  disabledAt: null,
  disabledReason: null,
} as const;

/** Writes each change of an endpoint and its change log entry in one transaction. Secrets are stored encrypted. */
export function webhookService(options: WebhookServiceOptions): WebhookService {
  const { database, clock, ids, random, changes, outbound, box, settings, deliveries, sendSoon } = options;

  function recordChange(tx: Transaction, change: string, { businessId, id, url, eventType }: WebhookRow, by: Actor) {
    const detail = { change, webhookId: id, url, eventType };
    return changes.append(tx, { businessId, kind: 'webhook_changed', by, detail });
  }

  async function urlRefused(url: string | undefined): Promise<UrlRefused | undefined> {
    const problem = url === undefined ? undefined : await outbound.problemWith(url);
    return problem === undefined ? undefined : { kind: 'url_refused', problem };
  }

  /** Locked; undefined if the business has none or removed it. */
  async function lock(tx: Transaction, { businessId, id }: Key): Promise<WebhookRow | undefined> {
    const row = await tx.first(webhookForUpdate, { id });
    const isTheirs = row?.businessId === businessId && row.checkoutId === null;
    return isTheirs && row.deletedAt === null ? row : undefined;
  }

  async function save(tx: Transaction, row: WebhookRow, change: string, by: Actor): Promise<WebhookRow> {
    await tx.run(updateWebhook, row);
    await recordChange(tx, change, row, by);
    return row;
  }

  async function withAttempts(
    { url }: Pick<WebhookRow, 'url'>,
    rows: readonly DeliveryRow[],
    from: Pick<Transaction, 'all'>,
  ): Promise<DeliveryWithAttempts[]> {
    const attempts = await from.all(attemptsOf, { deliveryIdsJson: JSON.stringify(rows.map(({ id }) => id)) });
    return rows.map(delivery => ({
      delivery,
      attempts: [...attempts.filter(({ deliveryId }) => deliveryId === delivery.id), ...underWay(delivery, url)],
    }));
  }

  return {
    async create(businessId, { url, eventType, description }, by, write) {
      const refused = await urlRefused(url);
      if (refused) return err(refused);
      const secret = newSecret('whsec_', random);
      const id = ids.next(idPrefixes.webhook);
      const row: WebhookRow = {
        id,
        businessId,
        url: new URL(url).href,
        eventType,
        description,
        sealedSecret: box.seal(secret, id),
        previousSealedSecret: null,
        previousSecretUntil: null,
        lastSequence: 0,
        checkoutId: null,
        ...healthy,
        createdAt: clock.now(),
        deletedAt: null,
      };
      const limit = settings.webhooksPerBusiness;
      const made = await write.run(async tx => {
        if (((await tx.first(countWebhooks, { businessId }))?.count ?? 0) >= limit) return undefined;
        await tx.run(insertWebhook, row);
        await recordChange(tx, 'created', row, by);
        return row;
      });
      return made ? ok({ webhook: made, secret }) : err({ kind: 'too_many_webhooks', limit });
    },

    list: (businessId, page) => database.all(webhookPage, { businessId, ...page }),
    find: key => database.first(webhookById, key),

    async change(key, to, by) {
      const refused = await urlRefused(to.url);
      if (refused) return err(refused);
      const changed = await database.write(async tx => {
        const row = await lock(tx, key);
        if (!row) return undefined;
        const url = to.url === undefined ? row.url : new URL(to.url).href;
        const { eventType = row.eventType, description = row.description } = to;
        if (eventType !== row.eventType)
          await tx.run(stopOtherEvents, { webhookId: row.id, eventType, now: clock.now() });
        return save(tx, { ...row, url, eventType, description }, 'changed', by);
      });
      return changed ? ok(changed) : err({ kind: 'webhook_not_found' });
    },

    remove: (key, by) =>
      database.write(async tx => {
        const row = await lock(tx, key);
        if (!row) return undefined;
        const now = clock.now();
        await tx.run(stopDeliveries, { webhookId: row.id, now });
        return save(tx, { ...row, deletedAt: now }, 'removed', by);
      }),

    async rotateSecret(key, { keepPrevious }, by, write) {
      const secret = newSecret('whsec_', random);
      const webhook = await write.run(async tx => {
        const row = await lock(tx, key);
        if (!row) return undefined;
        const previous = keepPrevious
          ? { previousSealedSecret: row.sealedSecret, previousSecretUntil: clock.now() + settings.previousSecretMs }
          : { previousSealedSecret: null, previousSecretUntil: null };
        return save(tx, { ...row, sealedSecret: box.seal(secret, row.id), ...previous }, 'secret_rotated', by);
      });
      return webhook && { webhook, secret };
    },

    enable: (key, by, write) =>
      write.run(async tx => {
        const row = await lock(tx, key);
        if (!row || row.disabledAt === null) return row;
        return save(tx, { ...row, ...healthy }, 'enabled', by);
      }),

    disable: (key, by, write) =>
      write.run(async tx => {
        const row = await lock(tx, key);
        if (!row || row.disabledAt !== null) return row;
        const now = clock.now();
        await tx.run(stopDeliveries, { webhookId: row.id, now });
        return save(tx, { ...row, disabledAt: now, disabledReason: 'request' }, 'disabled', by);
      }),

    sendTest: (key, write) =>
      write.run(async tx => {
        const row = await lock(tx, key);
        if (!row) return undefined;
        const { eventType } = row;
        const body = JSON.stringify(testBody(eventType, clock.now()));
        return deliveries.add(tx, row, { eventId: null, eventType, sequence: null, eventNumber: null, body });
      }),

    async deliveries(webhook, list) {
      return withAttempts(webhook, await database.all(deliveryPage, { webhookId: webhook.id, ...list }), database);
    },

    redeliver: ({ deliveryId, ...key }, write) =>
      database.write(async tx => {
        await write.begin(tx);
        const webhook = await lock(tx, key);
        if (!webhook) return err({ kind: 'webhook_not_found' });
        const found = await tx.first(deliveryById, { webhookId: webhook.id, id: deliveryId });
        if (!found) return err({ kind: 'delivery_not_found' });
        if (webhook.disabledAt !== null) return err({ kind: 'webhook_disabled' });
        if (isOfAnotherEvent(found, webhook)) return err({ kind: 'webhook_event_changed' });
        const delivery = await restart(tx, found);
        const [value = { delivery, attempts: [] }] = await withAttempts(webhook, [delivery], tx);
        await write.finish(tx, value);
        return ok(value);
      }),

    recover: ({ since, ...key }, write) =>
      database.write(async tx => {
        await write.begin(tx);
        const webhook = await lock(tx, key);
        if (!webhook) return err({ kind: 'webhook_not_found' });
        if (webhook.disabledAt !== null) return err({ kind: 'webhook_disabled' });
        const { id: webhookId, eventType } = webhook;
        const count = await tx.run(restartUndelivered, { webhookId, eventType, since, now: clock.now() });
        sendSoon(tx, webhook.id);
        await write.finish(tx, count);
        return ok(count);
      }),
  };

  /** Starts a new series, unless one is in progress or pending. */
  async function restart(tx: Transaction, { webhookId, id }: DeliveryRow): Promise<DeliveryRow> {
    const row = await tx.first(deliveryForUpdate, { webhookId, id });
    if (!row) throw new Error(`delivery ${id} is missing`);
    // A delivery in progress, or about to be sent for the first time, needs no new series.
    if (row.attemptStartedAt !== null || (row.nextAttemptAt !== null && row.attemptCount === 0)) return row;
    const series = { series: row.series + 1, attemptCount: 0, attemptStartedAt: null };
    const next: DeliveryRow = { ...row, ...series, status: 'pending', nextAttemptAt: clock.now(), finishedAt: null };
    await tx.run(updateDelivery, next);
    sendSoon(tx, row.webhookId);
    return next;
  }
}

function underWay(delivery: DeliveryRow, url: string): ListedAttempt[] {
  const { id: deliveryId, series, attemptCount: number, attemptStartedAt: startedAt } = delivery;
  if (startedAt === null) return [];
  const open = { outcome: null, responseStatus: null, durationMs: null, responseExcerpt: null, error: null };
  return [{ deliveryId, series, number, startedAt, url, ...open }];
}
