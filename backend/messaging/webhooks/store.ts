import type { AttemptOutcome, DeliveryStatus, WebhookEvent } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasStatus } from '../../foundation/database/claim.ts';
import {
  columnsOf,
  oneOf,
  optionalFilters,
  rowLimit,
  rowsJson,
  rowsOf,
  statement,
} from '../../foundation/database/database.ts';
import { insertInto, insertRows } from '../../foundation/database/statements.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './rows.ts';

type Key = { businessId: string; id: string };
type Page = { before: string; limit: number };
/** A JSON array of ids. */
type DeliveryIds = { deliveryIdsJson: string };

export const insertWebhook = insertInto('webhooks');

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

/** An endpoint that was not removed. */
export const webhookById = statement<Key, WebhookRow>(({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null),
);

/** The endpoint of a checkout's own URL. */
export const webhookOfCheckout = statement<{ checkoutId: string }, WebhookRow>(({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('checkoutId', '=', arg('checkoutId')),
);

/** Includes removed ones. */
export const anyWebhookById = statement<{ id: string }, WebhookRow>(({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', arg('id')),
);

/** Locked until the transaction ends; includes removed ones. */
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
        'failingSince',
        'failureOutcome',
        'failureStatus',
        'disabledAt',
        'disabledReason',
        'deletedAt',
      ]),
    )
    .where('id', '=', arg('id')),
);

/** Writes no row if there are no failures, because all deliveries of an endpoint share it. */
export const forgetFailures = statement<{ id: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('webhooks')
    .set({ failedInARow: 0, failingSince: null, failureOutcome: null, failureStatus: null })
    .where('id', '=', arg('id'))
    .where(({ eb, or }) => or([eb('failedInARow', '>', 0), eb('failingSince', 'is not', null)]))
    .where('disabledAt', 'is', null),
);

/** The failed attempts at an endpoint since its last success: when the first one was made, and how the latest one ended. */
export type Failing = {
  readonly webhookId: string;
  readonly since: Instant;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
};
const failingTypes = { webhookId: 'text', since: 'bigint', outcome: 'text', status: 'bigint' } as const;

/** The argument of `noteFailing`. */
export const failingJson = (rows: readonly Failing[]) => rowsJson(failingTypes, rows);

/** Notes at these endpoints that they fail, since when, and with what. */
export const noteFailing = statement<{ failingJson: string }, unknown>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhooks')
    .from(rowsOf<Failing>(isPostgres, arg('failingJson'), failingTypes).as('failing'))
    .set(({ fn, ref }) => ({
      failingSince: fn.coalesce('webhooks.failingSince', 'failing.since'),
      failureOutcome: ref('failing.outcome'),
      failureStatus: ref('failing.status'),
    }))
    .whereRef('webhooks.id', '=', 'failing.webhookId')
    .where('disabledAt', 'is', null),
);

/** The endpoints subscribed to this event, each with the sequence of its new delivery. */
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

export const insertDelivery = insertInto('webhookDeliveries');

type DeliveryKey = Pick<DeliveryRow, 'webhookId' | 'id'>;

export const deliveryById = statement<DeliveryKey, DeliveryRow>(({ db }, arg) =>
  db.selectFrom('webhookDeliveries').selectAll().where('webhookId', '=', arg('webhookId')).where('id', '=', arg('id')),
);

const changing = [
  'webhookId',
  'id',
  'status',
  'series',
  'attemptCount',
  'attemptStartedAt',
  'nextAttemptAt',
  'finishedAt',
] as const;

/** The columns of a delivery that change. */
export type DeliveryChange = Pick<DeliveryRow, (typeof changing)[number]>;

export type DeliveryState = DeliveryChange & Pick<DeliveryRow, 'isTest'>;

/** Locked in a fixed order, so that batches do not deadlock. */
export const deliveriesForUpdate = statement<DeliveryIds & { webhookIdsJson: string }, DeliveryState>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('webhookDeliveries')
      .select([...changing, 'isTest'])
      .where(oneOf(isPostgres, 'webhookId', arg('webhookIdsJson')))
      .where(oneOf(isPostgres, 'id', arg('deliveryIdsJson')))
      .orderBy('id')
      .$if(isPostgres, query => query.forUpdate()),
);

export const deliveryForUpdate = statement<DeliveryKey, DeliveryRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', arg('webhookId'))
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

/** Deletes those of some statuses whose retention is over. One that was resent in the meantime has none of them any more. */
function deletionOf(isEnded: RawBuilder<SqlBool>) {
  return statement<{ before: Instant; limit: number }, { id: string }>(({ db }, arg) =>
    db
      .deleteFrom('webhookDeliveries')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('webhookId', 'id'),
          'in',
          selectFrom('webhookDeliveries')
            .select(['webhookId', 'id'])
            .where(isEnded)
            .where('finishedAt', '<=', arg('before'))
            .orderBy('finishedAt')
            .limit(rowLimit(arg('limit')))
            .$asTuple('webhookId', 'id'),
        ),
      )
      .where(isEnded)
      .returning('id'),
  );
}
export const deleteDelivered = deletionOf(hasStatus('delivered'));
/** There are few that were given up, and no index for them: it looks through all deliveries. */
export const deleteUndelivered = deletionOf(sql<SqlBool>`status IN ('failed', 'not_sent')`);

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

/** Due deliveries of an endpoint, longest due first; locked, skipping those of other workers. */
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
 * Every endpoint with a due delivery. Skips from endpoint to endpoint in the index of due deliveries, so that its cost
 * depends on the number of endpoints, not deliveries.
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
    .where('webhookId', '=', arg('webhookId'))
    .where('id', '=', arg('id')),
);

