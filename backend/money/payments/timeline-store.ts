import { sql } from 'kysely';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import type { EventRow } from '../../foundation/events/rows.ts';

/** An event of a payment with the names of the people and terminals in it. */
export type TimelineView = EventRow & {
  readonly staffName: string | null;
  readonly apiKeyName: string | null;
  readonly terminalName: string | null;
};

export const timelineOfPayment = statement<{ paymentId: string; after: string; limit: number }, TimelineView>(
  ({ db }, arg) =>
    db
      .selectFrom('events')
      .leftJoin('staff', join =>
        join.onRef('staff.id', '=', 'events.actorId').on('events.actorKind', '=', sql.lit('staff')),
      )
      .leftJoin('apiKeys', join =>
        join.onRef('apiKeys.id', '=', 'events.actorId').on('events.actorKind', '=', sql.lit('api_key')),
      )
      .leftJoin('terminals', 'terminals.id', 'events.terminalId')
      .selectAll('events')
      .select(['staff.name as staffName', 'apiKeys.name as apiKeyName', 'terminals.name as terminalName'])
      .where('events.paymentId', '=', arg('paymentId'))
      .where('events.id', '>', arg('after'))
      .orderBy('events.id')
      .limit(rowLimit(arg('limit'))),
);
