import type { Database } from '@florin/backend/foundation/database/database.ts';
import { statement } from '@florin/backend/foundation/database/database.ts';
import { untouchedPayment } from '@florin/backend/money/payments/authorisation.ts';
import type { PaymentRow } from '@florin/backend/money/payments/rows.ts';
import type { RefundRow } from '@florin/backend/money/refunds/rows.ts';
import { type RawBuilder, sql } from 'kysely';

export type ManyPayments = {
  readonly businessId: string;
  /** Two: every tenth payment is on the second. */
  readonly terminalIds: readonly [string, string];
  /** Who made every hundredth payment's refund. */
  readonly staffId: string;
  readonly count: number;
  /** The time of the first; each next one is a minute later. */
  readonly startAt: number;
};

export const numberedPayment = (index: number) => `pay_many${String(index).padStart(10, '0')}`;

const perStatement = 100_000;

/**
 * Payments of one business as years of trade leave them, a hundred thousand by each statement: most of them settled card
 * payments at terminals, every 50th refunded (half of these in part, and every other one by the member of staff), every 40th
 * declined, every 97th voided, and one bitcoin payment in 5,000.
 */
export async function writeManyPayments(database: Database, options: ManyPayments): Promise<void> {
  const { businessId, staffId, count, startAt } = options;
  const [terminalId, otherTerminalId] = options.terminalIds;
  for (let from = 0; from < count; from += perStatement) {
    const args = {
      businessId,
      staffId,
      terminalId,
      otherTerminalId,
      startAt,
      from,
      to: Math.min(count, from + perStatement) - 1,
    };
    await database.write(async tx => {
      await tx.run(insertPayments, args);
      await tx.run(insertRefunds, args);
    });
  }
}

type Args = {
  businessId: string;
  staffId: string;
  terminalId: string;
  otherTerminalId: string;
  startAt: number;
  from: number;
  to: number;
};

type Sql<Row> = { readonly [Column in keyof Row]: RawBuilder<unknown> | Row[Column] };
type Arg = <Name extends keyof Args>(name: Name) => RawBuilder<Args[Name]>;

const n = sql.raw('n');
const every = (count: number) => sql`${n} % ${sql.lit(count)} = ${sql.lit(count - 1)}`;
const isVoided = every(97);
const isDeclined = sql`(${every(40)} AND NOT ${isVoided})`;
const isBitcoin = sql`(${every(5_000)} AND NOT ${isVoided} AND NOT (${every(40)}))`;
const isRefunded = sql`(${every(50)} AND NOT ${isVoided} AND NOT (${every(40)}) AND NOT (${every(5_000)}))`;
const amountMinor = sql`100 + ${n} * 7919 % 9901`;
const refundedMinor = sql`CASE WHEN ${every(100)} THEN ${amountMinor} ELSE 50 END`;

function padded(isPostgres: boolean, width: number, value: RawBuilder<unknown> = n): RawBuilder<string> {
  return isPostgres
    ? sql<string>`lpad(cast(${value} as text), ${sql.lit(width)}, '0')`
    : sql<string>`printf(${sql.lit(`%0${width}d`)}, ${value})`;
}

/** The numbers from `from` to `to`, as `n`. */
function numbers(isPostgres: boolean, arg: Arg): RawBuilder<unknown> {
  return isPostgres
    ? sql`generate_series(cast(${arg('from')} as bigint), cast(${arg('to')} as bigint)) as s(n)`
    : sql`(WITH RECURSIVE s(n) AS (SELECT ${arg('from')} UNION ALL SELECT n + 1 FROM s WHERE n < ${arg('to')}) SELECT n FROM s)`;
}

