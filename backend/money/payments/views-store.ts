import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type JoinBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../foundation/database/database.ts';
import { oneOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import type { RefundRow } from '../refunds/rows.ts';
import type { PaymentRow } from './rows.ts';

/** A payment with what its readers need beside it. */
export type PaymentView = PaymentRow & WhatItPaid & { readonly terminalName: string | null };

/** What a bitcoin payment was for. */
export type WhatItPaid = { readonly [Column in 'purpose' | 'purposeId']: Tables['bitcoinInvoices'][Column] | null };

/** The status of a payment as people see it, used as the filter of a list. */
export type Status = PaymentRecord['status'];

export type PaymentList = {
  readonly businessId: string;
  readonly status: Status | null;
  readonly method: string | null;
  readonly paymentLinkId: string | null;
  readonly terminalId: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly before: string;
  readonly limit: number;
};

/** The receipt that became a payment, by the id that the payment keeps. */
const ofReceipt = (join: JoinBuilder<Tables, 'payments' | 'bitcoinReceipts'>) =>
  join
    .onRef('bitcoinReceipts.id', '=', 'payments.clientRequestId')
    .onRef('bitcoinReceipts.paymentId', '=', 'payments.id');

const viewsIn = (db: Kysely<Tables>) =>
  db
    .selectFrom('payments')
    .leftJoin('terminals', 'terminals.id', 'payments.terminalId')
    .leftJoin('bitcoinReceipts', ofReceipt)
    .leftJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'bitcoinReceipts.invoiceId')
    .selectAll('payments')
    .select(['terminals.name as terminalName', 'bitcoinInvoices.purpose', 'bitcoinInvoices.purposeId']);

export const viewById = statement<{ businessId: string; id: string }, PaymentView>(({ db }, arg) =>
  viewsIn(db).where('payments.id', '=', arg('id')).where('payments.businessId', '=', arg('businessId')),
);

/** The conditions that `paymentStatusOf` (payment.ts) writes as SQL. */
const returned = sql<number>`CASE WHEN payments."method" IN ('lightning', 'onchain') THEN payments."refundedSats" ELSE payments."refundedMinor" + payments."creditedMinor" END`;
const taken = sql<number>`CASE WHEN payments."method" IN ('lightning', 'onchain') THEN coalesce(payments."amountSats", 0) ELSE coalesce(payments."approvedMinor", payments."amountMinor") END`;

/** `tookMoney` in words of SQL. */
const tookMoneyStatuses = ['unsettled', 'settled'] as const;

type Selection = SelectQueryBuilder<
  Tables & { terminals: Tables['terminals'] | null },
  'payments' | 'terminals',
  PaymentView
>;

function withStatus(query: Selection, status: Status): Selection {
  switch (status) {
    case 'pending':
    case 'declined':
    case 'failed':
    case 'cancelled':
    case 'settlement_rejected':
      return query.where('payments.status', '=', status);
    case 'unsettled':
    case 'settled':
      return query.where('payments.status', '=', status).where(returned, '=', 0);
    case 'partly_refunded':
      return query
        .where('payments.status', 'in', tookMoneyStatuses)
        .where(sql<boolean>`${returned} > 0 AND ${returned} < ${taken}`);
    case 'refunded':
      return query
        .where('payments.status', 'in', tookMoneyStatuses)
        .where(sql<boolean>`${returned} > 0 AND ${returned} >= ${taken}`);
  }
}

const listOf = (status: Status | null) =>
  statement<Omit<PaymentList, 'status'>, PaymentView>(({ db, isPostgres }, arg) => {
    const optional = optionalFilters(isPostgres);
    return viewsIn(db)
      .where('payments.businessId', '=', arg('businessId'))
      .where('payments.id', '<', arg('before'))
      .where(optional.text('payments.method', '=', arg('method')))
      .where(optional.text('payments.paymentLinkId', '=', arg('paymentLinkId')))
      .where(optional.text('payments.terminalId', '=', arg('terminalId')))
      .where(optional.integer('payments.createdAt', '>=', arg('from')))
      .where(optional.integer('payments.createdAt', '<', arg('to')))
      .$if(status !== null, query => withStatus(query as unknown as Selection, status as Status) as typeof query)
      .orderBy('payments.id', 'desc')
      .limit(rowLimit(arg('limit')));
  });
export const paymentsOfBusiness = {
  all: listOf(null),
  pending: listOf('pending'),
  declined: listOf('declined'),
  failed: listOf('failed'),
  unsettled: listOf('unsettled'),
  settled: listOf('settled'),
  cancelled: listOf('cancelled'),
  settlement_rejected: listOf('settlement_rejected'),
  partly_refunded: listOf('partly_refunded'),
  refunded: listOf('refunded'),
} satisfies Record<Status | 'all', unknown>;

export type ReturnRow = Pick<RefundRow, 'paymentId' | 'kind' | 'status' | 'amountMinor' | 'actorKind' | 'createdAt'> & {
  readonly staffName: string | null;
};

export const returnsOf = statement<{ idsJson: string }, ReturnRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('refunds')
    .leftJoin('staff', join => join.onRef('staff.id', '=', 'refunds.actorId').on('refunds.actorKind', '=', 'staff'))
    .select(['paymentId', 'refunds.kind', 'status', 'amountMinor', 'actorKind', 'refunds.createdAt'])
    .select('staff.name as staffName')
    .where(oneOf(isPostgres, 'paymentId', arg('idsJson')))
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('refunds.id'),
);

export const terminalNamesOf = statement<{ idsJson: string }, { id: string; name: string }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminals')
    .select(['id', 'name'])
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);
