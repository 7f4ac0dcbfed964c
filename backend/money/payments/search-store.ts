import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type ArgumentOf,
  equalsUnindexed,
  optionalFilters,
  type Queries,
  rowLimit,
  type Statement,
  statement,
} from '../../foundation/database/database.ts';
import type { PaymentMethod } from './rows.ts';
import { type PaymentView, viewsIn } from './views-store.ts';

/** What a list of payments is narrowed to; null narrows nothing. */
export type PaymentFilter = {
  readonly status: PaymentRecord['status'] | null;
  readonly refunded: 'none' | 'part' | 'full' | null;
  readonly rail: 'card' | 'wallet' | 'lightning' | 'onchain' | null;
  readonly method: PaymentMethod | null;
  readonly paymentLinkId: string | null;
  readonly terminalId: string | null;
  /** Who refunded or voided. */
  readonly staffId: string | null;
  /** 1: only sales at terminals. */
  readonly atTerminals: 1 | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
};

/** The arguments of every statement here: the ids from `downTo`, inclusive, to `before`. */
export type SearchArgs = PaymentFilter & {
  readonly businessId: string;
  /** What the source is about: an amount, or a text to be found as it is. */
  readonly amountMinor: number;
  readonly text: string;
  /** The last of the references that match, of which `text` is the first. */
  readonly textEnd: string;
  /** 1: only payments of those references, whatever the source is. */
  readonly ofReferences: 1 | null;
  readonly before: string;
  readonly downTo: string;
  readonly limit: number;
};

type Arg = ArgumentOf<SearchArgs>;
type Conditions = (arg: Arg, isPostgres: boolean) => readonly RawBuilder<SqlBool>[];

const businessIs = (arg: Arg) => sql<SqlBool>`payments."businessId" = ${arg('businessId')}`;
/** Tells SQLite, which keeps no statistics, that few payments meet a condition. */
const rarely = (isPostgres: boolean, condition: RawBuilder<SqlBool>) =>
  isPostgres ? condition : sql<SqlBool>`likelihood(${condition}, 0.001)`;
/** Whether a reference is from `text` to `textEnd`, by the index of its key. */
function isMatching(column: string, arg: Arg, isPostgres: boolean): RawBuilder<SqlBool> {
  const key = isPostgres ? sql`lower(${sql.ref(column)} COLLATE "C")` : sql`lower(${sql.ref(column)})`;
  return sql`${sql.ref(column)} IS NOT NULL AND ${key} >= ${arg('text')} AND ${key} <= ${arg('textEnd')}`;
}
/** For a source whose own index has no business in it. */
const ofBusiness = (arg: Arg) => equalsUnindexed('payments.businessId', arg('businessId'));

const byStaff = (arg: Arg, kind: 'REFUND_SALE' | 'CANCEL') =>
  sql`SELECT "paymentId" FROM "refunds" WHERE "actorId" = ${arg('staffId')} AND "actorKind" = 'staff' AND "kind" = ${sql.lit(kind)} AND ${equalsUnindexed('businessId', arg('businessId'))}`;
/** The payments that a member of staff refunded or voided, newest first. */
const returnedByStaff = (arg: Arg) =>
  sql`(SELECT DISTINCT "paymentId" FROM (${byStaff(arg, 'REFUND_SALE')} UNION ALL ${byStaff(arg, 'CANCEL')}) AS "made" ORDER BY "paymentId" DESC) AS "returned"`;

/**
 * The ids of the periods of the text, which is their JSON. Each period reads its part of the index: on SQLite the order of a
 * CROSS JOIN decides it, on PostgreSQL OFFSET 0, and the array keeps it from joining every payment.
 */
