import { operator } from '@florin/shared/actor.ts';
import { getOverview } from '@florin/shared/contracts/api-v1/overview.ts';
import { createTipLink } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { listTransactions, type TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { type DayTotals, getDayTotals, type RailTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { completeSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { aRandomShop } from '../../../test/support/random-shop.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { sumsOf } from '../../../test/support/transaction-sums.ts';
import { railOf } from './consumer.ts';

type Reader = { readonly client: BackendWorld['client']; readonly key: string };

async function transactions({ client, key }: Reader, deviceId?: string): Promise<TransactionRecord[]> {
  const items: TransactionRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 100, ...(deviceId ? { deviceId } : {}), ...(cursor ? { cursor } : {}) };
    const page = await client.call(listTransactions, { query }, { key });
    if (page.status !== 200) throw new Error(JSON.stringify(page.body));
    items.push(...page.body.items);
    cursor = page.body.nextCursor;
  }
  return items;
}

async function totalsOf(client: BackendWorld['client'], token: string, date?: string): Promise<DayTotals> {
  const read = await client.call(getDayTotals, { query: date ? { date } : {} }, { key: token });
  if (read.status !== 200) throw new Error(JSON.stringify(read.body));
  return read.body;
}

const dayFormat = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });

/** The figures of one day from the lines of the transactions list. */
function fromLines(lines: readonly TransactionRecord[]): Partial<RailTotals>[] {
  const groups = Map.groupBy(lines, line => `${railOf[line.method]} ${line.currency}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => {
      const [rail, currency] = name.split(' ') as [RailTotals['rail'], string];
      const satsOf = (isTaken: boolean) =>
        all
          .filter(({ id, type }) => (type === 'payment') === isTaken && !id.startsWith('txn_v'))
          .reduce((total, { amountSats }) => total + Math.abs(amountSats ?? 0), 0);
      return { rail, currency, ...sumsOf(all), takenSats: satsOf(true), refundedSats: satsOf(false) };
    });
}

const withoutTips = (rails: readonly RailTotals[]) =>
  rails.map(rail => Object.fromEntries(Object.entries(rail).filter(([name]) => !name.startsWith('tip'))));

eachDatabase('the totals of a day', database => {
  test('count the tips of cards apart, as part of what was taken', async () => {
    const { world, business, client } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write', 'team:write'));
    await till.sell(13_75, undefined, 1_25);
    await till.sell(10_00);
    await till.sell(5_50, undefined, 50);
    const { terminal } = await totalsOf(client, till.token);
    expect(terminal.rails).toMatchObject([{ takenInCents: 29_25, paymentCount: 3, tipInCents: 1_75, tipCount: 2 }]);
  });

  test('count the tips that the shop keeps, as the overview does', async () => {
    const shop = await aShop(database);
    const { world, business, client, sandbox } = shop;
    const till = await aTill(world, await business.key('devices:write', 'team:write'));
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const sell = async (amountInCents: number, tipInCents: number) => {
      const { paymentId, saleId } = await till.sell(amountInCents, undefined, tipInCents);
      await client.call(completeSale, { params: { saleId } }, { key: till.token });
      return paymentId ?? '';
    };
    const refund = async (paymentId: string, amountInCents: number) => {
      world.clock.advance({ ms: 5 });
      const sent = await till.request({ paymentId, kind: 'REFUND_SALE', amountInCents }, '104', keys);
      expect(sent).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
    };
    const tips = async (date?: string) => {
      const { business: whole } = await totalsOf(client, till.token, date);
      return whole.rails.map(({ tipInCents, tipCount }) => [tipInCents, tipCount]);
    };
    const tipsOfOverview = async () => {
      world.clock.advance({ ms: 20 });
      const read = await client.call(getOverview, { query: { days: 2 } }, { key: shop.key });
      if (read.status !== 200) throw new Error(JSON.stringify(read.body));
      return read.body.days.map(({ rails }) => rails.map(({ tipInCents, tipCount }) => [tipInCents, tipCount]));
    };

    const kept = await sell(11_00, 1_00);
    const inParts = await sell(12_00, 2_00);
    const almost = await sell(14_00, 4_00);
    const voided = await till.sell(18_00, undefined, 8_00);
    expect(await tips()).toEqual([[15_00, 4]]);
    const sent = await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    expect(sent).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
    expect(await tips()).toEqual([[7_00, 3]]);

    // On the next day the tips of that day are given back, and the figures of the day of the sales stay.
    world.clock.advance({ hours: 24 });
    sandbox.control.settle();
    world.clock.advance({ minutes: 6 });
    await world.backend.services.payments.settlement.poll();
    await refund(kept, 10_00);
    await refund(inParts, 5_00);
    expect(await tips()).toEqual([[0, 0]]);
    await refund(inParts, 7_00);
    expect(await tips()).toEqual([[-2_00, -1]]);
    await refund(almost, 11_00);
    expect(await tips()).toEqual([[-3_00, -1]]);
    await refund(almost, 3_00);
    expect(await tips()).toEqual([[-6_00, -2]]);
    expect(await tips('2026-11-21')).toEqual([[7_00, 3]]);
    await expect.poll(tipsOfOverview, { timeout: 20_000 }).toEqual([[[-6_00, -2]], [[7_00, 3]]]);
  });

  test('count what this terminal and what the business did, on the day it was done', async () => {
    const shop = await aShop(database);
    const { world, business, client, sandbox } = shop;
    const manager = await business.key('devices:write', 'team:write');
    const till = await aTill(world, manager);
    const second = await aTill(world, manager, { keySeed: 4, serial: 'SN-2' });
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const totals = (date?: string, { token } = till) => totalsOf(client, token, date);
    const sums = { takenInCents: 0, paymentCount: 0, voidedInCents: 0, voidCount: 0, refundedInCents: 0 };

    // 2026-11-21, 23:50 in London.
    world.clock.step({ hours: 14 });
    world.clock.advance({ minutes: 20 });
    const late = await till.sell(1_000);
    await client.call(completeSale, { params: { saleId: late.saleId } }, { key: till.token });
    const voided = await till.sell(700);
    await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    await second.sell(5_000);
    await shop.pay((await shop.aLink(300)).id);
    const first = { ...sums, takenInCents: 1_700, paymentCount: 2, voidedInCents: 700, voidCount: 1 };
    expect(await totals()).toMatchObject({
      date: '2026-11-21',
      timeZone: 'Europe/London',
      from: '2026-11-21T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      asOf: new Date(world.clock.now()).toISOString(),
      terminal: { rails: [{ rail: 'card', currency: 'GBP', ...first, netInCents: 1_000 }], open: [] },
      business: { rails: [{ ...first, takenInCents: 7_000, paymentCount: 4, netInCents: 6_300 }] },
    });

    // After midnight the first sale is refunded, at the other terminal.
    world.clock.advance({ minutes: 20 });
    sandbox.control.settle();
    world.clock.advance({ minutes: 6 });
    await world.backend.services.payments.settlement.poll();
    const refund = { paymentId: late.paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 400 } as const;
    const sent = await second.request(refund, '104', keys);
    expect(sent).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
    const returned = { ...sums, refundedInCents: 400, refundCount: 1, netInCents: -400 };
    expect(await totals(undefined, second)).toMatchObject({
      date: '2026-11-22',
      terminal: { rails: [returned] },
      business: { rails: [returned] },
    });
    expect(await totals()).toMatchObject({ date: '2026-11-22', terminal: { rails: [] } });
    expect((await totals('2026-11-21')).terminal.rails).toMatchObject([{ ...first, netInCents: 1_000 }]);
    expect((await totals('2026-11-20')).business.rails).toEqual([]);

    // In another time zone both are of the same day.
    await world.backend.services.businesses.settings.change(business.id, { timeZone: 'America/New_York' }, operator);
    expect(await totals('2026-11-21', second)).toMatchObject({
      from: '2026-11-21T05:00:00.000Z',
      terminal: { rails: [{ takenInCents: 5_000, refundedInCents: 400, netInCents: 4_600 }] },
    });

    // Nothing of it is seen by another business.
    const elsewhere = await world.aBusiness({ name: 'Elsewhere' });
    const foreign = await aTill(world, await elsewhere.key('devices:write'), { keySeed: 5, serial: 'SN-3' });
    const nothing = { rails: [], open: [] };
    expect(await totals('2026-11-21', foreign)).toMatchObject({ terminal: nothing, business: nothing });
  });

  test('have 23 and 25 hours where the clocks change', async () => {
    const shop = await aShop(database);
    const till = await aTill(shop.world, await shop.business.key('devices:write'));
    const hours = async (date: string) => {
      const { from, to } = await totalsOf(shop.client, till.token, date);
      return (Date.parse(to) - Date.parse(from)) / 3_600_000;
    };
    expect([await hours('2027-03-27'), await hours('2027-03-28'), await hours('2027-10-31')]).toEqual([24, 23, 25]);
    const refused = await shop.client.call(getDayTotals, { query: { date: '2027-02-29' } }, { key: till.token });
    expect(refused.status).toBe(400);
  });

  test('tell what is still open, of that day or earlier', async () => {
    const shop = await aShop(database);
    const { world, client, sandbox, business } = shop;
    const till = await aTill(world, await business.key('devices:write'));
    sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT', callback: false });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    const pending = await till.sell(1_500);
    expect(pending.status).toBe('pending');
    const open = [{ kind: 'unknown_sale', currency: 'GBP', count: 1, amountInCents: 1_500 }];
    await expect
      .poll(async () => {
        world.clock.advance({ seconds: 5 });
        return (await totalsOf(client, till.token)).terminal;
      })
      .toEqual({ rails: [], open });
    expect((await totalsOf(client, till.token, '2026-11-20')).terminal.open).toEqual([]);
    expect((await totalsOf(client, till.token, '2026-11-22')).business.open).toEqual(open);
  });

  test('count bitcoin in both currencies, and tips', async () => {
    const shop = await aCheckoutShop(database);
    const till = await aTill(shop.world, await shop.business.key('devices:write'));
    const { id } = await shop.aCheckout();
    const { paymentHash } = await shop.open(id, 'lightning');
    shop.wallet.invoices.pay(paymentHash, {});
    await shop.becomes(id, 'COMPLETE');
    const made = await shop.client.call(createTipLink, { body: { name: 'Waiter' } }, { key: shop.key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const asked = await fetch(`${shop.world.url}/lnurl/tip/${made.body.id}/invoice?amount=2000000`);
    const { pr } = (await asked.json()) as { pr: string };
    const tip = shop.wallet.invoices.all().find(({ bolt11 }) => bolt11 === pr);
    shop.wallet.invoices.pay(tip?.paymentHash ?? '', {});
    const rails = async () => (await totalsOf(shop.client, till.token)).business.rails;
    await expect.poll(async () => (await rails())[0]?.tipCount, { timeout: 20_000 }).toBe(1);
    const [inSats, sale] = await rails();
    expect(inSats).toMatchObject({ rail: 'lightning', currency: 'BTC', takenInCents: 2_000, tipInCents: 2_000 });
    expect(sale).toMatchObject({ rail: 'lightning', currency: 'GBP', takenInCents: 1_000, tipCount: 0 });
    expect(sale?.takenSats).toBeGreaterThan(0);
    expect(withoutTips(await rails())).toEqual(fromLines(await transactions(shop)));
  });

  test.each([3, 8])(
    'shop %i: equal the lines of the transactions list, over midnights and a change of the clocks, in any time zone',
    async seed => {
      const shop = await aRandomShop(database, seed);
      const { business, world, client, till } = shop;
      // 2027-03-27: the day before London's summer time begins.
      world.clock.step({ hours: 126 * 24 });
      for (const hours of [16, 8, 25]) {
        await shop.trade(20);
        world.clock.advance({ hours });
      }
      await shop.trade(10);
      await shop.rest();
      const [all, here] = [await transactions(shop), await transactions(shop, till.terminalId)];
      expect(all.length).toBeGreaterThan(20);
      expect(here.length).toBeGreaterThan(1);
      const daysSeen: number[] = [];
      for (const timeZone of ['Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham']) {
        await world.backend.services.businesses.settings.change(business.id, { timeZone }, operator);
        const dayOf = ({ at }: TransactionRecord) => dayFormat(timeZone).format(Date.parse(at));
        const dates = new Set(all.map(dayOf));
        daysSeen.push(dates.size);
        for (const date of dates) {
          const ofDay = (lines: readonly TransactionRecord[]) => fromLines(lines.filter(line => dayOf(line) === date));
          const { terminal, business: whole } = await totalsOf(client, till.token, date);
          expect([timeZone, date, withoutTips(terminal.rails)]).toEqual([timeZone, date, ofDay(here)]);
          expect([timeZone, date, withoutTips(whole.rails)]).toEqual([timeZone, date, ofDay(all)]);
        }
      }
      expect(Math.max(...daysSeen)).toBeGreaterThan(2);
    },
    240_000,
  );
});
