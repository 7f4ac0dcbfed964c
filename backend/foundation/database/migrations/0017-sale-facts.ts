import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The columns that it adds to `payments`. */
export const saleFactColumns = { applicationId: 'text?', reference: 'text?' } satisfies Columns;

/** The column that it adds to `businesses`. */
export const saleReferenceColumns = { saleReference: 'text' } satisfies Columns;

/** The application of the card that a reader used, and what staff note of a sale: by it a sale is found. */
export const saleFacts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'payments', saleFactColumns);
    await db.schema
      .createIndex('payments_reference')
      .on('payments')
      .columns(['businessId', 'reference'])
      .where(sql.raw('"reference" IS NOT NULL') as never)
      .execute();
    await addColumns(db, 'businesses', saleReferenceColumns, { saleReference: 'none' });
  },
};
