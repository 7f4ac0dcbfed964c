import { sql } from 'kysely';
import { equalsUnindexed, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, updateBy } from '../../foundation/database/statements.ts';
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

export const ucpInvoiceById = selectBy('ucpInvoices', 'id');

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
export const insertUcpInvoice = insertUnlessTaken('ucpInvoices');

export const settleUcpInvoice = updateBy('ucpInvoices', { set: ['settledAt'], by: ['id'] });

export const acceptUcpInvoice = updateBy('ucpInvoices', { set: ['acceptedAt'], by: ['id'] });

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
