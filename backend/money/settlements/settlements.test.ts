import {
  getSettlement,
  listSettlements,
  listSettlementTransactions,
  type SettlementRecord,
} from '@florin/shared/contracts/api-v1/settlements.ts';
import { listTransactions, type TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aRandomShop } from '../../../test/support/random-shop.ts';
import { aShop } from '../../../test/support/shop.ts';
import { statement } from '../../foundation/database/database.ts';

type Shop = Pick<Awaited<ReturnType<typeof aShop>>, 'client' | 'key' | 'world' | 'business'>;
type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

const moveBusiness = statement<{ id: string; timeZone: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('businesses')
    .set({ timeZone: arg('timeZone') })
    .where('id', '=', arg('id')),
);

async function allPages<Item>(read: (cursor: { cursor?: string }) => Promise<{ status: number; body: unknown }>) {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await read(cursor === null ? {} : { cursor });
    if (page.status !== 200) throw new Error(JSON.stringify(page.body));
    const { items: more, nextCursor } = page.body as Page<Item>;
    items.push(...more);
    cursor = nextCursor;
  } while (cursor !== null);
  return items;
}

function reading({ client, key }: Shop) {
  return {
    settlements: (query: z.input<(typeof listSettlements)['query']> = {}) =>
      allPages<SettlementRecord>(at => client.call(listSettlements, { query: { limit: 2, ...query, ...at } }, { key })),
    linesOf: (id: string) =>
      allPages<TransactionRecord>(at =>
        client.call(listSettlementTransactions, { params: { id }, query: { limit: 5, ...at } }, { key }),
      ),
    transactions: () =>
      allPages<TransactionRecord>(at => client.call(listTransactions, { query: { limit: 100, ...at } }, { key })),
  };
}

async function aShopIn(timeZone: string, database: DatabaseKind) {
  const shop = await aShop(database);
  await shop.world.backend.database.write(tx => tx.run(moveBusiness, { id: shop.business.id, timeZone }));
  return { ...shop, ...reading(shop) };
}

const sum = (lines: readonly { readonly amountInCents: number }[]) =>
  lines.reduce((total, { amountInCents }) => total + amountInCents, 0);