function idsOfPeriods(arg: Arg, isPostgres: boolean): RawBuilder<unknown> {
  const inPeriod = sql`t."businessId" = ${arg('businessId')} AND t."createdAt" >= z."from" AND t."createdAt" < z."to"`;
  return isPostgres
    ? sql`= ANY (ARRAY(SELECT l."id" FROM jsonb_to_recordset(cast(${arg('text')} as jsonb)) AS z("from" bigint, "to" bigint) CROSS JOIN LATERAL (SELECT t."id" FROM "payments" t WHERE ${inPeriod} OFFSET 0) l))`
    : sql`IN (SELECT t."id" FROM (SELECT json_extract(value, '$.from') AS "from", json_extract(value, '$.to') AS "to" FROM json_each(${arg('text')})) z CROSS JOIN "payments" t WHERE ${inPeriod})`;
}

/**
 * Where payments are looked for. Each is read in the order of an index, or has few rows, so that a page reads as many rows
 * as it shows. The conditions of partial indexes are repeated, because SQLite uses such an index only then.
 */
const conditions = {
  business: arg => [businessIs(arg)],
  link: arg => [sql`payments."paymentLinkId" = ${arg('paymentLinkId')}`, ofBusiness(arg)],
  terminal: arg => [sql`payments."terminalId" = ${arg('terminalId')}`, ofBusiness(arg)],
  // Read from their refunds: `idsOf`.
  staff: () => [],
  bitcoin: arg => [
    businessIs(arg),
    sql`payments."method" = ${arg('method')}`,
    sql`payments."method" IN ('lightning', 'onchain')`,
  ],
  ended: arg => [
    businessIs(arg),
    sql`payments."status" = ${arg('status')}`,
    sql`payments."status" IN ('declined', 'failed', 'cancelled', 'settlement_rejected')`,
  ],
  pending: arg => [sql`payments."status" = 'pending'`, ofBusiness(arg)],
  id: arg => [sql`payments."id" = ${arg('text')}`, ofBusiness(arg)],
  amount: (arg, isPostgres) => [
    businessIs(arg),
    rarely(isPostgres, sql`payments."amountMinor" = ${arg('amountMinor')}`),
  ],
  partApproved: (arg, isPostgres) => [
    businessIs(arg),
    rarely(isPostgres, sql`payments."approvedMinor" = ${arg('amountMinor')}`),
    sql`payments."approvedMinor" < payments."amountMinor"`,
  ],
  lastFour: arg => [businessIs(arg), sql`payments."cardLastFour" = ${arg('text')}`],
  invoice: arg => [businessIs(arg), sql`payments."invoiceNumber" = ${arg('text')}`],
  gatewayReference: arg => [businessIs(arg), sql`payments."gatewayReference" = ${arg('text')}`],
  sale: arg => [
    sql`payments."terminalId" IN (SELECT "id" FROM "terminals" WHERE "businessId" = ${arg('businessId')})`,
    sql`payments."saleId" = ${arg('text')}`,
  ],
  ownReference: (arg, isPostgres) => [businessIs(arg), isMatching('payments.reference', arg, isPostgres)],
  // Of sales that were authorised before a payment had its reference.
  saleReference: (arg, isPostgres) => [
    sql`payments."id" IN (SELECT p."id" FROM "terminalSales" s JOIN "payments" p ON p."terminalId" = s."terminalId" AND p."saleId" = s."id" WHERE s."businessId" = ${arg('businessId')} AND ${isMatching('s.reference', arg, isPostgres)})`,
    ofBusiness(arg),
  ],
  time: (arg, isPostgres) => [sql`payments."id" ${idsOfPeriods(arg, isPostgres)}`, ofBusiness(arg)],
  receipt: arg => [
    sql`payments."id" IN (SELECT coalesce(r."paymentId", c."subjectId") FROM "receipts" c LEFT JOIN "refunds" r ON r."id" = c."subjectId" WHERE c."tokenHash" = ${arg('text')} AND ${equalsUnindexed('c.businessId', arg('businessId'))})`,
    ofBusiness(arg),
  ],
  linkReference: (arg, isPostgres) => [
    sql`payments."paymentLinkId" IN (SELECT l."id" FROM "paymentLinks" l WHERE l."businessId" = ${arg('businessId')} AND ${isMatching('l.externalReference', arg, isPostgres)})`,
    ofBusiness(arg),
  ],
} as const satisfies Record<string, Conditions>;

