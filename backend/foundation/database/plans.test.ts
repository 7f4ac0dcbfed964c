import SqliteConnection from 'better-sqlite3';
import { expect, test } from 'vitest';
import { invoiceOfAddress, invoiceOfHash, receiptOfPayment } from '../../bitcoin/invoices/store.ts';
import { paymentOfSale } from '../../channels/terminal-sales/store.ts';
import { openUcpInvoicesWithoutKey, ucpInvoiceByHash } from '../../channels/ucp/store.ts';
import {
  delayedEmails,
  failedEmails,
  openDiscrepancies,
  unknownPayments,
  unknownRefunds,
  unknownWithdrawals,
} from '../../messaging/problems/store.ts';
import { takeSequences } from '../../messaging/webhooks/store.ts';
import { movedBetween, openBefore } from '../../money/overview/day-totals-store.ts';
import { dayTotals } from '../../money/overview/store.ts';
import { noFilter } from '../../money/payments/search.ts';
import {
  firstSince,
  lastBefore,
  lastRead,
  pageOfSource,
  type Source,
  tooManyReferences,
} from '../../money/payments/search-store.ts';
import {
  paymentBySale,
  paymentsOfLink,
  paymentsOfLinks,
  saleForUpdate,
  salesOfBusiness,
} from '../../money/payments/store.ts';
import { emailsOfReceipt, receiptByToken, returnedByLoss, returnedByRefund } from '../../money/receipts/store.ts';
import { refundsOfPayment } from '../../money/refunds/store.ts';
import { apiRequestById, apiRequestPage, lastLookedThrough } from '../../people/api-requests/store.ts';
import { firstRecordedSince, refundWithoutEntry, searches } from '../../people/audit/store.ts';
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

test('calls with API keys are listed without reading newer ones, and refused ones without reading the others', async () => {
  const args = { businessId, outcome: null, apiKeyId: null, method: null, path: null, ...page };
  const byId = ['SEARCH apiRequests USING PRIMARY KEY (businessId=? AND id<?)'];
  const byOutcome = ['SEARCH apiRequests USING INDEX apiRequests_unsuccessful (businessId=? AND outcome=? AND id<?)'];
  for (const statements of [apiRequestPage, lastLookedThrough]) {
    expect(await planOf('apiRequests', statements.all, args)).toEqual(byId);
    expect(await planOf('apiRequests', statements.unsuccessful, args)).toEqual(byOutcome);
  }
  expect(await planOf('apiRequests', apiRequestById, { businessId, id: 'req_1' })).toEqual([
    'SEARCH apiRequests USING PRIMARY KEY (businessId=? AND id=?)',
  ]);
});

