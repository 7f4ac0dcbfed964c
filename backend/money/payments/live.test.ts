import { Agent } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';
import { aPortalUser } from '../../../test/support/portal.ts';
import { aShop } from '../../../test/support/shop.ts';

const path = '/payments/subscribe';

eachDatabase('the stream of payments', database => {
  test('tells everything that happens to the payments of a business, and resumes without a gap', async () => {
    const { world, aLink, pay, refund, key } = await aShop(database);
    const other = await world.aBusiness({ name: 'Other' });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const url = `${world.url}/api/v1${path}`;
    const stream = await anEventStream(url, bearer(key));
    const stranger = await anEventStream(url, bearer(await other.key('sales:read')));
    await Promise.all([stream.has(1), stranger.has(1)]);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    await stream.has(3);
    expect(stream.events.map(({ event }) => event)).toEqual(['open', 'payment-changed', 'payment-changed']);
    expect(stream.events.slice(1).map(({ data }) => data)).toMatchObject([
      { paymentId: paid.id, kind: 'payment_started' },
      { paymentId: paid.id, kind: 'payment_approved' },
    ]);
    const last = stream.events.at(-1)?.id ?? '';
    stream.close();
    await refund(link.id, { kind: 'CANCEL' });
    const resumed = await anEventStream(url, { ...bearer(key), 'last-event-id': last });
    await resumed.has(2);
    const kinds = resumed.events.map(({ data }) => (data as { kind: string }).kind);
    expect(kinds).toEqual(['refund_requested', 'refund_approved']);
    expect(stranger.events).toHaveLength(1);
  });

  describe('ends, with its connection, for a user of the portal', () => {
    async function aStream() {
      const { world, business } = await aShop(database);
      const manager = await aPortalUser(world, business.id, 'manager');
      const owner = await (await aPortalUser(world, business.id, 'owner')).signIn();
      const browser = await manager.signIn();
      const base = `/portal/api/${business.id}`;
      const agent = new Agent({ keepAlive: true });
      onTestFinished(() => agent.destroy());
      const open = () =>
        anEventStream(world.url + base + path, { cookie: browser.cookie(), 'sec-fetch-site': 'same-origin' }, agent);
      const stream = await open();
      await stream.has(1);
      return { world, manager, owner, browser, base, open, stream };
    }

    test('who no longer belongs to the business', async () => {
      const { world, manager, owner, base, open, stream } = await aStream();
      expect((await owner.request('DELETE', `${base}/team/${manager.id}`)).status).toBe(200);
      world.clock.advance({ seconds: 6 });
      await stream.disconnects();
      expect((await open()).status).toBe(404);
    });

    test('whose role may no longer see payments', async () => {
      const { world, manager, owner, base, open, stream } = await aStream();
      const role = await owner.post(`${base}/team/roles`, { name: 'Stock', permissions: ['devices:read'] });
      const { id: roleId } = role.json as { id: string };
      expect((await owner.request('PATCH', `${base}/team/${manager.id}`, { roleId })).status).toBe(200);
      world.clock.advance({ seconds: 6 });
      await stream.disconnects();
      expect((await open()).status).toBe(403);
    });

    test('who has signed out', async () => {
      const { world, browser, open, stream } = await aStream();
      expect((await browser.post('/portal/api/me/sign-out')).status).toBe(200);
      world.clock.advance({ seconds: 6 });
      await stream.disconnects();
      expect((await open()).status).toBe(401);
    });
  });
});
