import { sql } from 'kysely';
import { allColumnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { TimelineEventRow } from './rows.ts';

export const insertTimelineEvent = statement<TimelineEventRow, unknown>(({ db }, arg) =>
  db
    .insertInto('timelineEvents')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'paymentId',
        'refundId',
        'kind',
        'actorKind',
        'actorId',
        'terminalId',
        'detailJson',
        'at',
      ]),
    ),
);

/** A timeline entry with the names of the people and terminals in it. */
export type TimelineView = TimelineEventRow & {
  readonly staffName: string | null;
  readonly apiKeyName: string | null;
  readonly terminalName: string | null;
};

export const timelineOfPayment = statement<{ paymentId: string; after: string; limit: number }, TimelineView>(
  ({ db }, arg) =>
    db
      .selectFrom('timelineEvents')
      .leftJoin('staff', join =>
        join.onRef('staff.id', '=', 'timelineEvents.actorId').on('timelineEvents.actorKind', '=', sql.lit('staff')),
      )
      .leftJoin('apiKeys', join =>
        join.onRef('apiKeys.id', '=', 'timelineEvents.actorId').on('timelineEvents.actorKind', '=', sql.lit('api_key')),
      )
      .leftJoin('terminals', 'terminals.id', 'timelineEvents.terminalId')
      .selectAll('timelineEvents')
      .select(['staff.name as staffName', 'apiKeys.name as apiKeyName', 'terminals.name as terminalName'])
      .where('timelineEvents.paymentId', '=', arg('paymentId'))
      .where('timelineEvents.id', '>', arg('after'))
      .orderBy('timelineEvents.id')
      .limit(rowLimit(arg('limit'))),
);