test('the payments of a link are found without reading the others of the business', async () => {
  expect(await planOf('payments', paymentsOfLink, { businessId, paymentLinkId: 'pl_1' })).toEqual([
    'SEARCH payments USING INDEX payments_link (paymentLinkId=?)',
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

test('the overview reads the totals of its days, not payments', async () => {
  expect(await planOf('t', dayTotals, { businessId, periodsJson: '[]' })).toEqual([
    'SEARCH t USING PRIMARY KEY (businessId=? AND quarterHour>? AND quarterHour<?)',
  ]);
});

test('the totals of a day read what moved that day and what is undecided, not the history of a business', async () => {
  const day = { businessId, terminalId: 'dev_1', from: 0, to: 1 };
  expect(await planOf('p', movedBetween, day)).toEqual([
    'SEARCH p USING INDEX payments_taken (businessId=? AND takenAt>? AND takenAt<?)',
    'SEARCH p USING INDEX payments_voidedOrRejected (businessId=? AND voidedOrRejectedAt>? AND voidedOrRejectedAt<?)',
    // Of a refund and of a correction; then of what was returned of a payment before.
    'SEARCH p USING INDEX payments_business (businessId=? AND id=?)',
    'SEARCH p USING INDEX payments_business (businessId=? AND id=?)',
    'SEARCH p USING INDEX sqlite_autoindex_payments_1 (id=?)',
    'SEARCH p USING COVERING INDEX payments_business (businessId=? AND id=?)',
    'SEARCH p USING INDEX sqlite_autoindex_payments_1 (id=?)',
  ]);
  const byPayment = expect.stringContaining('refunds_payment (paymentId=?)');
  expect(await planOf('r', movedBetween, day)).toEqual([
    byPayment,
    'SEARCH r USING INDEX refunds_outcome (businessId=? AND outcomeAt>? AND outcomeAt<?)',
    // What of its payment was returned before.
    byPayment,
    'SEARCH r USING INDEX sqlite_autoindex_refunds_1 (id=?)',
  ]);
  expect(await planOf('x', movedBetween, day)).toEqual([byPayment]);
  const ofBusiness = 'SEARCH d USING INDEX discrepancies_business (businessId=?)';
  expect(await planOf('d', movedBetween, day)).toEqual([ofBusiness, ofBusiness]);
  expect(await planOf('p', openBefore, day)).toEqual([
    'SEARCH p USING INDEX payments_pending (nextPollAt>?)',
    'SEARCH p USING INDEX sqlite_autoindex_payments_1 (id=?)',
  ]);
  expect(await planOf('r', openBefore, day)).toEqual(['SEARCH r USING INDEX refunds_pending (nextPollAt>?)']);
  expect(await planOf('d', openBefore, day)).toEqual(['SEARCH d USING INDEX discrepancies_open (paymentId>?)']);
});

test('the audit log is searched through the index of the filter that leads', async () => {
  const search = { businessId, actorId: null, subjectId: null, kind: null, least: 0, before: 1, limit: 25 };
  const inOrder = 'AND sequence>? AND sequence<?)';
  expect(await planOf('e', searches.none, search)).toContain(`SEARCH e USING PRIMARY KEY (businessId=? ${inOrder}`);
  expect(await planOf('e', searches.actor, search)).toContain(
    `SEARCH e USING INDEX auditEntries_actor (actorId=? ${inOrder}`,
  );
  expect(await planOf('k', searches.kind, search)).toContain(
    `SEARCH k USING COVERING INDEX auditEntries_kind (businessId=? AND kind=? ${inOrder}`,
  );
  expect(await planOf('s', searches.subject, search)).toContain(
    `SEARCH s USING PRIMARY KEY (businessId=? AND subjectId=? ${inOrder}`,
  );
  expect(await planOf('auditEntries', firstRecordedSince, { businessId, since: 0 })).toEqual([
    'SEARCH auditEntries USING COVERING INDEX auditEntries_recorded (businessId=? AND recordedAt>?)',
  ]);
});

test('problems are found among what is undecided, without reading the history of a business', async () => {
  expect(await planOf('payments', unknownPayments, { businessId })).toEqual([
    'SEARCH payments USING INDEX payments_pending (nextPollAt>?)',
  ]);
  expect(await planOf('refunds', unknownRefunds, { businessId })).toEqual([
    'SEARCH refunds USING INDEX refunds_pending (nextPollAt>?)',
  ]);
  expect(await planOf('withdrawals', unknownWithdrawals, { businessId })).toEqual([
    'SEARCH withdrawals USING INDEX withdrawals_open (nextPollAt>?)',
  ]);
  expect(await planOf('discrepancies', openDiscrepancies, { businessId })).toEqual([
    'SEARCH discrepancies USING INDEX discrepancies_open (paymentId>?)',
  ]);
  expect(await planOf('emails', failedEmails, { businessId, since: 0 })).toEqual([
    'SEARCH emails USING INDEX emails_failed (businessId=? AND finishedAt>?)',
  ]);
  expect(await planOf('emails', delayedEmails, { businessId, attempts: 3 })).toEqual([
    'SEARCH emails USING INDEX emails_due (nextAttemptAt>?)',
  ]);
});

/** How each source of payments is read. */
const sourcePlans: Readonly<Record<Exclude<Source, 'staff'>, string>> = {
  business: 'payments_business (businessId=? AND id>? AND id<?)',
  link: 'payments_link (paymentLinkId=?)',
  terminal: 'payments_terminal (terminalId=? AND id>? AND id<?)',
  bitcoin: 'payments_bitcoin (businessId=? AND method=? AND id>? AND id<?)',
  ended: 'payments_ended (businessId=? AND status=? AND id>? AND id<?)',
  pending: 'payments_pending',
  id: 'sqlite_autoindex_payments_1 (id=?)',
  amount: 'payments_amount (businessId=? AND amountMinor=? AND id>? AND id<?)',
  partApproved: 'payments_partApproved (businessId=? AND approvedMinor=? AND id>? AND id<?)',
  lastFour: 'payments_lastFour (businessId=? AND cardLastFour=? AND id>? AND id<?)',
  invoice: 'payments_invoice (businessId=? AND invoiceNumber=?)',
  gatewayReference: 'payments_gatewayReference (businessId=? AND gatewayReference=?)',
  sale: 'payments_sale (terminalId=? AND saleId=?)',
  ownReference: 'payments_referenceKey (businessId=? AND <expr>>? AND <expr><?)',
  saleReference: 'sqlite_autoindex_payments_1 (id=?)',
  linkReference: 'payments_link (paymentLinkId=?)',
  time: 'sqlite_autoindex_payments_1 (id=?)',
  receipt: 'sqlite_autoindex_payments_1 (id=?)',
};

const anySearch = {
  ...noFilter,
  businessId,
  amountMinor: 0,
  text: '[]',
  textEnd: '[]',
  ofReferences: null,
  before: 'z',
  downTo: '',
  limit: 25,
};

test.each(Object.entries(sourcePlans) as [keyof typeof sourcePlans, string][])(
  'payments that are found by their %s are read from its index, in the order of the page',
  async (source, plan) => {
    for (const statement of [pageOfSource[source], lastRead[source]] as const) {
      // The rows of the page are then read by their ids.
      const steps = await planOf('payments', statement as typeof pageOfSource.business, anySearch);
      const ofSource = steps.at(-1) ?? '';
      expect([source, ofSource]).toEqual([source, expect.stringMatching(/^(SEARCH|SCAN) payments USING /)]);
      expect(ofSource).toContain(`INDEX ${plan}`);
    }
  },
);

test('the payments of a time of day and of a receipt are found by indexes, too', async () => {
  expect(await planOf('t', pageOfSource.time, anySearch)).toEqual([
    expect.stringContaining('INDEX payments_created (businessId=? AND createdAt>? AND createdAt<?)'),
  ]);
  expect(await planOf('c', pageOfSource.receipt, anySearch)).toEqual(['SEARCH c USING PRIMARY KEY (tokenHash=?)']);
  expect((await planOf('r', pageOfSource.receipt, anySearch))[0]).toContain('(id=?)');
});

test('references are found by what they begin with, by the indexes of their keys', async () => {
  const range = '(businessId=? AND <expr>>? AND <expr><?)';
  expect(await planOf('s', pageOfSource.saleReference, anySearch)).toContainEqual(
    expect.stringContaining(`INDEX terminalSales_referenceKey ${range}`),
  );
  expect(await planOf('l', pageOfSource.linkReference, anySearch)).toContainEqual(
    expect.stringContaining(`INDEX paymentLinks_referenceKey ${range}`),
  );
  expect(await planOf('t', tooManyReferences, { businessId, text: '', textEnd: '' })).toEqual(
    ['payments', 'terminalSales', 'paymentLinks'].map(table =>
      expect.stringContaining(`INDEX ${table}_referenceKey ${range}`),
    ),
  );
});

test('the payments that a member of staff returned are found from their refunds and voids, by the indexes of both', async () => {
  const byStaff = [
    /^SEARCH refunds USING INDEX refunds_staff_day /,
    /^SEARCH refunds USING INDEX refunds_staff_voids /,
  ];
  const asked = { ...anySearch, staffId: 'staff_1' };
  for (const statement of [pageOfSource.staff, lastRead.staff] as const)
    expect(await planOf('refunds', statement as typeof pageOfSource.staff, asked)).toEqual(
      byStaff.map(step => expect.stringMatching(step)),
    );
  const steps = await planOf('payments', pageOfSource.staff, asked);
  expect(steps).toEqual(steps.map(() => 'SEARCH payments USING INDEX sqlite_autoindex_payments_1 (id=?)'));
});

test('the payments of a period are found by an index of their times', async () => {
  for (const bound of [firstSince, lastBefore])
    expect(await planOf('payments', bound, { businessId, at: 0 })).toEqual([
      expect.stringMatching(
        /^SEARCH payments USING (COVERING )?INDEX payments_created \(businessId=\? AND createdAt[<>]\?\)$/,
      ),
    ]);
});

test('a receipt is found by its address, with what was returned of its payment, without reading others', async () => {
  expect(await planOf('receipts', receiptByToken, { tokenHash: 'a' })).toEqual([
    'SEARCH receipts USING PRIMARY KEY (tokenHash=?)',
  ]);
  expect(await planOf('p', returnedByLoss, { paymentId: 'pay_1' })).toEqual([expect.stringContaining('(id=?)')]);
  expect(await planOf('r', returnedByRefund, { paymentId: 'pay_1' })).toEqual([expect.stringContaining('(id=?)')]);
  expect(await planOf('o', returnedByRefund, { paymentId: 'pay_1' })).toEqual([
    expect.stringContaining('(paymentId=?'),
  ]);
  expect(await planOf('receiptEmails', emailsOfReceipt, { receiptId: 'rcp_1' })).toEqual([
    'SEARCH receiptEmails USING INDEX receiptEmails_receipt (receiptId=?)',
  ]);
});
