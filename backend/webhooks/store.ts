import type { DeliveryStatus, WebhookEvent } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { allColumnsOf, columnsOf, oneOf, optionalFilters, rowLimit, rowsOf, statement } from '../database/database.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './rows.ts';

type Key = { businessId: string; id: string };
type Page = { before: string; limit: number };
/** A JSON array of them. */
type DeliveryIds = { deliveryIdsJson: string };

export const insertWebhook = statement<WebhookRow, unknown>(({ db }, arg) =>
  db
    .insertInto('webhooks')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'url',
        'eventType',
        'description',
        'sealedSecret',
        'previousSealedSecret',
        'previousSecretUntil',
        'failedInARow',
        'lastSequence',
        'checkoutId',
        'disabledAt',
        'createdAt',
        'deletedAt',
      ]),
    ),
);

export const webhookPage = statement<{ businessId: string } & Page, WebhookRow>(({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit'))),
);

export const countWebhooks = statement<{ businessId: string }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null),
);

/** One that was not removed. */
export const webhookById = statement<Key, WebhookRow>(({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null),
);

/** Of the address that one checkout was given for itself. */
export const webhookOfCheckout = statement<{ checkoutId: string }, WebhookRow>(({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('checkoutId', '=', arg('checkoutId')),
);

/** Also one that was removed. */
export const anyWebhookById = statement<{ id: string }, WebhookRow>(({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', arg('id')),
);

/** Locked until the transaction ends; also one that was removed. */
export const webhookForUpdate = statement<{ id: string }, WebhookRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

export const updateWebhook = statement<WebhookRow, unknown>(({ db }, arg) =>
  db
    .updateTable('webhooks')
    .set(
      columnsOf(arg, [
        'url',
        'eventType',
        'description',
        'sealedSecret',
        'previousSealedSecret',
        'previousSecretUntil',
        'failedInARow',
        'disabledAt',
        'deletedAt',
      ]),
    )
    .where('id', '=', arg('id')),
);

/** Touches no row where there is nothing to forget: it is what all deliveries of an endpoint share. */
export const forgetFailures = statement<{ id: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('webhooks')
    .set({ failedInARow: 0 })
    .where('id', '=', arg('id'))
    .where('failedInARow', '>', 0)
    .where('disabledAt', 'is', null),
);

/** The endpoints that listen for this event, each with the sequence of the delivery it is to get. */
export const takeSequences = statement<{ businessId: string; eventType: WebhookEvent }, WebhookRow>(({ db }, arg) =>
  db
    .updateTable('webhooks')
    .set({ lastSequence: sql<number>`"lastSequence" + 1` })
    .where('businessId', '=', arg('businessId'))
    .where('eventType', '=', arg('eventType'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null)
    .returningAll(),
);

export const insertDelivery = statement<DeliveryRow, unknown>(({ db }, arg) =>
  db
    .insertInto('webhookDeliveries')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'webhookId',
        'eventId',
        'eventType',
        'isTest',
        'sequence',
        'eventNumber',
        'body',
        'status',
        'series',
        'attemptCount',
        'attemptStartedAt',
        'nextAttemptAt',
        'createdAt',
        'finishedAt',
      ]),
    ),
);

export const deliveryById = statement<{ webhookId: string; id: string }, DeliveryRow>(({ db }, arg) =>
  db.selectFrom('webhookDeliveries').selectAll().where('id', '=', arg('id')).where('webhookId', '=', arg('webhookId')),
);

const changing = ['id', 'status', 'series', 'attemptCount', 'attemptStartedAt', 'nextAttemptAt', 'finishedAt'] as const;

/** What changes of a delivery once it was made. */
export type DeliveryChange = Pick<DeliveryRow, (typeof changing)[number]>;

export type DeliveryState = DeliveryChange & Pick<DeliveryRow, 'webhookId' | 'isTest'>;

/** Locked in one order, so that no two batches wait for each other. */
export const deliveriesForUpdate = statement<DeliveryIds, DeliveryState>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhookDeliveries')
    .select([...changing, 'webhookId', 'isTest'])
    .where(oneOf(isPostgres, 'id', arg('deliveryIdsJson')))
    .orderBy('id')
    .$if(isPostgres, query => query.forUpdate()),
);

export const deliveryForUpdate = statement<{ id: string }, DeliveryRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

/** Undelivered ones stay: they can be sent again on request. */
export const deleteDelivered = statement<{ before: Instant; limit: number }, { id: string }>(({ db }, arg) =>
  db
    .deleteFrom('webhookDeliveries')
    .where('id', 'in', query =>
      query
        .selectFrom('webhookDeliveries')
        .select('id')
        .where('status', '=', sql.lit('delivered'))
        .where('finishedAt', '<=', arg('before'))
        .orderBy('finishedAt')
        .limit(rowLimit(arg('limit'))),
    )
    .where('status', '=', sql.lit('delivered'))
    .returning('id'),
);

export const deleteAttempts = statement<DeliveryIds, unknown>(({ db, isPostgres }, arg) =>
  db.deleteFrom('webhookAttempts').where(oneOf(isPostgres, 'deliveryId', arg('deliveryIdsJson'))),
);

export const deliveryPage = statement<{ webhookId: string; status: DeliveryStatus | null } & Page, DeliveryRow>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('webhookDeliveries')
      .selectAll()
      .where('webhookId', '=', arg('webhookId'))
      .where('id', '<', arg('before'))
      .where(optionalFilters(isPostgres).text('status', '=', arg('status')))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

export const attemptsOf = statement<DeliveryIds, AttemptRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhookAttempts')
    .selectAll()
    .where(oneOf(isPostgres, 'deliveryId', arg('deliveryIdsJson')))
    .orderBy('deliveryId')
    .orderBy('series')
    .orderBy('number'),
);

type Due = { webhookId: string; now: Instant; limit: number };

/** Deliveries of an endpoint whose next attempt is due, the longest due first; locked, those of other workers left out. */
export const dueDeliveries = statement<Due, DeliveryRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', arg('webhookId'))
    .where('nextAttemptAt', '<=', arg('now'))
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(rowLimit(arg('limit')))
    .$if(isPostgres, query => query.forUpdate().skipLocked()),
);

