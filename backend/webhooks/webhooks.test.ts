import { createHmac, timingSafeEqual } from 'node:crypto';
import { createWebhook, listWebhookDeliveries, type WebhookEvent } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../test/support/backend.ts';
import { aShop } from '../../test/support/shop.ts';
import { aWebhookReceiver, type ReceivedWebhook } from '../../test/support/webhook-receiver.ts';

const env = { OUTBOUND_ALLOW_LOOPBACK: 'true' };

async function aShopWithWebhooks(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes, { env });
  const { client, key } = shop;
  async function aWebhook(url: string, eventType: WebhookEvent = 'payment.completed') {
    const made = await client.call(createWebhook, { body: { url, eventType } }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { ...made.body, secret: made.body.secret ?? '' };
  }
  async function history(id: string) {
    const listed = await client.call(listWebhookDeliveries, { params: { id } }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  }
  return { ...shop, aWebhook, history };
}

/** As the specification tells receivers to do it: whether this is from us, and recent. */
function isAuthentic({ headers, body }: ReceivedWebhook, secret: string, nowSeconds: number): boolean {
  const parts = String(headers['x-webhook-signature'])
    .split(',')
    .map(part => part.split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

eachDatabase('webhooks', database => {
  test('a payment of a link is told to the endpoints of its events, signed, with the nine fields', async () => {
    const { aWebhook, history, aLink, pay, world } = await aShopWithWebhooks(database);
    const receiver = await aWebhookReceiver();
    const created = await aWebhook(receiver.url, 'payment.created');
    const completed = await aWebhook(receiver.url, 'payment.completed');
    const link = await aLink(1_250);
    await pay(link.id);
    await receiver.has(2);
    const nowSeconds = world.clock.now() / 1_000;
    for (const { id, secret, eventType } of [created, completed]) {
      const received = receiver.received.find(({ headers }) => headers['x-webhook-event'] === eventType);
      if (!received) throw new Error(`no ${eventType}`);
      expect(isAuthentic(received, secret, nowSeconds)).toBe(true);
      expect(isAuthentic(received, `${secret}x`, nowSeconds)).toBe(false);
      expect(isAuthentic(received, secret, nowSeconds + 301)).toBe(false);
      expect(isAuthentic({ ...received, body: `${received.body} ` }, secret, nowSeconds)).toBe(false);
      expect(received.headers['x-webhook-timestamp']).toBe(String(Math.floor(nowSeconds)));
      expect(Object.entries(JSON.parse(received.body))).toEqual([
        ['eventType', eventType],
        ['checkoutId', link.id],
        ['externalId', null],
        ['status', eventType === 'payment.created' ? 'PENDING' : 'COMPLETE'],
        ['amount', 1_250],
        ['currency', 'GBP'],
        ['network', null],
        ['txIds', []],
        ['createdAt', new Date(world.clock.now()).toISOString()],
      ]);
      await expect
        .poll(() => history(id))
        .toMatchObject([
          {
            id: received.headers['x-webhook-delivery'],
            status: 'delivered',
            body: received.body,
            sequence: 1,
            attemptCount: 1,
            attempts: [{ number: 1, outcome: 'delivered', responseStatus: 200, responseExcerpt: 'answer 200' }],
          },
        ]);
      expect(world.logged()).not.toContain(secret);
    }
    expect(world.logged()).not.toContain('txIds');
  });
});
