import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import type { BitcoinInvoiceRow, BitcoinReceiptRow } from '../../bitcoin/invoices/rows.ts';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, selectForUpdateBy, updateBy } from '../../foundation/database/statements.ts';
import type { TipLinkRow } from './rows.ts';

export const tipLinkById = selectBy('tipLinks', 'id');

export const tipLinkByName = selectBy('tipLinks', 'lightningName');

export const tipLinkForUpdate = selectForUpdateBy('tipLinks', 'id');

export const tipLinkPage = statement<{ businessId: string; before: string; limit: number }, TipLinkRow>(({ db }, arg) =>
  db
    .selectFrom('tipLinks')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit'))),
);

/** Inserts nothing if the name is taken. */
export const insertTipLink = insertUnlessTaken('tipLinks');

export const deleteTipLink = statement<{ businessId: string; id: string; deletedAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('tipLinks')
    .set({ deletedAt: arg('deletedAt') })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('deletedAt', 'is', null),
);

export const setReceived = updateBy('tipLinks', { set: ['receivedSats', 'tipCount'], by: ['id'] });

/** The total received by a link. */
export const receivedAt = statement<{ id: string }, { sats: number | null; count: number }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .innerJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'bitcoinReceipts.invoiceId')
    .select(({ fn }) => [fn.sum<number>('bitcoinReceipts.amountSats').as('sats'), fn.countAll<number>().as('count')])
    .where('bitcoinInvoices.purpose', '=', sql.lit('tip'))
    .where('bitcoinInvoices.purposeId', '=', arg('id'))
    .where('bitcoinReceipts.status', '=', sql.lit('confirmed')),
);

export const openTips = statement<{ id: string }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('purpose', '=', sql.lit('tip'))
    .where('purposeId', '=', arg('id'))
    .where('status', '=', sql.lit('open')),
);

export const tipByHash = statement<
  { id: string; paymentHash: string },
  Pick<BitcoinInvoiceRow, 'id' | 'bolt11'> & Pick<BitcoinReceiptRow, 'preimage'>
>(({ db }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .leftJoin('bitcoinReceipts', 'bitcoinReceipts.invoiceId', 'bitcoinInvoices.id')
    .select(['bitcoinInvoices.id', 'bitcoinInvoices.bolt11', 'bitcoinReceipts.preimage'])
    .where('bitcoinInvoices.purpose', '=', sql.lit('tip'))
    .where('bitcoinInvoices.purposeId', '=', arg('id'))
    .where('bitcoinInvoices.paymentHash', '=', arg('paymentHash')),
);