type Begun = DeliveryIds & { webhookId: string; attemptStartedAt: Instant; nextAttemptAt: Instant };

/** Counts one more attempt of each delivery, in progress until its outcome is recorded or this lease ends. */
export const countAttempts = statement<Begun, unknown>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .set({
      attemptCount: sql<number>`"attemptCount" + 1`,
      ...columnsOf(arg, ['attemptStartedAt', 'nextAttemptAt']),
    })
    .where('webhookId', '=', arg('webhookId'))
    .where(oneOf(isPostgres, 'id', arg('deliveryIdsJson'))),
);

export type AttemptName = Pick<AttemptRow, 'deliveryId' | 'series' | 'number'>;
/** With the endpoint by which its delivery is found. */
export type AttemptKey = AttemptName & Pick<DeliveryRow, 'webhookId'>;
const attemptName = { deliveryId: 'text', series: 'bigint', number: 'bigint' } as const;
const attemptKey = { webhookId: 'text', ...attemptName } as const;
type Attempts = { keysJson: string; now: Instant };

/** The argument of the statements below. */
export const keysJson = (keys: readonly AttemptKey[]) => rowsJson(attemptKey, keys);

/** Renews the leases of attempts that are still in progress; returns which. */
export const renewAttempts = statement<{ keysJson: string; nextAttemptAt: Instant }, AttemptName>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('webhookDeliveries')
      .from(rowsOf<AttemptKey>(isPostgres, arg('keysJson'), attemptKey).as('held'))
      .set({ nextAttemptAt: arg('nextAttemptAt') })
      .whereRef('webhookDeliveries.webhookId', '=', 'held.webhookId')
      .whereRef('webhookDeliveries.id', '=', 'held.deliveryId')
      .whereRef('webhookDeliveries.series', '=', 'held.series')
      .whereRef('webhookDeliveries.attemptCount', '=', 'held.number')
      .where('attemptStartedAt', 'is not', null)
      .returning(['id as deliveryId', 'webhookDeliveries.series as series', 'attemptCount as number']),
);

/** Makes the deliveries of these unsent attempts due again, if the attempts are still in progress. */
export const uncountAttempts = statement<Attempts, unknown>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .from(rowsOf<AttemptKey>(isPostgres, arg('keysJson'), attemptKey).as('unsent'))
    .set({ attemptCount: sql<number>`"attemptCount" - 1`, attemptStartedAt: null, nextAttemptAt: arg('now') })
    .whereRef('webhookDeliveries.webhookId', '=', 'unsent.webhookId')
    .whereRef('webhookDeliveries.id', '=', 'unsent.deliveryId')
    .whereRef('webhookDeliveries.series', '=', 'unsent.series')
    .whereRef('webhookDeliveries.attemptCount', '=', 'unsent.number')
    .where('attemptStartedAt', 'is not', null),
);

/** Records these attempts as delivered, if they are still in progress; returns which. */
export const finishDelivered = statement<Attempts, AttemptName>(({ db, isPostgres }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .from(rowsOf<AttemptKey>(isPostgres, arg('keysJson'), attemptKey).as('ended'))
    .set({ status: 'delivered', attemptStartedAt: null, nextAttemptAt: null, finishedAt: arg('now') })
    .whereRef('webhookDeliveries.webhookId', '=', 'ended.webhookId')
    .whereRef('webhookDeliveries.id', '=', 'ended.deliveryId')
    .whereRef('webhookDeliveries.series', '=', 'ended.series')
    .whereRef('webhookDeliveries.attemptCount', '=', 'ended.number')
    .where('attemptStartedAt', 'is not', null)
    .returning(['id as deliveryId', 'webhookDeliveries.series as series', 'attemptCount as number']),
);

/** For a disabled or removed endpoint: waiting deliveries are not sent, attempts in progress complete. */
export const stopDeliveries = statement<{ webhookId: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('webhookDeliveries')
    .set({ status: 'not_sent', nextAttemptAt: null, finishedAt: arg('now') })
    .where('webhookId', '=', arg('webhookId'))
    .where('nextAttemptAt', 'is not', null)
    .where('attemptStartedAt', 'is', null),
);

/** The same for an endpoint that has changed to another event. */
export const stopOtherEvents = statement<{ webhookId: string; eventType: WebhookEvent; now: Instant }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('webhookDeliveries')
      .set({ status: 'not_sent', nextAttemptAt: null, finishedAt: arg('now') })
      .where('webhookId', '=', arg('webhookId'))
      .where('eventType', '<>', arg('eventType'))
      .where('nextAttemptAt', 'is not', null)
      .where('attemptStartedAt', 'is', null),
);

type Restarted = { webhookId: string; eventType: WebhookEvent; since: Instant; now: Instant };

/** Starts a new series for all undelivered deliveries of this event since then. */
export const restartUndelivered = statement<Restarted, unknown>(({ db }, arg) =>
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
    .where('eventType', '=', arg('eventType'))
    .where(eb =>
      eb.or([
        eb('status', 'in', ['failed', 'not_sent']),
        // Failed, and waiting for its next attempt.
        eb.and([eb('status', '=', 'pending'), eb('attemptCount', '>', 0)]),
      ]),
    )
    .where('isTest', '=', 0)
    .where('attemptStartedAt', 'is', null),
);

/** Ended attempts. */
export const insertAttempts = insertRows('webhookAttempts');
