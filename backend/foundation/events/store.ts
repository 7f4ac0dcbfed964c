import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { rowLimit, statement } from '../database/database.ts';
import { insertUnlessTaken, rowFor, updateBy } from '../database/statements.ts';
import type { StoredEvent } from './event.ts';
import type { EventRow } from './rows.ts';

const inserted = [
  'id',
  'businessId',
  'type',
  'paymentId',
  'subjectId',
  'actorKind',
  'actorId',
  'terminalId',
  'payloadJson',
  'createdAt',
  'trace',
] as const satisfies readonly (keyof EventRow)[];

export const insertEvent = statement<EventRow, unknown>(({ db }, arg) =>
  db.insertInto('events').values(rowFor(arg, 'events')),
);

const columns = ['position', ...inserted] as const;

type After = { readonly after: number; readonly limit: number };

export const eventsAfter = statement<After, StoredEvent>(({ db }, arg) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('position', '>', arg('after'))
    .orderBy('position')
    .limit(rowLimit(arg('limit'))),
);

export const eventsOfBusinessAfter = statement<After & { businessId: string; upTo: number }, StoredEvent>(
  ({ db }, arg) =>
    db
      .selectFrom('events')
      .select(columns)
      .where('businessId', '=', arg('businessId'))
      .where('position', '>', arg('after'))
      .where('position', '<=', arg('upTo'))
      .orderBy('position')
      .limit(rowLimit(arg('limit'))),
);

export const lastPosition = statement<object, { position: number | null }>(({ db }) =>
  db.selectFrom('events').select(eb => eb.fn.max('position').as('position')),
);

/** The trace of the first event about a payment's subject. */
export const firstTrace = statement<{ paymentId: string; subjectId: string }, Pick<EventRow, 'trace'>>(({ db }, arg) =>
  db
    .selectFrom('events')
    .select('trace')
    .where('paymentId', '=', arg('paymentId'))
    .where('subjectId', '=', arg('subjectId'))
    .orderBy('id')
    .limit(sql.lit(1)),
);

/** Any fixed number: held until the end of the transaction that gives out positions, so that only one does at a time. */
const orderingLock = 4_711_001;

/** PostgreSQL alone. */
export const lockOrdering = statement<object, unknown>(({ db }) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${sql.lit(orderingLock)})`.as('locked')),
);

/** PostgreSQL alone. */
export const firstUnplaced = statement<object, { sequence: number }>(({ db }) =>
  db.selectFrom('events').select('sequence').where('position', 'is', null).limit(sql.lit(1)),
);

/**
 * PostgreSQL alone, under `lockOrdering`: gives every committed event that has no position yet the next one. Two changes of one
 * subject take turns at its row, so the later one was inserted later.
 */
export const placeCommitted = statement<object, unknown>(({ db }) =>
  db
    .updateTable('events')
    .from(
      db
        .selectFrom('events')
        .select(eb => [
          'sequence as placedSequence',
          sql<number>`(${eb.selectFrom('events').select(last => last.fn.coalesce(last.fn.max('position'), sql.lit(0)).as('last'))})
            + row_number() over (order by "sequence")`.as('nextPosition'),
        ])
        .where('position', 'is', null)
        .as('placed'),
    )
    .set({ position: sql.ref('placed.nextPosition') })
    .whereRef('events.sequence', '=', 'placed.placedSequence'),
);

/** PostgreSQL alone: wakes the other processes, once this transaction is committed. */
export const notifyOthers = statement<{ channel: string }, unknown>(({ db }, arg) =>
  db.selectNoFrom(sql`pg_notify(${arg('channel')}, '')`.as('notified')),
);

export const insertConsumer = insertUnlessTaken('eventConsumers');

/** Locked until the transaction ends: of several processes one at a time hands events to a consumer. */
export const consumerForUpdate = statement<{ name: string }, { position: number }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('eventConsumers')
    .select('position')
    .where('name', '=', arg('name'))
    .$if(isPostgres, query => query.forUpdate()),
);

/** Never back. */
export const advanceConsumer = statement<{ name: string; position: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('eventConsumers')
    .set({ position: arg('position') })
    .where('name', '=', arg('name'))
    .where('position', '<', arg('position')),
);

export const moveConsumer = updateBy('eventConsumers', { set: ['position'], by: ['name'] });

/**
 * Deletes events that every consumer has handled, except those of payments and the newest, from which positions
 * continue.
 */
export const deleteHandledEvents = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('events').where('position', 'in', query =>
    query
      .selectFrom('events')
      .select('position')
      .where('position', '<', consumers =>
        consumers.selectFrom('eventConsumers').select(eb => eb.fn.min('position').as('handled')),
      )
      .where('paymentId', 'is', null)
      .where('createdAt', '<=', arg('before'))
      .orderBy('createdAt')
      .limit(rowLimit(arg('limit'))),
  ),
);
