import { allColumnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { TerminalAlertRow } from './rows.ts';

export const insertAlert = statement<TerminalAlertRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalAlerts')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'terminalId',
        'kind',
        'reason',
        'message',
        'entryJson',
        'digest',
        'createdAt',
      ]),
    )
    .onConflict(conflict => conflict.columns(['terminalId', 'digest']).doNothing()),
);

export const countAlerts = statement<{ terminalId: string }, { alerts: number }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminalAlerts')
    .select(eb => eb.cast<number>(eb.fn.countAll(), isPostgres ? 'bigint' : 'integer').as('alerts'))
    .where('terminalId', '=', arg('terminalId')),
);

export const alertsOf = statement<{ terminalId: string; before: string; limit: number }, TerminalAlertRow>(
  ({ db }, arg) =>
    db
      .selectFrom('terminalAlerts')
      .selectAll()
      .where('terminalId', '=', arg('terminalId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);
