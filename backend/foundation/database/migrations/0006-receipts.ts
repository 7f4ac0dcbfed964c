import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { createTable } from './schema.ts';

/** The tables that it adds. */
export const receiptsTables = {
  receipts: { tokenHash: 'text', id: 'text', businessId: 'text', subjectId: 'text', createdAt: 'bigint' },
  receiptKeys: {
    id: 'text',
    businessId: 'text',
    publicKey: 'text',
    sealedSeed: 'text',
    createdAt: 'bigint',
    retiredAt: 'bigint?',
  },
  receiptEmails: { id: 'text', receiptId: 'text', address: 'text', addressKey: 'text', sentAt: 'bigint' },
} satisfies Record<string, Columns>;

/** Receipts by the hash of their address, the keys that sign them, and the addresses they were sent to. */
export const receipts = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'receipts', {
      columns: receiptsTables.receipts,
      key: ['tokenHash'],
      withoutRowid: dialect === 'sqlite',
    });
    await createTable(db, 'receiptKeys', { columns: receiptsTables.receiptKeys });
    await createTable(db, 'receiptEmails', { columns: receiptsTables.receiptEmails });
    await db.schema
      .createIndex('receiptKeys_current')
      .unique()
      .on('receiptKeys')
      .columns(['businessId'])
      .where(sql.raw('"retiredAt" IS NULL') as never)
      .execute();
    await db.schema.createIndex('receiptKeys_business').on('receiptKeys').columns(['businessId', 'id']).execute();
    await db.schema.createIndex('receiptEmails_receipt').on('receiptEmails').columns(['receiptId']).execute();
    await db.schema.createIndex('receiptEmails_address').on('receiptEmails').columns(['addressKey']).execute();
  },
});
