import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

type Index = {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly where?: string;
};

/** What a payment is found by. No refund changes any of these columns: it writes as many pages as before. */
const indexes: readonly Index[] = [
  { name: 'payments_created', table: 'payments', columns: ['businessId', 'createdAt'] },
  { name: 'payments_invoice', table: 'payments', columns: ['businessId', 'invoiceNumber'] },
  { name: 'payments_amount', table: 'payments', columns: ['businessId', 'amountMinor', 'id'] },
  {
    name: 'payments_partApproved',
    table: 'payments',
    columns: ['businessId', 'approvedMinor', 'id'],
    where: '"approvedMinor" < "amountMinor"',
  },
  {
    name: 'payments_lastFour',
    table: 'payments',
    columns: ['businessId', 'cardLastFour', 'id'],
    where: '"cardLastFour" IS NOT NULL',
  },
  {
    name: 'payments_gatewayReference',
    table: 'payments',
    columns: ['businessId', 'gatewayReference'],
    where: '"gatewayReference" IS NOT NULL',
  },
  {
    name: 'payments_terminal',
    table: 'payments',
    columns: ['terminalId', 'id'],
    where: '"terminalId" IS NOT NULL',
  },
  {
    name: 'payments_bitcoin',
    table: 'payments',
    columns: ['businessId', 'method', 'id'],
    where: `"method" IN ('lightning', 'onchain')`,
  },
  {
    name: 'payments_ended',
    table: 'payments',
    columns: ['businessId', 'status', 'id'],
    where: `"status" IN ('declined', 'failed', 'cancelled', 'settlement_rejected')`,
  },
  {
    name: 'paymentLinks_reference',
    table: 'paymentLinks',
    columns: ['businessId', 'externalReference'],
    where: '"externalReference" IS NOT NULL',
  },
  {
    name: 'terminalSales_reference',
    table: 'terminalSales',
    columns: ['businessId', 'reference'],
    where: '"reference" IS NOT NULL',
  },
  { name: 'exports_running', table: 'exports', columns: ['businessId'], where: `"status" = 'running'` },
  { name: 'exports_due', table: 'exports', columns: ['nextPollAt'], where: `"status" = 'running'` },
  { name: 'exports_finished', table: 'exports', columns: ['finishedAt'], where: '"finishedAt" IS NOT NULL' },
  // Refunds of a member of staff are in an index already.
  {
    name: 'refunds_staff_voids',
    table: 'refunds',
    columns: ['actorId'],
    where: `"actorKind" = 'staff' AND "kind" = 'CANCEL'`,
  },
];

/** The tables that this migration adds, in the words of 0001-tables. */
export const exportTables = {
  exports: {
    id: 'text',
    businessId: 'text',
    list: 'text',
    filtersJson: 'text',
    format: 'text',
    status: 'text',
    cursor: 'text?',
    chunkCount: 'integer',
    rowCount: 'bigint',
    actorKind: 'text',
    actorId: 'text?',
    nextPollAt: 'bigint?',
    pollCount: 'integer',
    createdAt: 'bigint',
    finishedAt: 'bigint?',
  },
  exportChunks: { exportId: 'text', number: 'integer', text: 'text' },
} satisfies Record<string, Columns>;

/** Finding a payment by what people know of it, and files of whole lists. */
export const searchAndExports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'exports', { columns: exportTables.exports });
    await createTable(db, 'exportChunks', { columns: exportTables.exportChunks, key: ['exportId', 'number'] });
    for (const { name, table, columns, where } of indexes) {
      const builder = db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns]);
      await (where ? builder.where(sql.raw(where) as never) : builder).execute();
    }
  },
});
