import { type JoinBuilder, type Kysely, sql } from 'kysely';
import type { Tables } from '../../foundation/database/database.ts';
import { equalsUnindexed, oneOf, statement } from '../../foundation/database/database.ts';
import type { RefundRow } from '../refunds/rows.ts';
import type { PaymentRow } from './rows.ts';

/** A payment with what its readers need beside it. */
export type PaymentView = PaymentRow &
  WhatItPaid & {
    readonly terminalName: string | null;
    readonly linkDescription: string | null;
    readonly linkReference: string | null;
  };

/** What a bitcoin payment was for. */
export type WhatItPaid = { readonly [Column in 'purpose' | 'purposeId']: Tables['bitcoinInvoices'][Column] | null };

/** The receipt that became a payment, by the id that the payment keeps. */
const ofReceipt = (join: JoinBuilder<Tables, 'payments' | 'bitcoinReceipts'>) =>
  join
    .onRef('bitcoinReceipts.id', '=', 'payments.clientRequestId')
    .onRef('bitcoinReceipts.paymentId', '=', 'payments.id');

/** Payments with what the record of one shows, for a page of a list in one query. */
export const viewsIn = (db: Kysely<Tables>) =>
  db
    .selectFrom('payments')
    .leftJoin('terminals', 'terminals.id', 'payments.terminalId')
    .leftJoin('paymentLinks', 'paymentLinks.id', 'payments.paymentLinkId')
    .leftJoin('bitcoinReceipts', ofReceipt)
    .leftJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'bitcoinReceipts.invoiceId')
    .selectAll('payments')
    .select(['paymentLinks.description as linkDescription', 'paymentLinks.externalReference as linkReference'])
    .select(['terminals.name as terminalName', 'bitcoinInvoices.purpose', 'bitcoinInvoices.purposeId']);

export const viewById = statement<{ businessId: string; id: string }, PaymentView>(({ db }, arg) =>
  viewsIn(db).where('payments.id', '=', arg('id')).where('payments.businessId', '=', arg('businessId')),
);

export type ReturnRow = Pick<
  RefundRow,
  'id' | 'paymentId' | 'kind' | 'status' | 'amountMinor' | 'actorKind' | 'gatewayReference' | 'outcomeAt' | 'createdAt'
> & {
  readonly staffName: string | null;
  readonly staffNumber: string | null;
  readonly requesterName: string | null;
  readonly requesterNumber: string | null;
  readonly terminalName: string | null;
};

export const returnsOf = statement<{ idsJson: string }, ReturnRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('refunds')
    .leftJoin('staff', join => join.onRef('staff.id', '=', 'refunds.actorId').on('refunds.actorKind', '=', 'staff'))
    .leftJoin('staff as requesters', 'requesters.id', 'refunds.requestedByStaffId')
    .leftJoin('terminals', 'terminals.id', 'refunds.terminalId')
    .select(['refunds.id', 'paymentId', 'refunds.kind', 'status', 'amountMinor', 'actorKind', 'refunds.createdAt'])
    .select(['gatewayReference', 'outcomeAt', 'staff.name as staffName', 'staff.staffNumber'])
    .select(['requesters.name as requesterName', 'requesters.staffNumber as requesterNumber'])
    .select('terminals.name as terminalName')
    .where(oneOf(isPostgres, 'paymentId', arg('idsJson')))
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('refunds.id'),
);

/** A refund with the names of who may have caused it. */
export type RefundOfView = RefundRow & {
  readonly actorName: string | null;
  readonly terminalName: string | null;
};

/** The refunds of one payment, oldest first. */
export const refundsOfView = statement<{ businessId: string; paymentId: string }, RefundOfView>(({ db }, arg) =>
  db
    .selectFrom('refunds')
    .leftJoin('staff', 'staff.id', 'refunds.actorId')
    .leftJoin('portalUsers', 'portalUsers.id', 'refunds.actorId')
    .leftJoin('apiKeys', 'apiKeys.id', 'refunds.actorId')
    .leftJoin('terminals', 'terminals.id', 'refunds.terminalId')
    .selectAll('refunds')
    .select(({ fn }) => [
      fn.coalesce('staff.name', 'portalUsers.name', 'apiKeys.name').as('actorName'),
      'terminals.name as terminalName',
    ])
    .where('refunds.paymentId', '=', arg('paymentId'))
    .where(equalsUnindexed('refunds.businessId', arg('businessId')))
    .orderBy('refunds.id')
    .limit(sql.lit(100)),
);

export const terminalNamesOf = statement<{ idsJson: string }, { id: string; name: string }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminals')
    .select(['id', 'name'])
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);
