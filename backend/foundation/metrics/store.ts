import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { statement } from '../database/database.ts';

/** The queries of every scrape. */

export type Backlog = { readonly count: number; readonly oldestAt: Instant | null };

const pendingOf = (table: 'payments' | 'refunds') =>
  statement<object, Backlog>(({ db }) =>
    db
      .selectFrom(table)
      .select(eb => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.min<Instant | null>(eb.fn.coalesce('sentAt', 'createdAt')).as('oldestAt'),
      ])
      // As a literal: a partial index cannot be used with a parameter.
      .where('status', '=', sql.lit('pending')),
  );
export const pendingPayments = pendingOf('payments');
export const pendingRefunds = pendingOf('refunds');

export const pendingReversals = statement<object, Backlog>(({ db }) =>
  db
    .selectFrom('payments')
    .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.min<Instant | null>('takenAt').as('oldestAt')])
    .where('reversalDueAt', 'is not', null),
);

export const pendingWithdrawals = statement<object, Backlog>(({ db }) =>
  db
    .selectFrom('withdrawals')
    .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.min<Instant | null>('sentAt').as('oldestAt')])
    .where('finalAt', 'is', null),
);

/** Waiting to be sent, including those in progress. */
const waitingIn = (table: 'webhookDeliveries' | 'emails') =>
  statement<object, Backlog>(({ db }) =>
    db
      .selectFrom(table)
      .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.min<Instant | null>('createdAt').as('oldestAt')])
      .where('nextAttemptAt', 'is not', null),
  );
export const waitingDeliveries = waitingIn('webhookDeliveries');
export const waitingEmails = waitingIn('emails');

export const disabledWebhooks = statement<object, { count: number }>(({ db }) =>
  db
    .selectFrom('webhooks')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('disabledAt', 'is not', null)
    .where('deletedAt', 'is', null),
);

export const openDiscrepancies = statement<object, { count: number }>(({ db }) =>
  db
    .selectFrom('discrepancies')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('resolvedAt', 'is', null),
);

/** The oldest unhandled event of each consumer. */
export const undeliveredEvents = statement<object, { consumer: string; oldestAt: Instant | null }>(({ db }) =>
  db
    .selectFrom('eventConsumers')
    .select(eb => [
      'name as consumer',
      eb
        .selectFrom('events')
        .select('createdAt')
        .whereRef('events.position', '>', 'eventConsumers.position')
        .orderBy('events.position')
        .limit(sql.lit(1))
        .as('oldestAt'),
    ]),
);

/** PostgreSQL only: the oldest event without a position. */
export const unplacedEvents = statement<object, { oldestAt: Instant | null }>(({ db }) =>
  db
    .selectFrom('events')
    .select(eb => eb.fn.min<Instant | null>('createdAt').as('oldestAt'))
    .where('position', 'is', null),
);

/** Terminals that reported at least once and were not removed, and those of them that have not since `since`. */
export const terminalCounts = statement<{ since: Instant }, { enrolled: number; silent: number }>(({ db }, arg) =>
  db
    .selectFrom('terminals')
    .select(eb => [
      eb.fn.countAll<number>().as('enrolled'),
      eb.fn
        .coalesce(eb.fn.sum<number>(sql`CASE WHEN "lastSeenAt" < ${arg('since')} THEN 1 ELSE 0 END`), sql.lit(0))
        .as('silent'),
    ])
    .where('lastSeenAt', 'is not', null)
    .where('removedAt', 'is', null),
);

/** API keys that work now and stop by `before`. */
export const expiringApiKeys = statement<{ now: Instant; before: Instant }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('apiKeys')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', arg('now'))
    .where('expiresAt', '<=', arg('before')),
);
