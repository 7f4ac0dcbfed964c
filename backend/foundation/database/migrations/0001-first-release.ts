import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Column, Columns } from './0001-tables/columns.ts';
import { tables } from './0001-tables.ts';

const primaryKeys: Record<string, string[]> = {
  bitcoinClaimDestinations: ['claimId', 'number'],
  bitcoinFollows: ['backendId'],
  checkoutSettings: ['businessId'],
  counters: ['businessId', 'name'],
  staffNonces: ['nonce'],
  terminalLockouts: ['terminalId'],
  auditChains: ['businessId'],
  auditEntries: ['businessId', 'sequence'],
  idempotencyRecords: ['businessId', 'key'],
  deviceEntries: ['terminalId', 'entryId'],
  enrolments: ['terminalId', 'publicKey'],
  earlyReversals: ['machineId', 'saleId'],
  withdrawnRefunds: ['businessId', 'clientRequestId'],
  linkInvoices: ['invoiceId'],
  saleInvoices: ['invoiceId'],
  eventConsumers: ['name'],
  // Read by endpoint, in the order of time.
  webhookDeliveries: ['webhookId', 'id'],
  webhookAttempts: ['deliveryId', 'series', 'number'],
  terminalChannels: ['terminalId'],
};

/**
 * On SQLite these tables are WITHOUT ROWID, one B-tree instead of two: their rows are small, and few other indexes repeat
 * their key.
 */
const isItsOwnKey = new Set(['auditEntries', 'staffNonces', 'webhookAttempts']);

/**
 * Constraints that hold even if the code is wrong: caps rest on them, not on an isolation level. PostgreSQL parses each
 * check's text on every row change, so payments have one, and domains check the amounts.
 */
const checks: Record<string, Record<string, string>> = {
  payments: {
    payments_cap:
      '"refundedMinor" + "reservedMinor" <= coalesce("approvedMinor", "amountMinor") AND "approvedMinor" <= "amountMinor" AND "refundedSats" <= coalesce("amountSats", 0)',
  },
  webhookDeliveries: { webhookDeliveries_attempts: '"attemptCount" BETWEEN 0 AND 5' },
  bitcoinClaims: {
    bitcoinClaims_returned: '"returnedSats" >= 0 AND "refundedSats" BETWEEN 0 AND "amountSats" - "returnedSats"',
  },
  bitcoinClaimDestinations: { bitcoinClaimDestinations_number: '"number" BETWEEN 1 AND 5' },
  withdrawals: { withdrawals_amount: '"amountSats" > 0' },
  refunds: { refunds_amount: '"amountMinor" + coalesce("amountSats", 0) > 0' },
};

