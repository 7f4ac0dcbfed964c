import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';

/** The tables that it adds. */
export const portalRecordsTables = {
  businessLogos: {
    businessId: 'text',
    hash: 'text',
    mediaType: 'text',
    contentBase64: 'text',
    widthPx: 'integer',
    heightPx: 'integer',
    changedAt: 'bigint',
  },
  moneyTotals: {
    businessId: 'text',
    quarterHour: 'bigint',
    rail: 'text',
    currency: 'text',
    takenMinor: 'bigint',
    takenCount: 'bigint',
    voidedMinor: 'bigint',
    voidedCount: 'bigint',
    rejectedMinor: 'bigint',
    rejectedCount: 'bigint',
    returnedMinor: 'bigint',
    returnedCount: 'bigint',
    tipMinor: 'bigint',
    tipCount: 'bigint',
  },
  dashboards: { businessId: 'text', ownerId: 'text', cardsJson: 'text', changedAt: 'bigint' },
  terminalSilences: { terminalId: 'text', since: 'bigint' },
  auditSubjects: { businessId: 'text', subjectId: 'text', sequence: 'bigint' },
} satisfies Record<string, Columns>;

/** The columns that it adds to `businesses`. */
export const portalBusinessColumns = {
  addressLinesJson: 'text',
  accentColour: 'text?',
  receiptFooter: 'text?',
  takesCards: 'integer',
  takesWallets: 'integer',
  takesLightning: 'integer',
  takesOnChain: 'integer',
} satisfies Columns;

/** The columns that it adds to `notificationRecipients`. */
export const recipientColumns = { kindsJson: 'text', reportedUntil: 'bigint' } satisfies Columns;

const primaryKeys: Readonly<Record<keyof typeof portalRecordsTables, readonly string[]>> = {
  businessLogos: ['businessId'],
  moneyTotals: ['businessId', 'quarterHour', 'rail', 'currency'],
  dashboards: ['businessId', 'ownerId'],
  terminalSilences: ['terminalId'],
  auditSubjects: ['businessId', 'subjectId', 'sequence'],
};

/** Rows that are their own key: on SQLite one B-tree instead of two. */
const isItsOwnKey = new Set(['moneyTotals', 'auditSubjects']);

/** Businesses' own settings, totals, dashboards, what recipients get, and what the audit log is searched by. It has no `down`. */
export const portalRecords = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const [name, type] of Object.entries<string>(portalBusinessColumns)) await addToBusinesses(db, name, type);
    for (const [table, columns] of Object.entries<Columns>(portalRecordsTables))
      await createTable(db, dialect, table, columns);
    await addToRecipients(db);
    await createIndexes(db);
    await fillAuditSubjects(dialect).execute(db);
  },
});

/** Existing businesses, and those that the previous version still creates, take everything and have no address. */
async function addToBusinesses(db: Kysely<unknown>, name: string, type: string): Promise<void> {
  const isOptional = type.endsWith('?');
  const initial = type === 'integer' ? sql.lit(1) : sql.lit('[]');
  const required = (column: ColumnDefinitionBuilder) => (isOptional ? column : column.notNull().defaultTo(initial));
  await db.schema
    .alterTable('businesses')
    .addColumn(name, (isOptional ? 'text' : type) as 'text' | 'integer', required)
    .execute();
}

/** Existing recipients, and those that the previous version still adds, get what it sends. */
async function addToRecipients(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notificationRecipients')
    .addColumn('kindsJson', 'text', column => column.notNull().defaultTo(sql.lit('["problem","webhook"]')))
    .execute();
  await db.schema
    .alterTable('notificationRecipients')
    .addColumn('reportedUntil', 'bigint', column => column.notNull().defaultTo(sql.lit(0)))
    .execute();
}

async function createTable(
  db: Kysely<unknown>,
  dialect: 'sqlite' | 'postgres',
  table: string,
  columns: Columns,
): Promise<void> {
  let builder = db.schema.createTable(table);
  for (const [name, type] of Object.entries(columns))
    builder = builder.addColumn(name, type as 'text' | 'integer' | 'bigint', column => column.notNull());
  const key = primaryKeys[table as keyof typeof primaryKeys];
  builder = builder.addPrimaryKeyConstraint(`${table}_key`, key as never);
  if (dialect === 'sqlite' && isItsOwnKey.has(table)) builder = builder.modifyEnd(sql`WITHOUT ROWID`);
  await builder.execute();
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('auditEntries_actor')
    .on('auditEntries')
    .columns(['actorId', 'sequence'])
    .where(sql.raw('"actorId" IS NOT NULL') as never)
    .execute();
  await db.schema
    .createIndex('auditEntries_recorded')
    .on('auditEntries')
    .columns(['businessId', 'recordedAt', 'sequence'])
    .execute();
  await db.schema
    .createIndex('emails_failed')
    .on('emails')
    .columns(['businessId', 'finishedAt'])
    .where(sql.raw(`"status" = 'failed'`) as never)
    .execute();
}

/** What each entry is about: the records it names in its columns and, by their ids, in its detail. */
export function fillAuditSubjects(dialect: 'sqlite' | 'postgres'): RawBuilder<unknown> {
  const columns = ['staffId', 'terminalId', 'paymentId', 'refundId'].map(
    name =>
      sql`SELECT "businessId", ${sql.ref(name)} AS "subjectId", "sequence" FROM "auditEntries" WHERE ${sql.ref(name)} IS NOT NULL`,
  );
  const member =
    dialect === 'sqlite'
      ? sql`FROM "auditEntries" e, json_each(CASE WHEN json_valid(e."detailJson") THEN e."detailJson" ELSE '{}' END) m WHERE m.type = 'text' AND m.key LIKE '%Id'`
      : sql`FROM "auditEntries" e, jsonb_each_text(CASE WHEN e."detailJson" LIKE '{%' THEN e."detailJson"::jsonb ELSE '{}'::jsonb END) m WHERE m.key LIKE '%Id' AND m.value IS NOT NULL`;
  const named = sql`SELECT e."businessId", m.value AS "subjectId", e."sequence" ${member}`;
  // UNION: one row for each record that an entry is about, however often it names it.
  return sql`INSERT INTO "auditSubjects" ("businessId", "subjectId", "sequence") ${sql.join([...columns, named], sql` UNION `)}`;
}
