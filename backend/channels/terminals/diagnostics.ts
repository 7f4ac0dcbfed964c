import type { TerminalDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { diagnosticsOf, saveDiagnostics } from './diagnostics-store.ts';
import type { TerminalDiagnosticsRow } from './rows.ts';

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
