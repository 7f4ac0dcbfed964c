import { allColumnsOf, statement } from '../database/database.ts';
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
