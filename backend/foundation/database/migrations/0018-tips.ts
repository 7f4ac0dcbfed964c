import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The column that it adds to `payments`. */
export const paymentTipColumns = { tipMinor: 'bigint' } satisfies Columns;

/** The column that it adds to `businesses`. */
export const tipSettingColumns = { tipPercentsJson: 'text' } satisfies Columns;

/** Tips that customers add on the reader. Existing payments, and those that the previous version still takes, have none. */
export const tips: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('payments')
      .addColumn('tipMinor', 'bigint', column =>
        column.notNull().defaultTo(sql.lit(0)).check(sql`"tipMinor" >= 0 AND "tipMinor" <= "amountMinor"`),
      )
      .execute();
    await addColumns(db, 'businesses', tipSettingColumns, { tipPercentsJson: '[]' });
  },
};