type Index = {
  readonly name: string;
  readonly table: string;
  readonly columns: (string | { readonly expression: string })[];
  readonly unique?: boolean;
  readonly where?: string;
  /** Default: both. */
  readonly only?: 'postgres';
};
const indexes: Index[] = [
  { name: 'bitcoinInvoices_purpose', table: 'bitcoinInvoices', columns: ['purposeId'] },
  { name: 'bitcoinInvoices_due', table: 'bitcoinInvoices', columns: ['nextPollAt'], where: '"nextPollAt" IS NOT NULL' },
  {
    name: 'bitcoinInvoices_open',
    table: 'bitcoinInvoices',
    columns: ['businessId', 'purpose'],
    where: `"status" = 'open'`,
  },
  {
    name: 'bitcoinInvoices_hash',
    table: 'bitcoinInvoices',
    columns: ['paymentHash', 'backendId'],
    unique: true,
    where: '"paymentHash" IS NOT NULL',
  },
  {
    name: 'bitcoinInvoices_address',
    table: 'bitcoinInvoices',
    columns: ['address', 'backendId'],
    unique: true,
    where: '"address" IS NOT NULL',
  },
  {
    name: 'bitcoinReceipts_payment',
    table: 'bitcoinReceipts',
    columns: ['invoiceId', 'network', 'txId', 'vout'],
    unique: true,
  },
  {
    name: 'bitcoinReceipts_taken',
    table: 'bitcoinReceipts',
    columns: ['paymentId'],
    where: '"paymentId" IS NOT NULL',
  },
  { name: 'checkouts_business', table: 'checkouts', columns: ['businessId', 'id'] },
  { name: 'checkouts_open', table: 'checkouts', columns: ['businessId'], where: '"endedAt" IS NULL' },
  { name: 'bitcoinClaims_invoice', table: 'bitcoinClaims', columns: ['invoiceId'], unique: true },
  { name: 'bitcoinReturns_claim', table: 'bitcoinReturns', columns: ['claimId', 'txId'], unique: true },
  {
    name: 'bitcoinClaimDestinations_destination',
    table: 'bitcoinClaimDestinations',
    columns: ['claimId', 'destination'],
    unique: true,
  },
  { name: 'bitcoinClaims_business', table: 'bitcoinClaims', columns: ['businessId', 'id'] },
  { name: 'apiKeys_hash', table: 'apiKeys', columns: ['keyHash'], unique: true },
  { name: 'apiKeys_business', table: 'apiKeys', columns: ['businessId', 'id'] },
  {
    name: 'terminals_token',
    table: 'terminals',
    columns: ['tokenHash'],
    unique: true,
    where: '"tokenHash" IS NOT NULL',
  },
  {
    name: 'terminals_code',
    table: 'terminals',
    columns: ['enrolmentCodeHash'],
    unique: true,
    where: '"enrolmentCodeHash" IS NOT NULL',
  },
  { name: 'terminals_business', table: 'terminals', columns: ['businessId', 'id'] },
  { name: 'terminals_machine', table: 'terminals', columns: ['machineId'] },
  { name: 'deviceEntries_taken', table: 'deviceEntries', columns: ['terminalId', 'takenAt'] },
  { name: 'enrolments_publicKey', table: 'enrolments', columns: ['publicKey'] },
  { name: 'terminalAlerts_terminal', table: 'terminalAlerts', columns: ['terminalId', 'id'] },
  { name: 'terminalAlerts_digest', table: 'terminalAlerts', columns: ['terminalId', 'digest'], unique: true },
  { name: 'staff_number', table: 'staff', columns: ['businessId', 'staffNumber'], unique: true },
  { name: 'paymentLinks_business', table: 'paymentLinks', columns: ['businessId', 'id'] },
  { name: 'linkInvoices_link', table: 'linkInvoices', columns: ['paymentLinkId'] },
  // One at a time: a link's amount is requested once.
  {
    name: 'linkInvoices_open',
    table: 'linkInvoices',
    columns: ['paymentLinkId'],
    unique: true,
    where: `"status" = 'open'`,
  },
  { name: 'gatewayAccounts_business', table: 'gatewayAccounts', columns: ['businessId', 'id'] },
  {
    name: 'gatewayAccounts_default',
    table: 'gatewayAccounts',
    columns: ['businessId'],
    unique: true,
    where: '"isDefault" = 1',
  },
  { name: 'bitcoinBackends_business', table: 'bitcoinBackends', columns: ['businessId', 'id'] },
  {
    name: 'bitcoinBackends_current',
    table: 'bitcoinBackends',
    columns: ['businessId'],
    unique: true,
    where: '"isCurrent" = 1',
  },
  {
    name: 'tipLinks_lightningName',
    table: 'tipLinks',
    columns: ['lightningName'],
    unique: true,
    where: '"lightningName" IS NOT NULL',
  },
  { name: 'tipLinks_business', table: 'tipLinks', columns: ['businessId', 'id'] },
  { name: 'ucpInvoices_invoice', table: 'ucpInvoices', columns: ['invoiceId'] },
  {
    name: 'ucpInvoices_checkout',
    table: 'ucpInvoices',
    columns: ['businessId', 'checkoutId', 'number'],
    unique: true,
  },
  // The first accepted payment of a checkout stays the only one.
  {
    name: 'ucpInvoices_accepted',
    table: 'ucpInvoices',
    columns: ['businessId', 'checkoutId'],
    unique: true,
    where: '"acceptedAt" IS NOT NULL',
  },
  { name: 'withdrawals_business', table: 'withdrawals', columns: ['businessId', 'id'] },
  { name: 'withdrawals_open', table: 'withdrawals', columns: ['nextPollAt'], where: '"finalAt" IS NULL' },
  { name: 'withdrawals_backend', table: 'withdrawals', columns: ['backendId', 'finalAt'] },
  {
    name: 'withdrawals_hash',
    table: 'withdrawals',
    columns: ['backendId', 'paymentHash'],
    unique: true,
    where: '"paymentHash" IS NOT NULL',
  },
  {
    name: 'withdrawals_request',
    table: 'withdrawals',
    columns: ['businessId', 'clientRequestId'],
    unique: true,
    where: '"clientRequestId" IS NOT NULL',
  },
  { name: 'payments_business', table: 'payments', columns: ['businessId', 'id'] },
  {
    name: 'payments_taken',
    table: 'payments',
    columns: ['businessId', 'takenAt'],
    where: '"takenAt" IS NOT NULL',
  },
  {
    name: 'payments_voidedOrRejected',
    table: 'payments',
    columns: ['businessId', 'voidedOrRejectedAt'],
    where: '"voidedOrRejectedAt" IS NOT NULL',
  },
  {
    // Covers the sum of a day's settlements.
    name: 'payments_settles',
    table: 'payments',
    columns: [
      'businessId',
      { expression: 'coalesce("settledAt", "voidedOrRejectedAt")' },
      'takenAt',
      'settledAt',
      'voidedOrRejectedAt',
      'gatewayAccountId',
      'currency',
      'approvedMinor',
      'amountMinor',
    ],
    where: '"takenAt" IS NOT NULL',
  },
  { name: 'payments_link', table: 'payments', columns: ['paymentLinkId'], where: '"paymentLinkId" IS NOT NULL' },
  {
    name: 'payments_sale',
    table: 'payments',
    columns: ['terminalId', 'saleId'],
    unique: true,
    where: '"saleId" IS NOT NULL',
  },
  {
    name: 'payments_request',
    table: 'payments',
    columns: ['businessId', 'clientRequestId'],
    unique: true,
    where: '"clientRequestId" IS NOT NULL',
  },
  // A business with many payments over links lists the sales of its terminals without reading those.
  { name: 'payments_sales', table: 'payments', columns: ['businessId', 'id'], where: '"saleId" IS NOT NULL' },
  {
    name: 'payments_unique',
    table: 'payments',
    columns: ['uniqueReference'],
    unique: true,
    where: '"uniqueReference" IS NOT NULL',
  },
  { name: 'payments_pending', table: 'payments', columns: ['nextPollAt'], where: `"status" = 'pending'` },
  { name: 'payments_unsettled', table: 'payments', columns: ['nextPollAt'], where: `"status" = 'unsettled'` },
  {
    name: 'payments_settled',
    table: 'payments',
    columns: ['nextPollAt'],
    where: `"status" = 'settled' AND "nextPollAt" IS NOT NULL`,
  },
  {
    name: 'payments_completion',
    table: 'payments',
    columns: ['completeBy'],
    where: '"completeBy" IS NOT NULL',
  },
  {
    name: 'payments_reversal',
    table: 'payments',
    columns: ['reversalDueAt'],
    where: '"reversalDueAt" IS NOT NULL',
  },
  { name: 'refunds_business', table: 'refunds', columns: ['businessId', 'id'] },
  {
    name: 'refunds_outcome',
    table: 'refunds',
    columns: ['businessId', 'outcomeAt'],
    where: '"outcomeAt" IS NOT NULL',
  },
  { name: 'refunds_payment', table: 'refunds', columns: ['paymentId'] },
  {
    name: 'refunds_request',
    table: 'refunds',
    columns: ['businessId', 'clientRequestId'],
    unique: true,
    where: '"clientRequestId" IS NOT NULL',
  },
  {
    name: 'refunds_unconfirmed',
    table: 'refunds',
    columns: ['nextPollAt'],
    where: `"status" = 'approved' AND "nextPollAt" IS NOT NULL`,
  },
  { name: 'refunds_pending', table: 'refunds', columns: ['nextPollAt'], where: `"status" = 'pending'` },
  // Covers the sum of a staff member's daily refunds; outcomes do not change it.
  {
    name: 'refunds_staff_day',
    table: 'refunds',
    columns: ['actorId', 'createdAt', 'amountMinor'],
    where: `"actorKind" = 'staff' AND "kind" = 'REFUND_SALE'`,
  },
  {
    name: 'refunds_staff_not_returned',
    table: 'refunds',
    columns: ['actorId', 'createdAt', 'amountMinor'],
    where: `"actorKind" = 'staff' AND "kind" = 'REFUND_SALE' AND "status" IN ('declined', 'failed')`,
  },
  {
    name: 'auditEntries_failures',
    table: 'auditEntries',
    columns: ['staffId', 'attemptedAt'],
    where: `"reason" = 'invalid_signature'`,
  },
  { name: 'auditEntries_kind', table: 'auditEntries', columns: ['businessId', 'kind', 'sequence'] },
  {
    name: 'events_position',
    table: 'events',
    columns: ['position'],
    unique: true,
    where: '"position" IS NOT NULL',
    only: 'postgres',
  },
  { name: 'events_payment', table: 'events', columns: ['paymentId'], where: '"paymentId" IS NOT NULL' },
  { name: 'events_prunable', table: 'events', columns: ['createdAt'], where: '"paymentId" IS NULL' },
  { name: 'events_unplaced', table: 'events', columns: ['sequence'], where: '"position" IS NULL', only: 'postgres' },
  {
    name: 'notificationRecipients_email',
    table: 'notificationRecipients',
    columns: ['businessId', 'emailKey'],
    unique: true,
  },
  { name: 'emails_finished', table: 'emails', columns: ['finishedAt'], where: '"finishedAt" IS NOT NULL' },
  {
    name: 'webhookDeliveries_delivered',
    table: 'webhookDeliveries',
    columns: ['finishedAt'],
    where: `"status" = 'delivered'`,
  },
  { name: 'emails_due', table: 'emails', columns: ['nextAttemptAt'], where: '"nextAttemptAt" IS NOT NULL' },
  {
    name: 'webhooks_checkout',
    table: 'webhooks',
    columns: ['checkoutId'],
    unique: true,
    where: '"checkoutId" IS NOT NULL',
  },
  // Without those of single checkouts: at each event all these are looked through.
  { name: 'webhooks_business', table: 'webhooks', columns: ['businessId', 'id'], where: '"checkoutId" IS NULL' },
  {
    name: 'webhookDeliveries_due',
    table: 'webhookDeliveries',
    columns: ['webhookId', 'nextAttemptAt', 'id'],
    where: '"nextAttemptAt" IS NOT NULL',
  },
  {
    name: 'webhookDeliveries_event',
    table: 'webhookDeliveries',
    columns: ['eventId', 'webhookId'],
    unique: true,
    where: '"eventId" IS NOT NULL',
  },
  { name: 'discrepancies_business', table: 'discrepancies', columns: ['businessId', 'id'] },
  { name: 'discrepancies_open', table: 'discrepancies', columns: ['paymentId'], where: '"resolvedAt" IS NULL' },
  { name: 'kioskKeys_hash', table: 'kioskKeys', columns: ['keyHash'], unique: true },
  { name: 'kioskKeys_business', table: 'kioskKeys', columns: ['businessId', 'id'] },
  { name: 'terminalSales_business', table: 'terminalSales', columns: ['businessId', 'id'] },
  {
    name: 'terminalSales_underWay',
    table: 'terminalSales',
    columns: ['terminalId'],
    unique: true,
    // Sales that wait for an on-chain confirmation or for manual action no longer occupy the terminal.
    where: `"endedAt" IS NULL AND "leftTerminalAt" IS NULL AND coalesce("rail", '') <> 'bitcoin'`,
  },
  { name: 'saleInvoices_sale', table: 'saleInvoices', columns: ['saleId'] },
  // One at a time: a sale's amount is requested once.
  {
    name: 'saleInvoices_open',
    table: 'saleInvoices',
    columns: ['saleId'],
    unique: true,
    where: `"status" = 'open'`,
  },
  { name: 'terminalSales_due', table: 'terminalSales', columns: ['dueAt'], where: '"dueAt" IS NOT NULL' },
  {
    name: 'terminalCommands_open',
    table: 'terminalCommands',
    columns: ['terminalId', 'id'],
    where: '"outcome" IS NULL',
  },
  { name: 'terminalCommands_sale', table: 'terminalCommands', columns: ['saleId'] },
  { name: 'discrepancies_evidence', table: 'discrepancies', columns: ['evidenceKey'], unique: true },
];

