import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The column that it adds to `events`, `webhookDeliveries` and `bitcoinInvoices`. */
export const traceColumns = { trace: 'text?' } satisfies Columns;

/** The trace that what follows from a record continues. Existing records, and those that the previous version writes, have none. */
export const traces: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['events', 'webhookDeliveries', 'bitcoinInvoices']) await addColumns(db, table, traceColumns);
  },
};