export type Source = keyof typeof conditions;

/** Sources of few payments: their rows are sorted, and read without their order. */
const sorted: ReadonlySet<Source> = new Set([
  'link',
  'pending',
  'id',
  'invoice',
  'gatewayReference',
  'sale',
  'ownReference',
  'saleReference',
  'linkReference',
  'time',
  'receipt',
]);

/** The filters as `paymentStatusOf` and `railOf` (payment.ts) decide them. */
const returned = sql`CASE WHEN payments."method" IN ('lightning', 'onchain') THEN payments."refundedSats" ELSE payments."refundedMinor" + payments."creditedMinor" END`;
const taken = sql`CASE WHEN payments."method" IN ('lightning', 'onchain') THEN coalesce(payments."amountSats", 0) ELSE coalesce(payments."approvedMinor", payments."amountMinor") END`;
const tookMoney = sql`payments."status" IN ('unsettled', 'settled')`;
const statusShown = sql`CASE WHEN NOT (${tookMoney}) OR ${returned} = 0 THEN payments."status" WHEN ${returned} < ${taken} THEN 'partly_refunded' ELSE 'refunded' END`;
const refunded = sql`CASE WHEN NOT (${tookMoney}) THEN '' WHEN ${returned} = 0 THEN 'none' WHEN ${returned} < ${taken} THEN 'part' ELSE 'full' END`;
const rail = sql`CASE WHEN payments."method" IN ('apple_pay', 'google_pay') THEN 'wallet' ELSE payments."method" END`;
const isAtTerminal = sql`CASE WHEN payments."saleId" IS NOT NULL THEN 1 ELSE 0 END`;
const returnedBy = (arg: Arg) =>
  sql`EXISTS (SELECT 1 FROM "refunds" r WHERE r."paymentId" = payments."id" AND r."actorKind" = 'staff' AND r."actorId" = ${arg('staffId')})`;

/** The same as the sources of references find, for payments that are read in another order. */
const isOfReferences = (arg: Arg, isPostgres: boolean) =>
  sql`CASE WHEN (${isMatching('payments.reference', arg, isPostgres)}) OR EXISTS (SELECT 1 FROM "paymentLinks" l WHERE l."id" = payments."paymentLinkId" AND ${isMatching('l.externalReference', arg, isPostgres)}) OR EXISTS (SELECT 1 FROM "terminalSales" s WHERE s."id" = payments."saleId" AND s."terminalId" = payments."terminalId" AND ${isMatching('s.reference', arg, isPostgres)}) THEN 1 ELSE 0 END`;

function filters({ isPostgres }: Queries, arg: Arg, source: Source): RawBuilder<SqlBool>[] {
  const optional = optionalFilters(isPostgres);
  const staff = isPostgres ? sql`cast(${arg('staffId')} as text)` : arg('staffId');
  return [
    optional.text(statusShown, '=', arg('status')),
    optional.text(refunded, '=', arg('refunded')),
    optional.text(rail, '=', arg('rail')),
    optional.text('payments.method', '=', arg('method')),
    optional.text('payments.paymentLinkId', '=', arg('paymentLinkId')),
    optional.text('payments.terminalId', '=', arg('terminalId')),
    optional.integer(isAtTerminal, '=', arg('atTerminals')),
    optional.integer(isOfReferences(arg, isPostgres), '=', arg('ofReferences')),
    optional.integer('payments.createdAt', '>=', arg('from')),
    optional.integer('payments.createdAt', '<', arg('to')),
    ...(source === 'staff' ? [] : [sql<SqlBool>`(${staff} IS NULL OR ${returnedBy(arg)})`]),
  ];
}

/** The id, as a column that no index is read by where the rows are to be sorted. */
function idOf(source: Source): RawBuilder<string> {
  if (source === 'staff') return sql<string>`"returned"."paymentId"`;
  return sorted.has(source) ? sql<string>`coalesce(payments."id", '')` : sql<string>`payments."id"`;
}

