import { globSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '@florin/backend/foundation/database/columns.ts';
import { compilerOnly } from '@florin/backend/foundation/database/compiler.ts';
import { type Statement, statementCompiler } from '@florin/backend/foundation/database/database.ts';
import { PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

const words = ({ raw: [text = ''] }: TemplateStringsArray) => text.trim().split(/\s+/);

/** A value of these belongs to one record, so that an index leads to few rows, however many businesses there are. */
const keys = words`
  id tokenHash keyHash paymentHash enrolmentCodeHash uniqueReference nonce lightningName
  paymentId paymentLinkId purposeId invoiceId saleId claimId checkoutId receiptId deliveryId
  webhookId backendId terminalId staffId portalUserId actorId exportId address machineId
  publicKey`;

/** Statements about all businesses, which no request causes. */
const ofAllBusinesses: Readonly<Record<string, readonly string[]>> = {
  'jobs: what is due, in the order of an index': words`
    claimPaymentsToRecheck claimPendingPayments claimReversals claimUncompletedSales
    claimUnsettledPayments claimRefunds claimUnconfirmedRefunds claimEmails claimExports
    claimWithdrawals claimDueInvoices dueSales webhooksWithDue nodesAwaited businessesForSilences`,
  'jobs: rows that this process has claimed, by their id': words`
    renewPaymentLeases renewReversalLeases renewRefundLeases renewEmails renewExportLeases
    renewWithdrawalLeases renewInvoiceLeases renewAttempts finishDelivered uncountAttempts
    noteFailing`,
  'jobs: what is deleted after its retention, in the order of an index': words`
    deleteExpiredInvitations deleteExpiredRecords deleteExpiredExports deleteExpiredChunks
    deleteFinishedEmails deleteHandledEvents deleteDelivered deleteUndelivered purgeNonces`,
  'the one order of all events': words`eventsAfter firstUnplaced lastPosition placeCommitted`,
  'metrics, over indexes of what is not finished': words`
    disabledWebhooks expiringApiKeys openDiscrepancies pendingPayments pendingRefunds
    pendingReversals pendingWithdrawals terminalCounts undeliveredEvents unplacedEvents
    waitingDeliveries waitingEmails`,
  'the command line': words`allAccounts allBackends consumerPastEvents paymentWithWrongSums receiptsOfTransactions refundWithoutPayment`,
};

const withBusiness = Object.entries<object>(columns).flatMap(([table, of]) => ('businessId' in of ? [table] : []));
const reads = new RegExp(`\\b(from|join|update) "(${withBusiness.join('|')})"`, 'i');
const byKey = new RegExp(`"(${keys.join('|')})" (= \\$\\d|in \\(select jsonb_array_elements)`, 'i');

/** Whether it reads or changes rows of all businesses. */
function isOfAll(text: string): boolean {
  const condition = text.slice(text.search(/\swhere\s/i));
  return (
    reads.test(text) && (!/\swhere\s/i.test(text) || !(condition.includes('"businessId"') || byKey.test(condition)))
  );
}

test('every statement about a business’s rows names the business, or a key of one record, unless it is listed with its reason', async () => {
  const compiler = compilerOnly(new PostgresAdapter(), () => new PostgresQueryCompiler());
  const compile = statementCompiler({ db: compiler, isPostgres: true });
  const files = globSync('backend/**/*store.ts', { cwd: root, exclude: path => path.includes('sandbox') });
  const statements = new Map<string, string>();
  for (const file of files) {
    const exported: Readonly<Record<string, unknown>> = await import(join(root, file));
    for (const [name, made] of Object.entries(exported))
      if (typeof made === 'object' && made !== null && 'build' in made)
        statements.set(`${file}:${name}`, compile(made as Statement<never, unknown>).text);
  }
  expect(statements.size).toBeGreaterThan(400);
  const found = [...statements].flatMap(([name, text]) => (isOfAll(text) ? [name.replace(/^.*:/, '')] : []));
  expect([...new Set(found)].sort()).toEqual(Object.values(ofAllBusinesses).flat().sort());
});

test('a statement over the rows of all businesses is found', () => {
  expect(isOfAll('select * from "payments" where "status" = $1')).toBe(true);
  expect(isOfAll('select * from "payments" order by "id"')).toBe(true);
  expect(isOfAll('update "refunds" set "status" = $1 where "createdAt" < $2')).toBe(true);
  expect(isOfAll('select * from "payments" where "businessId" = $1 and "status" = $2')).toBe(false);
  expect(isOfAll('select * from "payments" where "id" = $1')).toBe(false);
});
