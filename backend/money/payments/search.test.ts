import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { numberedPayment, writeManyPayments } from '../../../test/support/many-payments.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { dayTyped } from './search-days.ts';
import { amountsTyped, timeTyped } from './search-terms.ts';

type Query = z.input<(typeof listPayments)['query']>;

async function aShopWithSales(database: DatabaseKind) {
  const shop = await aShop(database);
  const manager = await shop.business.key('devices:write', 'devices:read', 'team:write', 'team:read');
  const till = await aTill(shop.world, manager);
  const find = async (query: Query, key = shop.key) => {
    const listed = await shop.client.call(listPayments, { query }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body;
  };
  const ids = async (query: Query) => (await find(query)).items.map(({ id }) => id);
  return { ...shop, till, find, ids };
}

test.each([
  ['12.50', 'GBP', [1_250]],
  ['12,50', 'EUR', [1_250]],
  ['£12.50', 'GBP', [1_250]],
  ['12.5', 'GBP', [1_250]],
  ['1250', 'GBP', [125_000, 1_250]],
  ['1,250.00', 'GBP', [125_000]],
  ['1.250,00', 'EUR', [125_000]],
  ['1,250', 'GBP', [125_000]],
  ['1250', 'JPY', [1_250]],
  ['1.250', 'KWD', [1_250]],
  ['1 250 EUR', 'EUR', [125_000, 1_250]],
  ['0', 'GBP', []],
  ['12.50.1', 'GBP', []],
  ['INV-12', 'GBP', []],
])('the text %s in %s may mean the amounts %j', (typed, currency, amounts) => {
  expect(amountsTyped(typed, currency)).toEqual(amounts);
});

test.each([
  ['14:35', { hour: 14, minute: 35 }],
  ['9:05', { hour: 9, minute: 5 }],
  ['2:35 pm', { hour: 14, minute: 35 }],
  ['12:05 a.m.', { hour: 0, minute: 5 }],
  ['14h35', { hour: 14, minute: 35 }],
  ['24:00', undefined],
  ['12:60', undefined],
  ['0:10 pm', undefined],
  ['1435', undefined],
  ['14:35:10', undefined],
])('the text %s may mean the time %j', (typed, time) => {
  expect(timeTyped(typed)).toEqual(time);
});

test.each([
  ['28/11/2026', 'en-GB', '2026-11-28'],
  ['28/11', 'en-GB', '2026-11-28'],
  ['11/28/2026', 'en-US', '2026-11-28'],
  ['28.11.2026', 'de-DE', '2026-11-28'],
  ['28.11.26', 'de-DE', '2026-11-28'],
  ['28.11.', 'de-DE', '2026-11-28'],
  ['28-11-2026', 'es-ES', '2026-11-28'],
  ['2026-11-28', 'en-GB', '2026-11-28'],
  ['28 Nov 2026', 'en-GB', '2026-11-28'],
  ['Nov 28', 'en-US', '2026-11-28'],
  ['28. November', 'de-DE', '2026-11-28'],
  ['28 nov. 2026', 'fr-FR', '2026-11-28'],
  ['28 de noviembre de 2026', 'es-ES', '2026-11-28'],
  ['1 Dec', 'en-GB', '2025-12-01'],
  ['29 Feb 2024', 'en-GB', '2024-02-29'],
  ['today', 'en-GB', '2026-11-29'],
  ['Gestern', 'de-DE', '2026-11-28'],
  ['hier', 'fr-FR', '2026-11-28'],
  ['aujourd’hui', 'fr-FR', '2026-11-29'],
  ['ayer', 'es-ES', '2026-11-28'],
  ['Friday', 'en-GB', '2026-11-27'],
  ['Freitag', 'de-DE', '2026-11-27'],
  ['28.11', 'de-DE', undefined],
  ['30/11/2026', 'en-GB', undefined],
  ['29 Feb 2025', 'en-GB', undefined],
  ['31/02', 'en-GB', undefined],
  ['28 Table', 'en-GB', undefined],
  ['1128', 'en-GB', undefined],
])('the text %s at a business of %s may mean the day %s', (typed, locale, day) => {
  const today = Temporal.PlainDate.from('2026-11-29');
  expect(dayTyped(typed, { today, locale })?.toString()).toBe(day);
});

eachDatabase('finding a payment:', database => {
  test('by what people know of it, and the answer says what the text was taken for', async () => {
    const { aLink, pay, till, find, ids, world } = await aShopWithSales(database);
    const link = await aLink(1_250, { externalReference: 'Order 4711' });
    const paid = await pay(link.id);
    const sale = await till.sell(900);
    const found = await find({ q: '12.50' });
    expect(found).toMatchObject({
      items: [{ id: paid.id, link: { id: link.id, description: 'Invoice 7', externalReference: 'Order 4711' } }],
      nextCursor: null,
      searchedBackTo: null,
      searchedFor: [
        { field: 'amount', value: '12.50' },
        { field: 'gateway_reference', value: '12.50' },
        { field: 'reference', value: '12.50' },
      ],
    });
    for (const q of ['12,50', '1250', ' £12.50 ', paid.invoiceNumber, paid.invoiceNumber.toLowerCase(), '1'])
      expect([q, await ids({ q })]).toEqual([q, [paid.id]]);
    for (const q of [paid.gatewayReference ?? '', paid.id, 'Order 4711', 'order 4711', 'ORD', 'Order 4'])
      expect([q, await ids({ q })]).toEqual([q, [paid.id]]);
    expect(await ids({ q: '0821' })).toEqual([sale.paymentId, paid.id]);
    for (const q of ['9.00', sale.saleId]) expect([q, await ids({ q })]).toEqual([q, [sale.paymentId]]);
    expect(await ids({ q: '0821', deviceId: till.terminalId })).toEqual([sale.paymentId]);
    for (const q of ['Or', 'Order 5', 'Order_', '12.51', '4711', 'pay_00000000', '%', 'ord%'])
      expect([q, await ids({ q })]).toEqual([q, []]);
    expect((await find({})).searchedFor).toBeNull();
    const other = await (await world.aBusiness({ name: 'Elsewhere' })).key('sales:read');
    for (const q of ['12.50', '0821', paid.id, paid.invoiceNumber, paid.gatewayReference ?? '', 'Order 4711'])
      expect((await find({ q }, other)).items).toEqual([]);
  });

  test('by the day, page by page, within the period that was asked for', async () => {
    const { aLink, pay, till, find, ids, world } = await aShopWithSales(database);
    const paid = await pay((await aLink(1_250)).id);
    const sale = await till.sell(900);
    const both = [sale.paymentId, paid.id];
    for (const q of ['today', 'heute']) expect([q, await ids({ q })]).toEqual([q, both]);
    world.clock.advance({ hours: 24 });
    expect(await ids({ q: 'today' })).toEqual([]);
    const first = await find({ q: 'gestern', limit: 1 });
    expect(first.items.map(({ id }) => id)).toEqual([sale.paymentId]);
    expect(first.searchedFor?.[0]).toMatchObject({ field: 'day' });
    const next = await find({ q: 'gestern', limit: 1, cursor: first.nextCursor ?? '' });
    expect(next.items.map(({ id }) => id)).toEqual([paid.id]);
    expect(await ids({ q: 'yesterday', deviceId: till.terminalId })).toEqual([sale.paymentId]);
    expect(await ids({ q: 'yesterday', from: new Date(world.clock.now()).toISOString() })).toEqual([]);
    const other = await (await world.aBusiness({ name: 'Elsewhere' })).key('sales:read');
    expect((await find({ q: 'yesterday' }, other)).items).toEqual([]);
  });

  test('by the reference of the sale that software started on a terminal', async () => {
    const { business, client, till, ids, key } = await aShopWithSales(database);
    const seller = await business.key('terminal-sales:write');
    const body = { serial: 'SN-1', amountInCents: 700, currency: 'GBP', reference: 'Table 12' };
    const started = await client.call(startTerminalSale, { body }, { key: seller });
    if (started.status !== 201) throw new Error(JSON.stringify(started.body));
    const sold = await till.sell(700, started.body.saleId);
    for (const q of ['Table 12', 'table 12', 'TABLE']) expect([q, await ids({ q })]).toEqual([q, [sold.paymentId]]);
    for (const q of ['Table 13', 'Table 120', 'ta']) expect([q, await ids({ q })]).toEqual([q, []]);
    expect((await client.call(getPayment, { params: { id: sold.paymentId ?? '' } }, { key })).status).toBe(200);
  });

  test('by what was returned of it, by whom, and by its rail', async () => {
    const { aLink, pay, refund, sandbox, till, ids, client, key, business, world } = await aShopWithSales(database);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const [inPart, inFull, untouched] = [await aLink(1_000), await aLink(1_000), await aLink(1_000)] as const;
    const payments = [];
    for (const { id } of [inPart, inFull, untouched]) payments.push((await pay(id)).id);
    const sold = await till.sell(900);
    const [part, full, none] = payments;
    const saleId = sold.paymentId ?? '';
    await till.request({ paymentId: saleId, kind: 'CANCEL' }, '104', keys);
    sandbox.control.settle();
    await refund(inPart.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    await refund(inFull.id, { kind: 'REFUND_SALE', amountInCents: 1_000 });
    await world.backend.services.payments.settlement.poll();
    expect(await ids({ refunded: 'part' })).toEqual([part]);
    expect(await ids({ refunded: 'full' })).toEqual([full]);
    expect(await ids({ refunded: 'none' })).toEqual([none]);
    expect(await ids({ staffId: staff.id })).toEqual([saleId]);
    expect(await ids({ staffId: staff.id, refunded: 'part' })).toEqual([]);
    expect(await ids({ q: '9.00', staffId: staff.id })).toEqual([saleId]);
    expect(await ids({ q: '10.00', staffId: staff.id })).toEqual([]);
    expect(await ids({ rail: 'card', refunded: 'full' })).toEqual([full]);
    for (const rail of ['wallet', 'lightning', 'onchain'] as const) expect(await ids({ rail })).toEqual([]);
    const reader = await business.key('sales:read');
    expect(await client.call(getPayment, { params: { id: saleId } }, { key: reader })).toMatchObject({
      status: 200,
      body: {
        refunds: [
          { kind: 'CANCEL', status: 'approved', amountInCents: 900, by: { kind: 'staff', id: staff.id, name: 'Ada' } },
        ],
      },
    });
    expect(await client.call(getPayment, { params: { id: none ?? '' } }, { key })).toMatchObject({
      body: { refunds: [] },
    });
  });

  test('a filter without an index reads 10,000 payments, says how far it got, and goes on from there', async () => {
    const { world, business, find } = await aShopWithSales(database);
    const { terminalId: first } = await aTill(world, await business.key('devices:write'), {
      keySeed: 4,
      serial: 'SN-2',
    });
    const [terminalIds, startAt, count] = [[first, 'dev_many002'], 1_760_000_000_000, 25_000] as const;
    const many = { businessId: business.id, terminalIds, staffId: 'staff_many1', count, startAt } as const;
    await writeManyPayments(world.backend.database, many);
    const query = { refunded: 'none', rail: 'card', q: 'INV-000003' } as const;
    expect((await find(query)).items.map(({ id }) => id)).toEqual([numberedPayment(2)]);
    const last = new Date(startAt + 15_000 * 60_000).toISOString();
    const page = await find({ status: 'unsettled', limit: '100' });
    expect(page).toMatchObject({ items: [], searchedBackTo: last, nextCursor: expect.any(String) as string });
    const second = await find({ status: 'unsettled', limit: '100', cursor: page.nextCursor ?? '' });
    const rest = await find({ status: 'unsettled', limit: '100', cursor: second.nextCursor ?? '' });
    expect(rest).toMatchObject({ items: [], searchedBackTo: null, nextCursor: null });

    // Pages of such a filter leave out nothing and repeat nothing.
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const next = await find({ method: 'apple_pay', refunded: 'part', limit: '100', ...(cursor ? { cursor } : {}) });
      found.push(...next.items.map(({ id }) => id));
      cursor = next.nextCursor;
    } while (cursor !== null);
    const expected = Array.from({ length: count }, (_, index) => index)
      .filter(n => n % 4 === 1 && n % 100 === 49 && n % 97 !== 96 && n % 40 !== 39 && n % 5_000 !== 4_999)
      .toReversed();
    expect(found).toEqual(expected.map(numberedPayment));

    const from = new Date(startAt + 100 * 60_000).toISOString();
    const to = new Date(startAt + 103 * 60_000).toISOString();
    const hour = await find({ from, to, refunded: 'none' });
    expect(hour).toMatchObject({ items: [102, 101, 100].map(n => ({ id: numberedPayment(n) })), searchedBackTo: null });
    // What too many references begin with is a filter; fewer are read by their index.
    const begun = await find({ q: 'ORDER-', limit: '100' });
    expect(begun.items.map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, n) => numberedPayment(count - 1 - n)),
    );
    const older = await find({ q: 'order-', limit: '100', to: from });
    expect(older.items.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => numberedPayment(99 - n)));
    expect((await find({ q: 'oRder-000000012', limit: '100' })).items.map(({ id }) => id)).toEqual(
      [129, 128, 127, 126, 125, 124, 123, 122, 121, 120].map(numberedPayment),
    );
    // Four digits are also 93.00 and the invoice of that number.
    const meant = Array.from({ length: count }, (_, n) => n)
      .filter(n => (n * 31) % 10_000 === 93 || 100 + ((n * 7919) % 9_901) === 9_300 || n === 92)
      .toReversed();
    expect((await find({ q: '0093', limit: '100' })).items.map(({ id }) => id)).toEqual(meant.map(numberedPayment));
  });
});
