import { rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken } from '../../foundation/database/statements.ts';
import type { TerminalAlertRow } from './rows.ts';

export const insertAlert = insertUnlessTaken('terminalAlerts', 'terminalId', 'digest');

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