/**
 * Every endpoint with a delivery that is due. Goes from endpoint to endpoint in the index of what is due, so that its cost
 * is that of the endpoints and not of what waits at them.
 */
export const webhooksWithDue = statement<{ now: Instant }, { webhookId: string }>(({ db }, arg) => ({
  compile: () =>
    sql<{ webhookId: string }>`
      WITH RECURSIVE waiting("webhookId") AS (
        SELECT min("webhookId") FROM "webhookDeliveries" WHERE "nextAttemptAt" IS NOT NULL
        UNION ALL
        SELECT (
          SELECT min(next."webhookId") FROM "webhookDeliveries" AS next
          WHERE next."nextAttemptAt" IS NOT NULL AND next."webhookId" > waiting."webhookId"
        ) FROM waiting WHERE waiting."webhookId" IS NOT NULL
      )
      SELECT "webhookId" FROM waiting
      WHERE EXISTS (
        SELECT 1 FROM "webhookDeliveries" AS due
        WHERE due."webhookId" = waiting."webhookId" AND due."nextAttemptAt" <= ${arg('now')}
      )`.compile(db),
}));

export const updateDelivery = statement<DeliveryChange, unknown>(({ db }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .set(columnsOf(arg, ['status', 'series', 'attemptCount', 'attemptStartedAt', 'nextAttemptAt', 'finishedAt']))
    .where('id', '=', arg('id')),
);

type Begun = DeliveryIds & { attemptStartedAt: Instant; nextAttemptAt: Instant };

/** One attempt more of each, under way until its outcome is recorded or this lease ends. */
export const countAttempts = statement<Begun, unknown>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .set({
      attemptCount: sql<number>`"attemptCount" + 1`,
      ...columnsOf(arg, ['attemptStartedAt', 'nextAttemptAt']),
    })
    .where(oneOf(isPostgres, 'id', arg('deliveryIdsJson'))),
);

