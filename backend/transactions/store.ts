import { type TransactionType, transactionType } from '@florin/shared/contracts/api-v1/transactions.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type SqlBool, sql } from 'kysely';
import { type ArgumentOf, optionalFilters, rowLimit, type Statement, statement } from '../database/database.ts';
import type { PaymentRow } from '../database/schema.ts';
import { type Movement, movementsOf } from './movements.ts';

/** Where a page begins: after the line of this time and id. */
export type Position = { readonly at: Instant; readonly id: string };

export type TransactionFilter = {
  readonly currency: string | null;
  readonly method: string | null;
  readonly terminalId: string | null;
  readonly staffId: string | null;
  readonly paymentLinkId: string | null;
  readonly paymentId: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
};

export type TransactionList = TransactionFilter & {
  readonly businessId: string;
  readonly beforeAt: Instant;
  readonly beforeId: string;
  readonly limit: number;
};

/** A movement with what its readers need beside it. */
export type TransactionView = Movement &
  Pick<PaymentRow, 'currency' | 'method' | 'paymentLinkId' | 'invoiceNumber' | 'cardScheme' | 'cardLastFour'> & {
    readonly terminalName: string | null;
    readonly staffName: string | null;
    readonly staffNumber: string | null;
  };

/** Newest first. By time and then id, so that a page begins where the last one ended whatever was added since. */
const listOf = (type: TransactionType | null) =>
  statement<TransactionList, TransactionView>(({ db, isPostgres }, arg) => {
    const limit = rowLimit(arg('limit'));
    const newestFirst = sql`ORDER BY "at" DESC, "id" DESC LIMIT ${limit}`;
    const movements = movementsOf({
      type,
      where: columns => [...conditionsOf(columns, arg, isPostgres)],
      tail: newestFirst,
    });
    return db
      .selectFrom(movements.as('m'))
      .innerJoin('payments as p', 'p.id', 'm.paymentId')
      .leftJoin('terminals as t', 't.id', 'm.terminalId')
      .leftJoin('staff as s', 's.id', 'm.staffId')
      .selectAll('m')
      .select(['p.currency', 'p.method', 'p.paymentLinkId', 'p.invoiceNumber', 'p.cardScheme', 'p.cardLastFour'])
      .select(['t.name as terminalName', 's.name as staffName', 's.staffNumber as staffNumber'])
      .orderBy('m.at', 'desc')
      .orderBy('m.id', 'desc')
      .limit(limit);
  });

type Columns = Parameters<Parameters<typeof movementsOf>[0]['where']>[0];

function conditionsOf(columns: Columns, arg: ArgumentOf<TransactionList>, isPostgres: boolean) {
  const optional = optionalFilters(isPostgres);
  const before = isPostgres ? sql`cast(${arg('beforeAt')} as bigint)` : arg('beforeAt');
  return [
    sql<SqlBool>`p."businessId" = ${arg('businessId')}`,
    sql<SqlBool>`${columns.at} <= ${before}`,
    sql<SqlBool>`(${columns.at} < ${before} OR ${columns.id} < ${arg('beforeId')})`,
    optional.text('p.currency', '=', arg('currency')),
    optional.text('p.method', '=', arg('method')),
    optional.text('p.paymentLinkId', '=', arg('paymentLinkId')),
    optional.text('p.id', '=', arg('paymentId')),
    optional.text(columns.terminalId, '=', arg('terminalId')),
    optional.text(columns.staffId, '=', arg('staffId')),
    optional.integer(columns.at, '>=', arg('from')),
    optional.integer(columns.at, '<', arg('to')),
  ];
}

type ListStatement = Statement<TransactionList, TransactionView>;

/** A statement for each type, which reads no table that has none of it. */
export const transactionsOfBusiness = {
  all: listOf(null),
  ...Object.fromEntries(transactionType.options.map(type => [type, listOf(type)])),
} as Readonly<Record<TransactionType | 'all', ListStatement>>;