/** The first migration: all tables and indexes of the schema for this dialect. It has no `down`. */
export const initial = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (dialect === 'postgres') await createDomains(db);
    for (const [table, columns] of Object.entries<Columns>(tables)) await createTable(db, dialect, table, columns);
    if (dialect === 'postgres') await createRateLimits(db);
    for (const index of indexes) {
      if (index.only !== undefined && index.only !== dialect) continue;
      let builder = db.schema.createIndex(index.name).on(index.table);
      for (const column of index.columns)
        builder =
          typeof column === 'string' ? builder.column(column) : builder.expression(sql.raw(`(${column.expression})`));
      if (index.unique) builder = builder.unique();
      await (index.where ? builder.where(sql.raw(index.where) as never) : builder).execute();
    }
  },
});

/** Column types for numbers of one sign. */
const signs = { notNegative: '>= 0', positive: '> 0' };

/** On a write PostgreSQL checks only the domains of the columns it writes. */
async function createDomains(db: Kysely<unknown>): Promise<void> {
  for (const [name, sign] of Object.entries(signs))
    await sql`CREATE DOMAIN ${sql.id(name)} AS bigint CHECK (VALUE ${sql.raw(sign)})`.execute(db);
}

/** The columns that rate-limiter-flexible requires, in its order. */
async function createRateLimits(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE UNLOGGED TABLE "rateLimits" ("key" text PRIMARY KEY, "points" integer NOT NULL, "expire" bigint)`.execute(
    db,
  );
}

/**
 * SQLite's transactions commit one after the other, so insertion order is delivery order. PostgreSQL's do not, so
 * events get their position after they are committed.
 */
function withOrder(builder: CreateTableBuilder<string, string>, dialect: 'sqlite' | 'postgres') {
  if (dialect === 'sqlite') return builder.addColumn('position', 'integer');
  return builder
    .addColumn('sequence', 'bigint', column => column.generatedAlwaysAsIdentity().notNull())
    .addColumn('position', 'bigint');
}

function keyOf(table: string, dialect: 'sqlite' | 'postgres'): string[] {
  if (table === 'events') return [dialect === 'sqlite' ? 'position' : 'sequence'];
  return primaryKeys[table] ?? ['id'];
}

async function createTable(
  db: Kysely<unknown>,
  dialect: 'sqlite' | 'postgres',
  table: string,
  columns: Columns,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(table);
  if (table === 'events') builder = withOrder(builder, dialect);
  for (const [name, type] of Object.entries(columns)) {
    const optional = type.endsWith('?');
    const base = (optional ? type.slice(0, -1) : type) as Column;
    const required = (column: ColumnDefinitionBuilder) => (optional ? column : column.notNull());
    if (base !== 'notNegative' && base !== 'positive') builder = builder.addColumn(name, base, required);
    else if (dialect === 'postgres') builder = builder.addColumn(name, sql.id(base), required);
    else
      builder = builder.addColumn(name, 'bigint', column =>
        required(column).check(sql`${sql.id(name)} ${sql.raw(signs[base])}`),
      );
  }
  builder = builder.addPrimaryKeyConstraint(`${table}_key`, keyOf(table, dialect) as never);
  for (const [name, check] of Object.entries(checks[table] ?? {}))
    builder = builder.addCheckConstraint(name, sql.raw(check) as never);
  if (dialect === 'sqlite' && isItsOwnKey.has(table)) builder = builder.modifyEnd(sql`WITHOUT ROWID`);
  await builder.execute();
}