function all(parts: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

const within = (source: Source, arg: Arg, isPostgres: boolean) => [
  ...conditions[source](arg, isPostgres),
  sql<SqlBool>`${idOf(source)} < ${arg('before')}`,
  sql<SqlBool>`${idOf(source)} >= ${arg('downTo')}`,
];

/** The ids of a source that meet these conditions, newest first. Payments are not read if no condition needs them. */
function idsOf(source: Source, arg: Arg, isPostgres: boolean, filtered: readonly RawBuilder<SqlBool>[] = []) {
  const payments = filtered.length === 0 ? sql`` : sql` JOIN payments ON payments."id" = "returned"."paymentId"`;
  const from = source === 'staff' ? sql`${returnedByStaff(arg)}${payments}` : sql`payments`;
  return sql<string>`SELECT ${idOf(source)} FROM ${from} WHERE ${all([...within(source, arg, isPostgres), ...filtered])} ORDER BY ${idOf(source)} DESC`;
}

type Sources<Row> = Readonly<Record<Source, Statement<SearchArgs, Row>>>;
const ofEach = <Row>(make: (source: Source) => Statement<SearchArgs, Row>): Sources<Row> =>
  Object.fromEntries(Object.keys(conditions).map(name => [name, make(name as Source)])) as Sources<Row>;

/** A page of the payments of a source that meet the filters, newest first; only these are read with all their columns. */
export const pageOfSource: Sources<PaymentView> = ofEach(source =>
  statement((queries, arg) =>
    viewsIn(queries.db)
      .where(
        sql<SqlBool>`payments."id" IN (${idsOf(source, arg, queries.isPostgres, filters(queries, arg, source))} LIMIT ${rowLimit(arg('limit'))})`,
      )
      .orderBy('payments.id', 'desc'),
  ),
);

/** How many payments of a source are read for one page. */
const rowsReadAtMost = 10_000;

export type Position = { readonly id: string; readonly createdAt: Instant };

/** The last payment that is read for one page, if the source has more. */
export const lastRead: Sources<Position> = ofEach(source =>
  statement(({ db, isPostgres }, arg) =>
    db
      .selectFrom('payments as last')
      .select(['last.id', 'last.createdAt'])
      .where(
        sql<SqlBool>`last."id" = (${idsOf(source, arg, isPostgres)} LIMIT 1 OFFSET ${sql.lit(rowsReadAtMost - 1)})`,
      ),
  ),
);

type ReferenceRange = Pick<SearchArgs, 'businessId' | 'text' | 'textEnd'>;

/** A row if more references match than are read for one page, such as by what all of them begin with. */
export const tooManyReferences = statement<ReferenceRange, { found: number }>(({ db, isPostgres }, arg) => {
  const beyond = (table: string, column: string) =>
    sql`SELECT * FROM (SELECT 1 AS "found" FROM ${sql.table(table)} AS t WHERE t."businessId" = ${arg('businessId')} AND ${isMatching(`t.${column}`, arg as Arg, isPostgres)} LIMIT 1 OFFSET ${sql.lit(rowsReadAtMost)}) AS m`;
  const all = [
    beyond('payments', 'reference'),
    beyond('terminalSales', 'reference'),
    beyond('paymentLinks', 'externalReference'),
  ];
  return db.selectFrom(sql<{ found: number }>`(${sql.join(all, sql` UNION ALL `)})`.as('many')).selectAll();
});

type Moment = { readonly businessId: string; readonly at: Instant };

/** The first payment from a moment on. */
export const firstSince = statement<Moment, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', arg('businessId'))
    .where('createdAt', '>=', arg('at'))
    .orderBy('createdAt')
    .limit(sql.lit(1)),
);

/** The last payment before a moment. */
export const lastBefore = statement<Moment, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', arg('businessId'))
    .where('createdAt', '<', arg('at'))
    .orderBy('createdAt', 'desc')
    .limit(sql.lit(1)),
);
