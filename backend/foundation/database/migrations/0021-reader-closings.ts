import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

/** The tables that it adds. */
export const readerClosingTables = {
  readerSales: { paymentId: 'text', businessId: 'text', readerSerial: 'text', takenAt: 'bigint' },
  readerClosings: {
    id: 'text',
    businessId: 'text',
    terminalId: 'text',
    readerSerial: 'text',
    closedAt: 'bigint',
    currency: 'text',
    isConfirmed: 'integer',
    totalMinor: 'bigint?',
    totalsJson: 'text?',
    comparison: 'text',
    recordedMinor: 'bigint?',
    recordedCount: 'bigint?',
    comparedCount: 'bigint',
    discrepancyId: 'text?',
    createdAt: 'bigint',
  },
} satisfies Record<string, Columns>;

/** `discrepancies` after it: a discrepancy about a reader's totals is of no payment. */
export const discrepancyColumns = {
  id: 'text',
  businessId: 'text',
  paymentId: 'text?',
  refundId: 'text?',
  kind: 'text',
  evidenceKey: 'text',
  recordedJson: 'text',
  gatewayJson: 'text',
  contestedMinor: 'bigint',
  returnedMinor: 'bigint',
  createdAt: 'bigint',
  resolvedAt: 'bigint?',
  resolutionJson: 'text?',
} satisfies Columns;

/** Which reader took a payment, and the days that readers closed. Rows of the previous version have a payment each. */
export const readerClosings = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'readerSales', { columns: readerClosingTables.readerSales, key: ['paymentId'] });
    await createTable(db, 'readerClosings', { columns: readerClosingTables.readerClosings });
    await db.schema
      .createIndex('readerSales_reader')
      .on('readerSales')
      .columns(['businessId', 'readerSerial', 'takenAt'])
      .execute();
    await db.schema
      .createIndex('readerClosings_reader')
      .on('readerClosings')
      .columns(['businessId', 'readerSerial', 'closedAt'])
      .execute();
    if (dialect === 'sqlite') await rebuildDiscrepancies(db);
    else
      await db.schema
        .alterTable('discrepancies')
        .alterColumn('paymentId', column => column.dropNotNull())
        .execute();
  },
});

/** SQLite cannot make a column optional. */
async function rebuildDiscrepancies(db: Kysely<unknown>): Promise<void> {
  const names = sql.join(Object.keys(discrepancyColumns).map(name => sql.ref(name)));
  await createTable(db, 'discrepanciesRebuilt', { columns: discrepancyColumns });
  await sql`insert into "discrepanciesRebuilt" (${names}) select ${names} from "discrepancies"`.execute(db);
  await db.schema.dropTable('discrepancies').execute();
  await db.schema.alterTable('discrepanciesRebuilt').renameTo('discrepancies').execute();
  await db.schema.createIndex('discrepancies_business').on('discrepancies').columns(['businessId', 'id']).execute();
  await db.schema
    .createIndex('discrepancies_open')
    .on('discrepancies')
    .columns(['paymentId'])
    .where(sql.raw('"resolvedAt" IS NULL') as never)
    .execute();
  await db.schema.createIndex('discrepancies_evidence').on('discrepancies').columns(['evidenceKey']).unique().execute();
}
