import { type TransactionType, transactionType } from '@florin/shared/contracts/api-v1/transactions.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type ArgumentOf,
  optionalFilters,
  rowLimit,
  type Statement,
  statement,
} from '../../foundation/database/database.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { WhatItPaid } from '../payments/views-store.ts';
import { type Movement, movementsOf } from './movements-store.ts';

/** The start of a page: after the line of this time and id. */
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

type Page = {
  readonly businessId: string;
  readonly beforeAt: Instant;
  readonly beforeId: string;
  readonly limit: number;
};

export type TransactionList = TransactionFilter & Page;

/** A movement with its related names. */
export type TransactionView = Movement &
  WhatItPaid &
  Pick<PaymentRow, 'method' | 'paymentLinkId' | 'invoiceNumber' | 'cardScheme' | 'cardLastFour'> & {
    readonly terminalName: string | null;
    readonly staffName: string | null;
    readonly staffNumber: string | null;
    /** Null of a terminal. */
    readonly actorName: string | null;
  };

/** Newest first, by time and id, so that a page starts where the last one ended whatever was added since. */
function pageOfMovements<Args extends Page>(
  type: TransactionType | null,
  /** Whether a page is read from the indexes on `at`, or sorted because another condition selects few rows. */
  order: 'indexed' | 'sorted',
  conditions: (columns: Columns, arg: ArgumentOf<Args>, optional: Optional) => RawBuilder<SqlBool>[],
) {
  return statement<Args, TransactionView>(({ db, isPostgres }, arg) => {
    const page = arg as unknown as ArgumentOf<Page>;
    const limit = rowLimit(page('limit'));
    // An expression prevents the use of the index.
    const by = order === 'indexed' ? sql`` : sql` + 0`;
    const before = isPostgres ? sql`cast(${page('beforeAt')} as bigint)` : page('beforeAt');
    const movements = movementsOf({
      isPostgres,
      type,
      where: columns => [
        sql<SqlBool>`p."businessId" = ${page('businessId')}`,
        sql<SqlBool>`${columns.at}${by} <= ${before}`,
        sql<SqlBool>`(${columns.at} < ${before} OR ${columns.id} < ${page('beforeId')})`,
        ...conditions(columns, arg, optionalFilters(isPostgres)),
      ],
      tail: ({ at, id }) => sql`ORDER BY ${at}${by} DESC, ${id} DESC LIMIT ${limit}`,
    });
    return (
      db
        .selectFrom(movements.as('m'))
        // CROSS JOIN: otherwise SQLite starts with every payment.
        .crossJoin('payments as p')
        .whereRef('p.id', '=', 'm.paymentId')
        .leftJoin('terminals as t', 't.id', 'm.terminalId')
        .leftJoin('staff as s', 's.id', 'm.staffId')
        .leftJoin('portalUsers as u', 'u.id', 'm.actorId')
        .leftJoin('apiKeys as k', 'k.id', 'm.actorId')
        .leftJoin('bitcoinReceipts as r', join =>
          join.onRef('r.id', '=', 'p.clientRequestId').onRef('r.paymentId', '=', 'p.id'),
        )
        .leftJoin('bitcoinInvoices as i', 'i.id', 'r.invoiceId')
        .selectAll('m')
        .select(['i.purpose', 'i.purposeId'])
        .select(['p.method', 'p.paymentLinkId', 'p.invoiceNumber', 'p.cardScheme', 'p.cardLastFour'])
        .select(['t.name as terminalName', 's.name as staffName', 's.staffNumber as staffNumber'])
        .select(({ fn }) => fn.coalesce('s.name', 'u.name', 'k.name').as('actorName'))
        .orderBy('m.at', 'desc')
        .orderBy('m.id', 'desc')
        .limit(limit)
    );
  });
}

type Columns = Parameters<Parameters<typeof movementsOf>[0]['where']>[0];
type Optional = ReturnType<typeof optionalFilters>;

const listOf = (type: TransactionType | null) =>
  pageOfMovements<TransactionList>(type, 'indexed', (columns, arg, optional) => [
    optional.text('p.currency', '=', arg('currency')),
    optional.text('p.method', '=', arg('method')),
    optional.text('p.paymentLinkId', '=', arg('paymentLinkId')),
    optional.text('p.id', '=', arg('paymentId')),
    optional.text(columns.terminalId, '=', arg('terminalId')),
    optional.text(columns.staffId, '=', arg('staffId')),
    optional.integer(columns.at, '>=', arg('from')),
    optional.integer(columns.at, '<', arg('to')),
  ]);

/** A statement per type, which reads only tables with that type. */
export const transactionsOfBusiness = {
  all: listOf(null),
  ...Object.fromEntries(transactionType.options.map(type => [type, listOf(type)])),
} as Readonly<Record<TransactionType | 'all', Statement<TransactionList, TransactionView>>>;

type SettlementLines = Page & {
  readonly accountId: string;
  readonly currency: string;
  readonly from: Instant;
  readonly to: Instant;
};

const linesOf = (settled: boolean) =>
  pageOfMovements<SettlementLines>(null, 'sorted', ({ settlesAt }, arg, optional) => [
    optional.text('p.gatewayAccountId', '=', arg('accountId')),
    optional.text('p.currency', '=', arg('currency')),
    ...(settled
      ? [sql<SqlBool>`${settlesAt} >= ${arg('from')}`, sql<SqlBool>`${settlesAt} < ${arg('to')}`]
      : [sql<SqlBool>`${settlesAt} IS NULL`]),
  ]);
/** The movements of a settlement. */
export const linesOfSettlement = { settled: linesOf(true), awaiting: linesOf(false) };
