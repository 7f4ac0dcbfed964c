import { columnsOf, statement } from '../../foundation/database/database.ts';
import { rowFor, selectBy } from '../../foundation/database/statements.ts';
import type { TerminalDiagnosticsRow } from './rows.ts';

export const diagnosticsOf = selectBy('terminalDiagnostics', 'terminalId');

/** Replaces what the terminal sent before. */
export const saveDiagnostics = statement<TerminalDiagnosticsRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalDiagnostics')
    .values(rowFor(arg, 'terminalDiagnostics'))
    .onConflict(conflict =>
      conflict
        .column('terminalId')
        .doUpdateSet(columnsOf(arg, ['launchCode', 'appVersion', 'platform', 'logJson', 'receivedAt'])),
    ),
);