function insertOf(table: string, row: object, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = Object.keys(row).map(name => sql.ref(name));
  const values = Object.values(row).map(value =>
    typeof value === 'object' && value !== null ? (value as RawBuilder<unknown>) : sql.lit(value),
  );
  return sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) SELECT ${sql.join(values)} FROM ${from}`;
}

const insertPayments = statement<Args, unknown>(({ db, isPostgres }, arg) => {
  const text = <Name extends keyof Args>(name: Name) => (isPostgres ? sql`cast(${arg(name)} as text)` : arg(name));
  const at = sql`${isPostgres ? sql`cast(${arg('startAt')} as bigint)` : arg('startAt')} + ${n} * 60000`;
  const row: Sql<PaymentRow> = {
    ...untouchedPayment,
    id: sql`'pay_many' || ${padded(isPostgres, 10)}`,
    businessId: text('businessId'),
    paymentLinkId: null,
    terminalId: sql`CASE WHEN ${every(10)} THEN ${text('otherTerminalId')} ELSE ${text('terminalId')} END`,
    saleId: sql`'sale_many' || ${padded(isPostgres, 10)}`,
    clientRequestId: null,
    gatewayAccountId: null,
    invoiceNumber: sql`'INV-' || ${padded(isPostgres, 6, sql`${n} + 1`)}`,
    method: sql`CASE WHEN ${isBitcoin} THEN 'lightning' WHEN ${n} % 4 = 1 THEN 'apple_pay' ELSE 'card' END`,
    amountMinor,
    currency: 'GBP',
    amountSats: sql`CASE WHEN ${isBitcoin} THEN 1000 END`,
    status: sql`CASE WHEN ${isDeclined} THEN 'declined' WHEN ${isVoided} THEN 'cancelled' ELSE 'settled' END`,
    uniqueReference: sql`'pay_many' || ${padded(isPostgres, 10)}`,
    gatewayReference: sql`'xref' || ${padded(isPostgres, 12)}`,
    cardScheme: 'Visa',
    cardLastFour: padded(isPostgres, 4, sql`${n} * 31 % 10000`),
    entryMode: 'contactless',
    applicationId: 'A0000000031010',
    reference: sql`'Order-' || ${padded(isPostgres, 10)}`,
    completedAt: at,
    refundedMinor: sql`CASE WHEN ${isVoided} THEN ${amountMinor} WHEN ${isRefunded} THEN ${refundedMinor} ELSE 0 END`,
    nextPollAt: null,
    sentAt: at,
    takenAt: at,
    settledAt: at,
    createdAt: at,
  };
  return { compile: () => insertOf('payments', row, numbers(isPostgres, arg)).compile(db) as never };
});

const insertRefunds = statement<Args, unknown>(({ db, isPostgres }, arg) => {
  const text = <Name extends keyof Args>(name: Name) => (isPostgres ? sql`cast(${arg(name)} as text)` : arg(name));
  const at = sql`${isPostgres ? sql`cast(${arg('startAt')} as bigint)` : arg('startAt')} + ${n} * 60000`;
  const id = sql`'ref_many' || ${padded(isPostgres, 10)}`;
  const byStaff = sql`(${every(100)} OR ${isVoided})`;
  const row: Sql<RefundRow> = {
    id,
    businessId: text('businessId'),
    paymentId: sql`'pay_many' || ${padded(isPostgres, 10)}`,
    paymentLinkId: null,
    gatewayAccountId: null,
    requestedByStaffId: null,
    kind: sql`CASE WHEN ${isVoided} THEN 'CANCEL' ELSE 'REFUND_SALE' END`,
    status: 'approved',
    amountMinor: sql`CASE WHEN ${isVoided} THEN ${amountMinor} ELSE ${refundedMinor} END`,
    amountSats: null,
    currency: 'GBP',
    actorKind: sql`CASE WHEN ${byStaff} THEN 'staff' ELSE 'api_key' END`,
    actorId: sql`CASE WHEN ${byStaff} THEN ${text('staffId')} ELSE 'key_many000' END`,
    isReversal: 0,
    terminalId: sql`CASE WHEN ${byStaff} THEN ${text('terminalId')} END`,
    reason: null,
    clientRequestId: null,
    uniqueReference: id,
    gatewayReference: null,
    gatewayCode: null,
    gatewayMessage: null,
    failureCause: null,
    nextPollAt: null,
    pollCount: 0,
    polledAt: null,
    polledForMs: 0,
    evidenceFrom: null,
    sentAt: at,
    outcomeAt: at,
    resolutionJson: null,
    createdAt: at,
  };
  const from = sql`${numbers(isPostgres, arg)} WHERE ${isVoided} OR ${isRefunded}`;
  return { compile: () => insertOf('refunds', row, from).compile(db) as never };
});