eachDatabase('settlements', database => {
  test('are grouped by the business’s local day, across clock changes', async () => {
    // 21 November 2026, 09:30 UTC is 22:30 in Auckland, which is 13 hours ahead of UTC until 4 April, then 12.
    const shop = await aShopIn('Pacific/Auckland', database);
    const { aLink, pay, refund, sandbox, settlements, world, client, key } = shop;
    const settle = async () => {
      sandbox.control.settle();
      world.clock.advance({ minutes: 6 });
      await world.backend.services.payments.settlement.poll();
      // The job, triggered by the same clock step, may already be polling the gateway.
      const statuses = async () => (await settlements()).map(({ status }) => status);
      await expect.poll(statuses, { timeout: 30_000, interval: 20 }).not.toContain('awaiting');
    };
    const link = await aLink(1_000);
    await pay(link.id);
    await settle();
    world.clock.advance({ hours: 2 });
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    const voided = await aLink(700);
    await pay(voided.id);
    await refund(voided.id, { kind: 'CANCEL' });
    await pay((await aLink(500)).id);
    const account = { name: 'Card gateway account' };
    const all = await settlements();
    expect(all).toMatchObject([
      { status: 'awaiting', day: null, grossInCents: 500, netInCents: 500, paymentCount: 1, from: null },
      {
        status: 'current',
        day: '2026-11-22',
        gatewayAccount: account,
        currency: 'GBP',
        grossInCents: 700,
        voidedInCents: 700,
        rejectedInCents: 0,
        refundedInCents: 300,
        netInCents: -300,
        paymentCount: 1,
        voidCount: 1,
        refundCount: 1,
        from: '2026-11-21T11:00:00.000Z',
        to: '2026-11-22T11:00:00.000Z',
      },
      { status: 'closed', day: '2026-11-21', grossInCents: 1_000, netInCents: 1_000, refundCount: 0 },
    ]);
    expect(await settlements({ to: '2026-11-21' })).toEqual(all.slice(2));
    expect(await settlements({ from: '0001-01-01', to: '9999-12-31' })).toEqual(all.slice(1));
    expect(await settlements({ from: '2026-11-22' })).toEqual(all.slice(0, 2));
    expect(await settlements({ currency: 'EUR' })).toEqual([]);
    for (const settlement of all)
      expect(await client.call(getSettlement, { params: { id: settlement.id } }, { key })).toMatchObject({
        status: 200,
        body: settlement,
      });
    // After the clock change: 23:30 UTC on 4 April is 11:30 on the 5th; with the earlier offset it would be 12:30.
    world.clock.advance({ hours: 24 * 135 });
    await settle();
    const [latest] = await settlements();
    const days = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' });
    expect(latest).toMatchObject({ day: days.format(world.clock.now()), netInCents: 500 });
    expect(Date.parse(latest?.to ?? '') - Date.parse(latest?.from ?? '')).toBeGreaterThanOrEqual(23 * 3_600_000);
  });

  test.each([
    ['set_20261121GBP019a8f3e6b7c7d2e8a1b2c3d4e5f6071'],
    ['set_20269999GBP019a8f3e6b7c7d2e8a1b2c3d4e5f6071'],
    ['set_00000000GBP019a8f3e6b7c7d2e8a1b2c3d4e5f6071'],
    ['set_something'],
  ])('there is no %s', async id => {
    const { client, key } = await aShop(database);
    expect((await client.call(getSettlement, { params: { id } }, { key })).status).toBe(404);
    expect((await client.call(listSettlementTransactions, { params: { id }, query: {} }, { key })).status).toBe(404);
  });

  test.each([
    [4, 'Europe/London'],
    [5, 'Asia/Kathmandu'],
    [6, 'America/St_Johns'],
  ])(
    'shop %i in %s: each transaction is in one settlement, and they add up',
    async (seed, timeZone) => {
      const shop = await aRandomShop(database, seed);
      await shop.world.backend.database.write(tx => tx.run(moveBusiness, { id: shop.business.id, timeZone }));
      await shop.trade(20);
      await shop.rest();
      shop.world.clock.advance({ hours: 24 });
      await shop.trade(20);
      const { settlements, linesOf, transactions } = reading(shop);
      const localDay = (at: string) =>
        new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.parse(at));
      for (const isAtRest of [false, true]) {
        if (isAtRest) await shop.rest();
        const payments = new Map((await shop.payments()).map(payment => [payment.id, payment]));
        const all = await settlements();
        expect(all.length).toBeGreaterThan(isAtRest ? 1 : 0);
        const counted: TransactionRecord[] = [];
        for (const settlement of all) {
          const lines = await linesOf(settlement.id);
          counted.push(...lines);
          expect(sum(lines)).toBe(settlement.netInCents);
          const { grossInCents, voidedInCents, rejectedInCents, refundedInCents, netInCents } = settlement;
          expect(grossInCents - voidedInCents - rejectedInCents - refundedInCents).toBe(netInCents);
          const { paymentCount, voidCount, rejectedCount, refundCount } = settlement;
          expect(paymentCount + voidCount + rejectedCount + refundCount).toBe(lines.length);
          expect(sum(lines.filter(({ type }) => type === 'payment'))).toBe(grossInCents);
          expect(0 - sum(lines.filter(({ type }) => type === 'settlement_rejected'))).toBe(rejectedInCents);
          for (const { type, at, paymentId } of lines) {
            const { settledAt, status } = payments.get(paymentId) ?? {};
            if (type !== 'payment') expect(localDay(at)).toBe(settlement.day);
            else if (status === 'unsettled') expect(settlement.day).toBeNull();
            else if (settledAt) expect(localDay(settledAt)).toBe(settlement.day);
          }
        }
        const byId = (a: TransactionRecord, b: TransactionRecord) => (a.id < b.id ? -1 : 1);
        expect(counted.toSorted(byId)).toEqual((await transactions()).toSorted(byId));
      }
    },
    120_000,
  );
});
