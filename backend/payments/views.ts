import { type ActorColumns, type ActorKind, actorOfColumns } from '@florin/shared/actor.ts';
import type { ActorRecord } from '@florin/shared/contracts/api-v1/actors.ts';
import type { PaymentRecord, TimelineEntryRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type JoinBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { BitcoinInvoiceRow } from '../bitcoin-invoices/rows.ts';
import { type Database, optionalFilters, rowLimit, statement } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';
import { linkPaymentOf } from '../payment-links/link.ts';
import type { TimelineEventRow } from '../timeline/rows.ts';
import { heldMinor, paymentStatusOf, remainingMinor, returnedMinor, reversalOf, timestamp } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import { timelineMessage } from './timeline-messages.ts';

/** A payment with what its readers need beside it. */
export type PaymentView = PaymentRow & WhatItPaid & { readonly terminalName: string | null };

/** What a bitcoin payment was for. */
export type WhatItPaid = { readonly [Column in 'purpose' | 'purposeId']: BitcoinInvoiceRow[Column] | null };

/** The status of a payment as people see it, used as the filter of a list. */
type Status = PaymentRecord['status'];

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

/** A timeline entry with the names of the people and terminals in it. */
export type TimelineView = TimelineEventRow & {
  readonly staffName: string | null;
  readonly apiKeyName: string | null;
  readonly terminalName: string | null;
};

export type PaymentViews = {
  /** Newest first. */
  list(options: PaymentList): Promise<PaymentView[]>;
  byId(businessId: string, id: string): Promise<PaymentView | undefined>;
  /** What happened to a payment and its refunds after the entry `after`, oldest first. */
  timeline(options: { paymentId: string; after: string; limit: number }): Promise<TimelineView[]>;
};

/** Payments as their readers see them. */
export function paymentViews(database: Database): PaymentViews {
  return {
    list: ({ status, ...options }) => database.all(paymentsOfBusiness[status ?? 'all'], options),
    byId: (businessId, id) => database.first(viewById, { businessId, id }),
    timeline: options => database.all(timelineOfPayment, options),
  };
}

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

const viewById = statement<{ businessId: string; id: string }, PaymentView>(({ db }, arg) =>
  viewsIn(db).where('payments.id', '=', arg('id')).where('payments.businessId', '=', arg('businessId')),
);

/** The conditions that `paymentStatusOf` puts into words. */
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
const paymentsOfBusiness = {
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

const timelineOfPayment = statement<{ paymentId: string; after: string; limit: number }, TimelineView>(({ db }, arg) =>
  db
    .selectFrom('timelineEvents')
    .leftJoin('staff', join =>
      join.onRef('staff.id', '=', 'timelineEvents.actorId').on('timelineEvents.actorKind', '=', sql.lit('staff')),
    )
    .leftJoin('apiKeys', join =>
      join.onRef('apiKeys.id', '=', 'timelineEvents.actorId').on('timelineEvents.actorKind', '=', sql.lit('api_key')),
    )
    .leftJoin('terminals', 'terminals.id', 'timelineEvents.terminalId')
    .selectAll('timelineEvents')
    .select(['staff.name as staffName', 'apiKeys.name as apiKeyName', 'terminals.name as terminalName'])
    .where('timelineEvents.paymentId', '=', arg('paymentId'))
    .where('timelineEvents.id', '>', arg('after'))
    .orderBy('timelineEvents.id')
    .limit(rowLimit(arg('limit'))),
);

export function paymentRecordOf(payment: PaymentView): PaymentRecord {
  return {
    ...linkPaymentOf(payment),
    status: paymentStatusOf(payment),
    paymentLinkId: payment.paymentLinkId,
    terminal: terminalOf(payment),
    saleId: payment.saleId,
    purpose: payment.purpose,
    purposeId: payment.purposeId,
    refundedInCents: returnedMinor(payment),
    pendingInCents: heldMinor(payment),
    remainingInCents: remainingMinor(payment),
    reversal: reversalOf(payment),
    createdAt: timestamp(payment.createdAt),
  };
}

/** The terminal that an id names, with the name it has now; of one that is gone for good, its id stands for it. */
export function terminalOf({ terminalId, terminalName }: { terminalId: string | null; terminalName: string | null }) {
  return terminalId === null ? null : { id: terminalId, name: terminalName ?? terminalId };
}

export function timelineRecordOf(entry: TimelineView): TimelineEntryRecord {
  const detail = JSON.parse(entry.detailJson) as Record<string, unknown>;
  return {
    id: entry.id,
    kind: entry.kind,
    message: timelineMessage(entry.kind, detail),
    refundId: entry.refundId,
    by: actorRecordOf(entry),
    terminal: terminalOf(entry),
    detail,
    at: timestamp(entry.at),
  };
}

type ActorNames = {
  readonly staffName: string | null;
  readonly apiKeyName: string | null;
  readonly terminalName: string | null;
};

/** By whom, with the name they have now. */
function actorRecordOf(columns: ActorColumns & ActorNames): ActorRecord {
  const { kind } = actorOfColumns(columns);
  return { kind, id: columns.actorId, name: nameOf(kind, columns) };
}

function nameOf(kind: ActorKind, { staffName, apiKeyName, terminalName }: ActorNames): string | null {
  switch (kind) {
    case 'staff':
      return staffName;
    case 'api_key':
      return apiKeyName;
    case 'terminal':
      return terminalName;
    case 'portal_user':
    case 'kiosk_key':
    case 'operator':
    case 'system':
      return null;
  }
}
