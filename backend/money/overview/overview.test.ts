import { operator } from '@florin/shared/actor.ts';
import { getOverview, type OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { createTipLink } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { listTransactions, type TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { expect, test } from 'vitest';
import { aBackend, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { aRandomShop } from '../../../test/support/random-shop.ts';
import { aShop } from '../../../test/support/shop.ts';
import { sumsOf } from '../../../test/support/transaction-sums.ts';
import { railOf } from './consumer.ts';

type Shop = { readonly world: BackendWorld; readonly client: BackendWorld['client']; readonly key: string };

function reading({ world, client, key }: Shop) {
  async function overview(days = 92): Promise<OverviewRecord> {
    const read = await client.call(getOverview, { query: { days } }, { key });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  }
  async function transactions(): Promise<TransactionRecord[]> {
    const items: TransactionRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 100, ...(cursor ? { cursor } : {}) };
      const page = await client.call(listTransactions, { query }, { key });
      if (page.status !== 200) throw new Error(JSON.stringify(page.body));
      items.push(...page.body.items);
      cursor = page.body.nextCursor;
    }
    return items;
  }
  return { overview, transactions, clock: world.clock };
}

const keyOf = ({ on, rail, currency }: Readonly<Record<string, unknown>>) => [on, rail, currency].join(' ');

/** The same figures, from the lines of the transactions list. */
function fromLines(lines: readonly TransactionRecord[], timeZone: string) {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const groups = Map.groupBy(lines, line =>
    [day.format(Date.parse(line.at)), railOf[line.method], line.currency].join(' '),
  );
  const rows = [...groups].map(([name, all]) => {
    const [on, rail, currency] = name.split(' ');
    return { on, rail, currency, ...sumsOf(all) };
  });
  return rows.toSorted((a, b) => keyOf(b).localeCompare(keyOf(a)));
}

/** The figures of the overview that lines have, too. */
function rowsOf({ days }: OverviewRecord) {
  const withoutTips = new Set(['tipInCents', 'tipCount']);
  const rows = days.flatMap(({ day, rails }) =>
    rails.map(sums => ({
      on: day,
      ...Object.fromEntries(Object.entries(sums).filter(([name]) => !withoutTips.has(name))),
    })),
  );
  return rows.toSorted((a, b) => keyOf(b).localeCompare(keyOf(a)));
}

/** Resolves once all movements are counted, which happens a little later than they do. */
async function counted({ overview, clock }: ReturnType<typeof reading>): Promise<void> {
  const isComplete = async () => {
    clock.advance({ ms: 20 });
    return (await overview(1)).isComplete;
  };
  await expect.poll(isComplete, { timeout: 30_000, interval: 20 }).toBe(true);
}

eachDatabase('the overview', database => {
  test('counts today on the business’s day, and what is returned on the day of its return', async () => {
    const shop = await aShop(database);
    const { world, aLink, pay, refund, sandbox } = shop;
    const read = reading(shop);
    expect(await read.overview(3)).toMatchObject({
      timeZone: 'Europe/London',
      currency: 'GBP',
      isComplete: true,
      today: { day: '2026-11-21', rails: [], totals: [] },
      sameDayLastWeek: { day: '2026-11-14', rails: [] },
      days: [{ day: '2026-11-21' }, { day: '2026-11-20' }, { day: '2026-11-19' }],
    });
    const link = await aLink(1_000);
    await pay(link.id);
    const voided = await aLink(700);
    await pay(voided.id);
    await refund(voided.id, { kind: 'CANCEL' });
    sandbox.control.settle();
    await counted(read);
    const first = {
      rail: 'card',
      currency: 'GBP',
      takenInCents: 1_700,
      voidedInCents: 700,
      rejectedInCents: 0,
      refundedInCents: 0,
      netInCents: 1_000,
      paymentCount: 2,
      voidCount: 1,
      rejectedCount: 0,
      refundCount: 0,
      tipInCents: 0,
      tipCount: 0,
    };
    const { rail: _, ...totals } = first;
    expect((await read.overview()).today).toEqual({ day: '2026-11-21', rails: [first], totals: [totals] });
    world.clock.advance({ hours: 24 * 7 });
    expect((await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 })).status).toBe(201);
    await counted(read);
    const later = await read.overview(1);
    expect(later.days).toHaveLength(1);
    expect(later.today).toMatchObject({
      day: '2026-11-28',
      rails: [{ takenInCents: 0, refundedInCents: 400, netInCents: -400, refundCount: 1 }],
    });
    expect(later.sameDayLastWeek).toEqual({ day: '2026-11-21', rails: [first], totals: [totals] });
  });

  test('of another business shows nothing of this one', async () => {
    const shop = await aShop(database);
    await shop.pay((await shop.aLink(1_000)).id);
    const key = await (await shop.world.aBusiness()).key('sales:read');
    await counted(reading(shop));
    expect((await reading({ ...shop, key }).overview()).days.flatMap(({ rails }) => rails)).toEqual([]);
  });

  test('counts bitcoin on its rail, and tips within it', async () => {
    const shop = await aCheckoutShop(database);
    const read = reading(shop);
    const { id } = await shop.aCheckout();
    const { paymentHash } = await shop.open(id, 'lightning');
    shop.wallet.invoices.pay(paymentHash, {});
    await shop.becomes(id, 'COMPLETE');
    await counted(read);
    const sale = { rail: 'lightning', takenInCents: 1_000, paymentCount: 1, tipInCents: 0, tipCount: 0 };
    expect((await read.overview()).today.rails).toMatchObject([sale]);
    const made = await shop.client.call(createTipLink, { body: { name: 'Waiter' } }, { key: shop.key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const asked = await fetch(`${shop.world.url}/lnurl/tip/${made.body.id}/invoice?amount=2000000`);
    const { pr } = (await asked.json()) as { pr: string };
    const tip = shop.wallet.invoices.all().find(({ bolt11 }) => bolt11 === pr);
    shop.wallet.invoices.pay(tip?.paymentHash ?? '', {});
    await shop.until(async () => (await read.overview()).today.rails[0]?.tipCount === 1);
    // A tip is given in satoshis, whatever they are worth.
    const inSats = { ...sale, currency: 'BTC', takenInCents: 2_000, tipInCents: 2_000, tipCount: 1 };
    expect((await read.overview()).today.rails).toMatchObject([inSats, sale]);
    expect(rowsOf(await read.overview())).toEqual(fromLines(await read.transactions(), 'Europe/London'));
  });

  test('counts what the bank rejects on the day it does, and not again what it rejects after it settled', async () => {
    const shop = await aShop(database);
    const { world, aLink, pay, refund, sandbox } = shop;
    const read = reading(shop);
    const settled = await aLink(1_000);
    const late = await pay(settled.id);
    const rejected = await pay((await aLink(700)).id);
    sandbox.control.settle('all', { xref: rejected.gatewayReference ?? '', outcome: 'rejected' });
    sandbox.control.settle('all', { xref: late.gatewayReference ?? '' });
    const sums = async () => {
      world.clock.advance({ minutes: 6 });
      await world.backend.services.payments.settlement.poll();
      return (await read.overview()).today.totals;
    };
    const total = { takenInCents: 1_700, rejectedInCents: 700, rejectedCount: 1, netInCents: 1_000 };
    await expect.poll(sums, { timeout: 20_000 }).toMatchObject([total]);
    sandbox.control.settle('all', { xref: late.gatewayReference ?? '', outcome: 'rejected' });
    expect(await refund(settled.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      body: { status: 'declined' },
    });
    const { discrepancies } = world.backend.services;
    const list = { businessId: shop.business.id, kind: null, paymentId: null, before: 'z', limit: 10 };
    await expect
      .poll(async () => {
        world.clock.advance({ minutes: 1 });
        return (await discrepancies.list({ ...list, status: 'open' })).map(({ kind }) => kind);
      })
      .toContain('settlement_rejected_late');
    await counted(read);
    expect((await read.overview()).today.totals).toMatchObject([total]);
    expect(rowsOf(await read.overview())).toEqual(fromLines(await read.transactions(), 'Europe/London'));
  });

  test.each([4, 11])(
    'shop %i: equals the lines of the transactions list, in any time zone, with two processes that count',
    async seed => {
      const shop = await aRandomShop(database, seed);
      const { business, world } = shop;
      await aBackend({ sharing: world });
      const read = reading(shop);
      await shop.trade(25);
      world.clock.advance({ hours: 30 });
      await shop.trade(25);
      await shop.rest();
      await counted(read);
      const lines = await read.transactions();
      expect(lines.length).toBeGreaterThan(20);
      for (const timeZone of ['Europe/London', 'Asia/Kathmandu', 'Pacific/Chatham']) {
        await world.backend.services.businesses.settings.change(business.id, { timeZone }, operator);
        expect(rowsOf(await read.overview())).toEqual(fromLines(lines, timeZone));
      }
    },
    240_000,
  );
});
