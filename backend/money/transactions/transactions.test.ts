import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { getRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { listTransactions, type TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { cursorText } from '@florin/shared/contracts/lists.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aRandomShop } from '../../../test/support/random-shop.ts';
import { aShop, refundApproval } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import type { PaymentRow } from '../payments/rows.ts';

type Query = z.input<(typeof listTransactions)['query']>;
type Shop = Awaited<ReturnType<typeof aShop>>;

/** Every line of the list, page by page. */
async function walk({ client, key }: Pick<Shop, 'client' | 'key'>, query: Query = {}): Promise<TransactionRecord[]> {
  const lines: TransactionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(
      listTransactions,
      { query: { limit: 7, ...query, ...(cursor === undefined ? {} : { cursor }) } },
      { key },
    );
    if (page.status !== 200) throw new Error(JSON.stringify(page.body));
    lines.push(...page.body.items);
    cursor = page.body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return lines;
}

const paymentRows = statement<{ businessId: string }, PaymentRow>(({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('businessId', '=', arg('businessId')),
);

const total = (lines: readonly { readonly amountInCents: number }[]) =>
  lines.reduce((sum, { amountInCents }) => sum + amountInCents, 0);

async function aShopWithTill(database: DatabaseKind) {
  const shop = await aShop(database);
  const manager = await shop.business.key('devices:write', 'team:write', 'team:read');
  const till = await aTill(shop.world, manager);
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
  return { ...shop, till, staff, keys };
}

eachDatabase('transactions', database => {
  test('each movement is one line with its terminal and staff member', async () => {
    const shop = await aShopWithTill(database);
    const { world, client, till, staff, keys, sandbox, aLink, pay, refund } = shop;
    const later = () => world.clock.advance({ seconds: 1 });
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    later();
    const sold = await till.sell(900);
    later();
    await till.request({ paymentId: sold.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    later();
    const { saleId } = await till.sell(800);
    later();
    await client.call(reverseSale, { params: { saleId }, body: { reason: 'card_refused' } }, { key: till.token });
    later();
    sandbox.control.settle();
    const half = new Date(world.clock.now()).toISOString();
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    later();
    await refund(link.id, { kind: 'REFUND', amountInCents: 50 });
    const terminal = { id: till.terminalId, name: 'Till 1' };
    const person = { id: staff.id, name: 'Ada', staffNumber: '104' };
    expect((await walk(shop)).toReversed()).toMatchObject([
      {
        type: 'payment',
        amountInCents: 1_000,
        paymentId: paid.id,
        paymentLinkId: link.id,
        terminal: null,
        staff: null,
        by: null,
      },
      { type: 'payment', amountInCents: 900, terminal, staff: null },
      {
        type: 'void',
        amountInCents: -900,
        paymentId: sold.paymentId,
        terminal,
        staff: person,
        by: { kind: 'staff', name: 'Ada' },
      },
      { type: 'payment', amountInCents: 800, terminal, currency: 'GBP', method: 'card', cardLastFour: '0821' },
      { type: 'reversal', amountInCents: -800, terminal, staff: null, by: { kind: 'terminal', name: 'Till 1' } },
      {
        type: 'refund',
        amountInCents: -300,
        paymentId: paid.id,
        paymentLinkId: link.id,
        terminal: null,
        staff: null,
        by: { kind: 'api_key', name: expect.any(String) as string },
      },
      { type: 'uncapped_refund', amountInCents: -50, invoiceNumber: paid.invoiceNumber },
    ]);
    const types = async (query: Query) => (await walk(shop, query)).map(({ type }) => type).toReversed();
    expect(await types({ type: 'void' })).toEqual(['void']);
    expect(await types({ type: 'reversal' })).toEqual(['reversal']);
    expect(await types({ staffId: staff.id })).toEqual(['void']);
    expect(await types({ deviceId: till.terminalId })).toEqual(['payment', 'void', 'payment', 'reversal']);
    expect(await types({ paymentLinkId: link.id })).toEqual(['payment', 'refund', 'uncapped_refund']);
    expect(await types({ from: half })).toEqual(['refund', 'uncapped_refund']);
    expect(await types({ to: half, type: 'payment' })).toEqual(['payment', 'payment', 'payment']);
    expect(await types({ currency: 'EUR' })).toEqual([]);
    expect(await types({ method: 'lightning' })).toEqual([]);
  });

  test('a page starts where the last one ended, whatever was added since', async () => {
    const shop = await aShop(database);
    const { client, key, aLink, pay } = shop;
    for (let index = 0; index < 4; index += 1) await pay((await aLink(500)).id);
    const before = await walk(shop);
    const first = await client.call(listTransactions, { query: { limit: 2 } }, { key });
    if (first.status !== 200) throw new Error(JSON.stringify(first.body));
    // In the same millisecond as the others: only the id differs.
    await pay((await aLink(600)).id);
    const rest = await walk(shop, { cursor: first.body.nextCursor ?? '' });
    expect([...first.body.items, ...rest]).toEqual(before);
    const madeUp = cursorText({ list: 'transactions', after: 'NaN-\u0000' });
    expect(await walk(shop, { cursor: madeUp })).toHaveLength(5);
  });

  test('an approval after its refund failed is a correction once it is confirmed manually', async () => {
    const shop = await aShop(database);
    const { client, key, aLostRefund, postCallback, world } = shop;
    const { id, payment: paid } = await aLostRefund(300);
    const evidence = 'The gateway’s own list of today shows it';
    const status = async () => {
      world.clock.advance({ seconds: 30 });
      const read = await client.call(getRefund, { params: { id } }, { key });
      return read.status === 200 ? read.body.status : read.status;
    };
    await expect.poll(status, { timeout: 30_000, interval: 10 }).toBe('failed');
    expect(await postCallback(refundApproval(id, 300))).toMatchObject({ status: 200 });
    expect((await walk(shop)).map(({ type }) => type)).toEqual(['payment']);
    const found = await client.call(listDiscrepancies, { query: {} }, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    const params = { id: found.body.items[0]?.id ?? '' };
    const body = { outcome: 'gateway_right' as const, evidence };
    expect(await client.call(resolveDiscrepancy, { params, body }, { key })).toMatchObject({ status: 200 });
    expect(await walk(shop, { type: 'correction' })).toMatchObject([
      {
        type: 'correction',
        amountInCents: -300,
        paymentId: paid.id,
        refundId: id,
        by: { kind: 'api_key', name: expect.any(String) as string },
      },
    ]);
  });

  test.each([1, 2, 3])(
    'shop %i with random transactions: the lines match our records and the gateway’s',
    async seed => {
      const shop = await aRandomShop(database, seed);
      await shop.trade(40);
      await shop.rest();
      const lines = await walk(shop);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      const rows = await shop.world.backend.database.all(paymentRows, { businessId: shop.business.id });
      const took = rows.filter(({ takenAt }) => takenAt !== null);
      expect(took.length).toBeGreaterThan(5);
      for (const row of rows) {
        const own = lines.filter(({ paymentId }) => paymentId === row.id);
        const isRejected = row.status === 'settlement_rejected';
        const taken = row.takenAt === null ? 0 : (row.approvedMinor ?? row.amountMinor);
        expect(total(own.filter(({ type }) => type === 'payment'))).toBe(taken);
        expect(total(own)).toBe((isRejected ? 0 : taken - row.refundedMinor) - row.creditedMinor);
      }
      const ledger = shop.sandbox.control.ledger();
      expect(total(lines)).toBe(ledger.reduce((sum, sale) => sum + sale.takenMinor - sale.returnedMinor, 0));
      for (const type of new Set(lines.map(line => line.type)))
        expect(await walk(shop, { type })).toEqual(lines.filter(line => line.type === type));
    },
    120_000,
  );
});
