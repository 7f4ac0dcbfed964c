import { rowLimit, statement } from '../../foundation/database/database.ts';
import type { EventRow } from '../../foundation/events/rows.ts';

/** An event of a payment with the names of the people and terminals in it. */
export type TimelineView = EventRow & {
  /** Null of a terminal, the service and its operator. */
  readonly actorName: string | null;
  readonly terminalName: string | null;
};

export const timelineOfPayment = statement<{ paymentId: string; after: string; limit: number }, TimelineView>(
  ({ db }, arg) =>
    db
      .selectFrom('events')
      .leftJoin('staff', 'staff.id', 'events.actorId')
      .leftJoin('portalUsers', 'portalUsers.id', 'events.actorId')
      .leftJoin('apiKeys', 'apiKeys.id', 'events.actorId')
      .leftJoin('kioskKeys', 'kioskKeys.id', 'events.actorId')
      .leftJoin('terminals', 'terminals.id', 'events.terminalId')
      .selectAll('events')
      .select(({ fn }) => [
        fn.coalesce('staff.name', 'portalUsers.name', 'apiKeys.name', 'kioskKeys.name').as('actorName'),
        'terminals.name as terminalName',
      ])
      .where('events.paymentId', '=', arg('paymentId'))
      .where('events.id', '>', arg('after'))
      .orderBy('events.id')
      .limit(rowLimit(arg('limit'))),
);
