import SqliteConnection from 'better-sqlite3';
import { expect, test } from 'vitest';
import { invoiceOfAddress, invoiceOfHash, receiptOfPayment } from '../../bitcoin/invoices/store.ts';
import { paymentOfSale } from '../../channels/terminal-sales/store.ts';
import { openUcpInvoicesWithoutKey, ucpInvoiceByHash } from '../../channels/ucp/store.ts';
import { takeSequences } from '../../messaging/webhooks/store.ts';
import { paymentBySale, paymentsOfLinks, saleForUpdate, salesOfBusiness } from '../../money/payments/store.ts';
import { refundsOfPayment } from '../../money/refunds/store.ts';
import { refundWithoutEntry } from '../../people/audit/store.ts';
import { refundedBetween, staffById } from '../../people/staff/store.ts';
import type { Statement } from './database.ts';
import { openSqlite, sqliteImage } from './sqlite.ts';

/** How SQLite finds the rows of a table that a statement asks for: what it reads must not grow with the history of a business. */
async function planOf<Args>(table: string, statement: Statement<Args, unknown>, args: Args): Promise<string[]> {
  const connection = new SqliteConnection(await sqliteImage());
  const prepare = connection.prepare.bind(connection);
  const texts: string[] = [];
  // The text as it is run: with its arguments in it another plan may be chosen.
  connection.prepare = ((text: string) => {
    texts.push(text);
    return prepare(text);
  }) as typeof connection.prepare;
  const database = await openSqlite({ file: ':memory:', connection });
  texts.length = 0;
  await database.first(statement, args);
  const [text = ''] = texts;
  const steps = prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(
    ...Array.from(text.matchAll(/\?/g), () => null),
  );
  await database.close();
  return steps.map(({ detail }) => detail).filter(detail => detail.includes(` ${table} `));
}

const sale = { businessId: 'biz_1', terminalId: 'dev_1', saleId: 'sale_1' };
const businessId = 'biz_1';
const page = { before: 'z', limit: 25 };

test('the payment of a sale is found without reading the other payments of the business', async () => {
  const byItsSale = ['SEARCH payments USING INDEX payments_sale (terminalId=? AND saleId=?)'];
  expect(await planOf('payments', paymentBySale, sale)).toEqual(byItsSale);
  expect(await planOf('payments', saleForUpdate, sale)).toEqual(byItsSale);
  expect(await planOf('payments', paymentOfSale, sale)).toEqual(byItsSale);
});

test('the sales of a business are listed without reading its payments over links', async () => {
  expect(await planOf('payments', salesOfBusiness, { businessId, ...page })).toEqual([
    'SEARCH payments USING INDEX payments_sales (businessId=? AND id<?)',
  ]);
});

test('links are listed without reading the payments of others', async () => {
  expect(await planOf('payments', paymentsOfLinks, { businessId, linkIdsJson: '["pl_1"]' })).toEqual([
    'SEARCH payments USING INDEX payments_link (paymentLinkId=?)',
  ]);
});

test('the refunds of a payment are listed without reading those of others', async () => {
  const [step] = await planOf('refunds', refundsOfPayment, { businessId, paymentId: 'pay_1', status: null, ...page });
  expect(step).toBe('SEARCH refunds USING INDEX refunds_payment (paymentId=?)');
});

test('the refunds of a staff member today are added up from an index only', async () => {
  const day = { from: 0, to: 1 };
  const fromItsIndex = 'USING COVERING INDEX refunds_staff_day (actorId=? AND createdAt>? AND createdAt<?)';
  const plan = [`SEARCH refunds ${fromItsIndex}`, expect.stringContaining('refunds_staff_not_returned')];
  expect(await planOf('refunds', refundedBetween, { staffId: 'staff_1', ...day })).toEqual(plan);
  expect(await planOf('refunds', staffById, { businessId, id: 'staff_1', ...day })).toEqual(plan);
});

test('verifying the audit log reads its entries once instead of for each refund', async () => {
  expect(await planOf('auditEntries', refundWithoutEntry, { businessId })).toEqual([
    'SEARCH auditEntries USING PRIMARY KEY (businessId=?)',
  ]);
});

test('the webhooks of an event are searched among those of the business, not those of checkouts', async () => {
  expect(await planOf('webhooks', takeSequences, { businessId, eventType: 'payment.completed' })).toEqual([
    'SEARCH webhooks USING INDEX webhooks_business (businessId=?)',
  ]);
  const image = new SqliteConnection(await sqliteImage());
  const index = image.prepare<[], { sql: string }>(`SELECT sql FROM sqlite_master WHERE name = 'webhooks_business'`);
  expect(index.get()?.sql).toMatch(/where "checkoutId" IS NULL/i);
});

test('the receipt of a bitcoin payment and the request of an invoice are found by an index', async () => {
  expect(await planOf('bitcoinReceipts', receiptOfPayment, { businessId, paymentId: 'pay_1' })).toEqual([
    'SEARCH bitcoinReceipts USING INDEX bitcoinReceipts_taken (paymentId=?)',
  ]);
  const byItsInvoice = ['SEARCH ucpInvoices USING INDEX ucpInvoices_invoice (invoiceId=?)'];
  expect(await planOf('ucpInvoices', openUcpInvoicesWithoutKey, { businessId })).toEqual(byItsInvoice);
  expect(await planOf('ucpInvoices', ucpInvoiceByHash, { businessId, paymentHash: '00' })).toEqual(byItsInvoice);
});

test('the invoice of an address or payment hash is found by an index, whatever node created it', async () => {
  expect(await planOf('bitcoinInvoices', invoiceOfAddress, { address: 'bcrt1' })).toEqual([
    'SEARCH bitcoinInvoices USING INDEX bitcoinInvoices_address (address=?)',
  ]);
  expect(await planOf('bitcoinInvoices', invoiceOfHash, { paymentHash: '00' })).toEqual([
    'SEARCH bitcoinInvoices USING INDEX bitcoinInvoices_hash (paymentHash=?)',
  ]);
});
