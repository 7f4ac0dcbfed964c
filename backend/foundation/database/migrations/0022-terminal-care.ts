import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns, createTable } from './schema.ts';

/** The column that it adds to `terminalChannels`. */
export const terminalHealthColumns = { healthJson: 'text?' } satisfies Columns;

/** The table that it adds. */
export const terminalDiagnosticsTables = {
  terminalDiagnostics: {
    terminalId: 'text',
    launchCode: 'text',
    appVersion: 'text',
    platform: 'text',
    logJson: 'text',
    receivedAt: 'bigint',
  },
} satisfies Record<string, Columns>;

/** What a terminal reports beside its readiness. Terminals of the previous version, and its own processes, report none. */
export const terminalCare: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'terminalChannels', terminalHealthColumns);
    await createTable(db, 'terminalDiagnostics', {
      columns: terminalDiagnosticsTables.terminalDiagnostics,
      key: ['terminalId'],
    });
  },
};
