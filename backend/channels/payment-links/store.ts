import type { PaymentLinkStatus } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { oneOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, selectBy, selectForUpdateBy, updateBy } from '../../foundation/database/statements.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from './rows.ts';

/** Queries over payment links. The calling flows decide which share a transaction. */

export const linkById = selectBy('paymentLinks', 'id', 'businessId');

/** A deleted link is hidden from customers. */
export const linkForCustomer = statement<{ id: string }, PaymentLinkRow>(({ db }, arg) =>
  db.selectFrom('paymentLinks').selectAll().where('id', '=', arg('id')).where('deletedAt', 'is', null),
);

/** Locked until the transaction ends: serialises payments of one link. */
export const linkForUpdate = selectForUpdateBy('paymentLinks', 'id', 'businessId');

export type LinkList = {
  readonly businessId: string;
  readonly status: PaymentLinkStatus | null;
  readonly before: string;
  readonly limit: number;
};

/** Newest first, before the id `before`; without a status, all. The status is that of `linkStatusOf`. */
export const linksOfBusiness = statement<LinkList & { readonly now: Instant }, PaymentLinkRow>(
  ({ db, isPostgres }, arg) => {
    const status = sql<string>`case
      when "expiresAt" <= ${arg('now')} then 'EXPIRED'
      when "paidAt" is not null then 'PAID'
      when "amountPaidMinor" > 0 then 'PARTIALLY_PAID'
      else 'ACTIVE' end`;
    return db
      .selectFrom('paymentLinks')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .where(optionalFilters(isPostgres).text(status, '=', arg('status')))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit')));
  },
);

export const insertLink = insertInto('paymentLinks');

export const addPaid = statement<{ id: string; amountMinor: number; now: Instant }, unknown>(({ db }, arg) => {
  const paidMinor = sql<number>`"amountPaidMinor" + ${arg('amountMinor')}`;
  return db
    .updateTable('paymentLinks')
    .set({
      amountPaidMinor: paidMinor,
      paidAt: sql<Instant | null>`case when ${paidMinor} >= "amountMinor" then coalesce("paidAt", ${arg('now')}) else "paidAt" end`,
    })
    .where('id', '=', arg('id'));
});

/** A paid link stays paid. */
export const subtractPaid = statement<{ id: string; amountMinor: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('paymentLinks')
    .set({ amountPaidMinor: sql<number>`"amountPaidMinor" - ${arg('amountMinor')}` })
    .where('id', '=', arg('id')),
);

/** Reopens a link that was not fully paid after all. */
export const reopenLink = statement<{ id: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('paymentLinks')
    .set({ paidAt: null })
    .where('id', '=', arg('id'))
    .whereRef('amountPaidMinor', '<', 'amountMinor'),
);

export const deleteLink = statement<{ id: string; deletedAt: Instant }, PaymentLinkRow>(({ db }, arg) =>
  db
    .updateTable('paymentLinks')
    .set({ deletedAt: arg('deletedAt') })
    .where('id', '=', arg('id'))
    .where('deletedAt', 'is', null)
    .returningAll(),
);

export type PendingOfLink = {
  /** The amount of pending payments. */
  readonly totalMinor: number;
  /** When one of them was last polled because its reply was lost. Null while replies are awaited. */
  readonly polledAt: Instant | null;
};

export const pendingOfLink = statement<{ paymentLinkId: string }, PendingOfLink>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('payments')
    .select(eb => [
      eb
        .cast<number>(eb.fn.coalesce(eb.fn.sum<number>('amountMinor'), eb.lit(0)), isPostgres ? 'bigint' : 'integer')
        .as('totalMinor'),
      eb.fn.max('polledAt').as('polledAt'),
    ])
    .where('paymentLinkId', '=', arg('paymentLinkId'))
    .where('status', '=', 'pending'),
);

/** The invoice for which the link's amount is reserved. */
export const openLinkInvoice = statement<{ paymentLinkId: string }, LinkInvoiceRow>(({ db }, arg) =>
  db
    .selectFrom('linkInvoices')
    .selectAll()
    .where('paymentLinkId', '=', arg('paymentLinkId'))
    .where('status', '=', sql.lit('open')),
);

export const linkInvoice = selectBy('linkInvoices', 'invoiceId');

export const linkInvoicesOf = selectBy('linkInvoices', 'paymentLinkId');

export type BitcoinOfLink = Pick<LinkInvoiceRow, 'paymentLinkId' | 'invoiceId' | 'status'> & {
  readonly amountSats: number;
  readonly amountMinor: number;
  readonly expiresAt: Instant;
  readonly invoiceStatus: 'open' | 'ended';
  /** Of its claim; null if nothing is to be returned. */
  readonly claimedSats: number | null;
  readonly returnedSats: number | null;
};

/** The bitcoin requests of links and their claims. */
export const bitcoinOfLinks = statement<{ linkIdsJson: string }, BitcoinOfLink>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('linkInvoices')
    .innerJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'linkInvoices.invoiceId')
    .leftJoin('bitcoinClaims', 'bitcoinClaims.invoiceId', 'linkInvoices.invoiceId')
    .select([
      'linkInvoices.paymentLinkId',
      'linkInvoices.invoiceId',
      'linkInvoices.status',
      'bitcoinInvoices.amountSats',
      'bitcoinInvoices.amountMinor',
      'bitcoinInvoices.expiresAt',
      'bitcoinInvoices.status as invoiceStatus',
      'bitcoinClaims.amountSats as claimedSats',
      'bitcoinClaims.returnedSats',
    ])
    .where(oneOf(isPostgres, 'paymentLinkId', arg('linkIdsJson'))),
);

export const insertLinkInvoice = insertInto('linkInvoices');

export const updateLinkInvoice = updateBy('linkInvoices', {
  set: ['status', 'isAnnounced', 'dueSats'],
  by: ['invoiceId'],
});
