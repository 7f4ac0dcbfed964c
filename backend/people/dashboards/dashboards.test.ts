import { getDashboard, putDashboard } from '@florin/shared/contracts/api-v1/dashboard.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser } from '../../../test/support/portal.ts';

eachDatabase('the dashboard', database => {
  test('is arranged once for the keys of a business, and not for those of another', async () => {
    const { client, aBusiness } = await aBackend({ database });
    const key = await (await aBusiness()).key('sales:read', 'dashboard:write');
    const other = await (await aBusiness()).key('sales:read', 'dashboard:write');
    const read = async (by: string) => (await client.call(getDashboard, {}, { key: by })).body;
    expect(await read(key)).toEqual({ cards: [], changedAt: null });
    const cards = [
      { kind: 'takings', size: 'large', options: { days: 14, rail: 'card', compare: true, note: null } },
      { kind: 'problems', size: 'small', options: {} },
    ] as const;
    const put = await client.call(putDashboard, { body: { cards: [...cards] } }, { key });
    expect(put).toMatchObject({ status: 200, body: { cards, changedAt: expect.any(String) } });
    expect(await read(key)).toEqual(put.body);
    expect(await read(other)).toEqual({ cards: [], changedAt: null });
    expect((await client.call(putDashboard, { body: { cards: [] } }, { key })).status).toBe(200);
    expect(await read(key)).toMatchObject({ cards: [] });
  });

  test('is at first the business’s for a user of the portal, and then their own', async () => {
    const world = await aBackend({ database });
    const business = await world.aBusiness();
    const key = await business.key('sales:read', 'dashboard:write');
    const shared = [{ kind: 'takings', size: 'large' as const, options: {} }];
    await world.client.call(putDashboard, { body: { cards: shared } }, { key });
    const path = `/portal/api/${business.id}/dashboard`;
    const [ada, ben] = await Promise.all(
      ['owner', 'manager'].map(async role => (await aPortalUser(world, business.id, role)).signIn()),
    );
    expect((await ada?.get(path))?.json).toMatchObject({ cards: shared });
    const cards = [{ kind: 'problems', size: 'small', options: {} }];
    expect(await ada?.request('PUT', path, { cards })).toMatchObject({ status: 200, json: { cards } });
    expect((await ada?.get(path))?.json).toMatchObject({ cards });
    expect((await ben?.get(path))?.json).toMatchObject({ cards: shared });
    expect((await world.client.call(getDashboard, {}, { key })).body).toMatchObject({ cards: shared });
  });

  test('takes no more than the start page shows', async () => {
    const { client, aBusiness } = await aBackend({ database });
    const key = await (await aBusiness()).key('dashboard:write');
    const put = async (cards: unknown) =>
      (await client.call(putDashboard, { body: { cards: cards as [] } }, { key })).body;
    const card = { kind: 'takings', size: 'large' };
    expect(await put(Array.from({ length: 51 }, () => card))).toMatchObject({
      error: { message: 'cards: must have at most 50 cards' },
    });
    expect(await put([{ ...card, options: { html: { nested: true } } }])).toMatchObject({ error: { code: 400 } });
    expect(await put([{ ...card, size: 'huge' }])).toMatchObject({ error: { code: 400 } });
  });
});