/** An attempt by its name. */
export type AttemptKey = Pick<AttemptRow, 'deliveryId' | 'series' | 'number'>;
const attemptKey = { deliveryId: 'text', series: 'bigint', number: 'bigint' } as const;
type Attempts = { attemptsJson: string; now: Instant };

/** Of these attempts those that are under way were counted and never sent: their deliveries are due again as before. */
export const uncountAttempts = statement<Attempts, unknown>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .from(rowsOf<AttemptKey>(isPostgres, arg('attemptsJson'), attemptKey).as('unsent'))
    .set({ attemptCount: sql<number>`"attemptCount" - 1`, attemptStartedAt: null, nextAttemptAt: arg('now') })
    .whereRef('webhookDeliveries.id', '=', 'unsent.deliveryId')
    .whereRef('webhookDeliveries.series', '=', 'unsent.series')
    .whereRef('webhookDeliveries.attemptCount', '=', 'unsent.number')
    .where('attemptStartedAt', 'is not', null),
);

/** Of these attempts those that are under way have delivered; tells which. */
export const finishDelivered = statement<Attempts, AttemptKey>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .from(rowsOf<AttemptKey>(isPostgres, arg('attemptsJson'), attemptKey).as('ended'))
    .set({ status: 'delivered', attemptStartedAt: null, nextAttemptAt: null, finishedAt: arg('now') })
    .whereRef('webhookDeliveries.id', '=', 'ended.deliveryId')
    .whereRef('webhookDeliveries.series', '=', 'ended.series')
    .whereRef('webhookDeliveries.attemptCount', '=', 'ended.number')
    .where('attemptStartedAt', 'is not', null)
    .returning(['id as deliveryId', 'webhookDeliveries.series as series', 'attemptCount as number']),
);

/** An endpoint was disabled or removed: what waits is not sent. What is under way ends as it will. */
export const stopDeliveries = statement<{ webhookId: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .set({ status: 'not_sent', nextAttemptAt: null, finishedAt: arg('now') })
    .where('webhookId', '=', arg('webhookId'))
    .where('nextAttemptAt', 'is not', null)
    .where('attemptStartedAt', 'is', null),
);

/** A new series for everything since then that was not delivered. */
export const restartUndelivered = statement<{ webhookId: string; since: Instant; now: Instant }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('webhookDeliveries')
      .set({
        status: 'pending',
        series: sql<number>`"series" + 1`,
        attemptCount: 0,
        nextAttemptAt: arg('now'),
        finishedAt: null,
      })
      .where('webhookId', '=', arg('webhookId'))
      .where('createdAt', '>=', arg('since'))
      .where(eb =>
        eb.or([
          eb('status', 'in', ['failed', 'not_sent']),
          // It failed, and waits for its next attempt.
          eb.and([eb('status', '=', 'pending'), eb('attemptCount', '>', 0)]),
        ]),
      )
      .where('isTest', '=', 0)
      .where('attemptStartedAt', 'is', null),
);

const attemptColumns = [
  'deliveryId',
  'series',
  'number',
  'startedAt',
  'url',
  'outcome',
  'responseStatus',
  'durationMs',
  'responseExcerpt',
  'error',
] as const satisfies readonly (keyof AttemptRow)[];

/** Attempts that have ended. */
export const insertAttempts = statement<{ attemptsJson: string }, unknown>(({ db, isPostgres }, arg) =>
  db
    .insertInto('webhookAttempts')
    .columns(attemptColumns)
    .expression(
      db
        .selectFrom(
          rowsOf<AttemptRow>(isPostgres, arg('attemptsJson'), {
            ...attemptKey,
            startedAt: 'bigint',
            url: 'text',
            outcome: 'text',
            responseStatus: 'bigint',
            durationMs: 'bigint',
            responseExcerpt: 'text',
            error: 'text',
          }).as('ended'),
        )
        .select(attemptColumns),
    ),
);
