import type { TerminalDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { columnsOf, type Database, statement } from '../../foundation/database/database.ts';
import { rowFor, selectBy } from '../../foundation/database/statements.ts';
import type { TerminalDiagnosticsRow } from './rows.ts';

const diagnosticsOf = selectBy('terminalDiagnostics', 'terminalId');

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

/** The end of each terminal's log for support: the last that it sent. */
export function diagnosticsOfTerminals({ database, clock }: { database: Database; clock: Clock }) {
  return {
    receive: (terminalId: string, { log, ...facts }: TerminalDiagnostics): Promise<void> =>
      database.write(async tx => {
        await tx.run(saveDiagnostics, { terminalId, ...facts, logJson: JSON.stringify(log), receivedAt: clock.now() });
      }),

    of: (terminalId: string): Promise<TerminalDiagnosticsRow | undefined> =>
      database.first(diagnosticsOf, { terminalId }),
  };
}
export type DiagnosticsOfTerminals = ReturnType<typeof diagnosticsOfTerminals>;
