import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { listSales } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

/** A business with two terminals, beside the terminal of another business. */
async function twoBusinesses(database: DatabaseKind) {
  const shop = await aShop(database);
  const { world, business, client } = shop;
  const manager = await business.key('devices:write', 'devices:read', 'team:write', 'team:read');
  const till = await aTill(world, manager);
  const second = await aTill(world, manager, { keySeed: 4, serial: 'SN-2' });
  const elsewhere = await world.aBusiness({ name: 'Elsewhere' });
  const foreign = await aTill(world, await elsewhere.key('devices:write'), { keySeed: 5, serial: 'SN-3' });
  async function find(q: string, { token } = till) {
    const listed = await client.call(listSales, { query: { q } }, { key: token });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body;
  }
  const saleIds = async (q: string, at = till) => (await find(q, at)).items.map(({ saleId }) => saleId);
  return { ...shop, manager, till, second, foreign, find, saleIds };
}

eachDatabase('finding a sale at a terminal:', database => {
  test('by what a cashier knows of it, at every terminal of the business and at no other', async () => {
    const { till, second, foreign, find, saleIds, business, client, world } = await twoBusinesses(database);
    const seller = await business.key('terminal-sales:write');
    const body = { serial: 'SN-1', amountInCents: 1_250, currency: 'GBP', reference: 'Table 12' };
    const started = await client.call(startTerminalSale, { body }, { key: seller });
    if (started.status !== 201) throw new Error(JSON.stringify(started.body));
    const sale = await till.sell(1_250, started.body.saleId);
    world.clock.advance({ minutes: 30 });
    const other = await second.sell(900);
    // 2026-11-21T09:00:00.000Z in London.
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' });
    const startedAt = time.format(Date.parse(sale.createdAt));
    for (const q of ['12.50', '12,50', sale.invoiceNumber, 'Table 12', 'table', startedAt, sale.saleId])
      for (const terminal of [till, second]) expect([q, await saleIds(q, terminal)]).toEqual([q, [sale.saleId]]);
    expect(await saleIds('0821')).toEqual([other.saleId, sale.saleId]);
    expect((await find(startedAt)).searchedFor).toContainEqual({
      field: 'time',
      value: startedAt.replace(/^0/, ''),
    });
    for (const q of ['12.50', '0821', sale.invoiceNumber, 'Table 12', startedAt, sale.saleId, sale.paymentId ?? ''])
      expect([q, await saleIds(q, foreign)]).toEqual([q, []]);
    world.clock.advance({ hours: 24 * 6 });
    expect(await saleIds(startedAt)).toEqual([sale.saleId]);
    world.clock.advance({ hours: 24 });
    expect(await saleIds(startedAt)).toEqual([]);
  });

  test('by the receipt of the sale and of its void, for terminals of the business only', async () => {
    const { till, second, foreign, find, saleIds, key, client, world } = await twoBusinesses(database);
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const sale = await till.sell(1_250);
    await till.request({ paymentId: sale.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    const voided = (await find(sale.invoiceNumber)).items[0];
    // A receipt is created a little later than the payment.
    world.clock.advance({ ms: 20 });
    const addresses = [sale.receipt?.url ?? '', voided?.returns[0]?.receipt?.url ?? ''];
    for (const url of addresses) {
      const token = url.split('/r/')[1] ?? '';
      expect(token).toMatch(/^[0-9A-Za-z]{22}$/);
      for (const q of [url, token, `${url}?language=de`])
        for (const terminal of [till, second])
          await expect.poll(() => saleIds(q, terminal), { timeout: 10_000 }).toEqual([sale.saleId]);
      expect((await find(url)).searchedFor).toContainEqual({ field: 'receipt', value: token });
      expect(await saleIds(url, foreign)).toEqual([]);
      const found = await client.call(listPayments, { query: { q: url } }, { key });
      expect(found.body).toMatchObject({ items: [{ id: sale.paymentId }] });
      const elsewhere = await (await world.aBusiness({ name: 'Third' })).key('sales:read');
      expect((await client.call(listPayments, { query: { q: url } }, { key: elsewhere })).body).toMatchObject({
        items: [],
      });
    }
    expect(await saleIds('0000000000000000000000')).toEqual([]);
  });

  test('what took no money is found, and what was not sold at a terminal is not', async () => {
    const { till, find, saleIds, aLink, pay, sandbox } = await twoBusinesses(database);
    const online = await pay((await aLink(1_250)).id);
    sandbox.control.addFault({ kind: 'decline', action: 'CARD_PRESENT' });
    const declined = await till.sell(1_250);
    expect(await find('12.50')).toMatchObject({
      items: [{ saleId: declined.saleId, status: 'declined', action: 'none', receipt: null }],
      nextCursor: null,
    });
    for (const q of [online.invoiceNumber, online.id]) expect(await saleIds(q)).toEqual([]);
  });
});
