import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The column that it adds to `terminalSales`. */
export const receiptPrintedColumns = { receiptPrinted: 'integer?' } satisfies Columns;

/** Whether the terminal printed the receipt that the caller of a sale asked for. */
export const receiptPrinted: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'terminalSales', receiptPrintedColumns);
  },
};
