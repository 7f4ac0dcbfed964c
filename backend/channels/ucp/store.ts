import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { allColumnsOf, equalsUnindexed, statement } from '../../foundation/database/database.ts';
import type { UcpInvoiceRow } from './rows.ts';

type Checkout = Pick<UcpInvoiceRow, 'businessId' | 'checkoutId'>;

/** The invoice with which a checkout is to be paid. */
export const lastUcpInvoice = statement<Checkout, UcpInvoiceRow>(({ db }, arg) =>
  db
    .selectFrom('ucpInvoices')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', '=', arg('checkoutId'))
    .orderBy('number', 'desc')
    .limit(1),
);

/** All invoices of a checkout, oldest first; locked until the transaction ends. */
export const ucpInvoicesForUpdate = statement<Checkout, UcpInvoiceRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('ucpInvoices')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', '=', arg('checkoutId'))
    .orderBy('number')
    .$if(isPostgres, query => query.forUpdate()),
);

export const ucpInvoiceById = statement<{ id: string }, UcpInvoiceRow>(({ db }, arg) =>
  db.selectFrom('ucpInvoices').selectAll().where('id', '=', arg('id')),
);

/** Finds only UCP invoices of this business. */
export const ucpInvoiceByHash = statement<{ businessId: string; paymentHash: string }, UcpInvoiceRow>(({ db }, arg) =>
  db
    .selectFrom('ucpInvoices')
    .innerJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'ucpInvoices.invoiceId')
    .selectAll('ucpInvoices')
    .where('bitcoinInvoices.paymentHash', '=', arg('paymentHash'))
    .where('bitcoinInvoices.backendId', 'in', nodes =>
      nodes.selectFrom('bitcoinBackends').select('bitcoinBackends.id').where('businessId', '=', arg('businessId')),
    )
    .where(equalsUnindexed('ucpInvoices.businessId', arg('businessId'))),
);

/** Inserts nothing if another process has just created one of the same number. */
export const insertUcpInvoice = statement<UcpInvoiceRow, unknown>(({ db }, arg) =>
  db
    .insertInto('ucpInvoices')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'checkoutId',
        'number',
        'invoiceId',
        'currency',
        'amountMinor',
        'amountSats',
        'isByKey',
        'expiresAt',
        'createdAt',
        'settledAt',
        'acceptedAt',
      ]),
    )
    .onConflict(conflict => conflict.doNothing()),
);

export const settleUcpInvoice = statement<{ id: string; settledAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('ucpInvoices')
    .set({ settledAt: arg('settledAt') })
    .where('id', '=', arg('id')),
);

export const acceptUcpInvoice = statement<{ id: string; acceptedAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('ucpInvoices')
    .set({ acceptedAt: arg('acceptedAt') })
    .where('id', '=', arg('id')),
);

/** The number of a business's unpaid invoices created without a key. */
export const openUcpInvoicesWithoutKey = statement<{ businessId: string }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .innerJoin('ucpInvoices', 'ucpInvoices.invoiceId', 'bitcoinInvoices.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('bitcoinInvoices.businessId', '=', arg('businessId'))
    .where('bitcoinInvoices.purpose', '=', sql.lit('ucp'))
    .where('bitcoinInvoices.status', '=', sql.lit('open'))
    .where('ucpInvoices.isByKey', '=', sql.lit(0)),
);
