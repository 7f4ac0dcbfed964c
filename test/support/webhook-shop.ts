import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createWebhook,
  getWebhook,
  listWebhookDeliveries,
  type WebhookEvent,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import type { DatabaseKind } from './backend.ts';
import { aShop } from './shop.ts';
import type { ReceivedWebhook } from './webhook-receiver.ts';

/** A shop whose endpoints may be on this machine. */
export async function aWebhookShop(database: DatabaseKind, env: Readonly<Record<string, string>> = {}) {
  const shop = await aShop(database, permissionCodes, { env: { OUTBOUND_ALLOW_LOOPBACK: 'true', ...env } });
  const { client, key, world, aLink, pay } = shop;

  async function aWebhook(url: string, eventType: WebhookEvent = 'payment.completed') {
    const made = await client.call(createWebhook, { body: { url, eventType } }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { ...made.body, secret: made.body.secret ?? '' };
  }
  async function webhook(id: string) {
    const found = await client.call(getWebhook, { params: { id } }, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  }
  async function history(id: string) {
    const listed = await client.call(listWebhookDeliveries, { params: { id }, query: { limit: '100' } }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  }
  /** Takes a payment, of which endpoints for payment.created and payment.completed are notified. */
  const happens = async () => pay((await aLink(1_000)).id);

  /** Advances the service's clock until the condition holds, while replies arrive over real HTTP. */
  async function until(isTrue: () => Promise<boolean>, seconds = 1): Promise<void> {
    for (let turn = 0; turn < 20_000; turn += 1) {
      if (await isTrue()) return;
      world.clock.advance({ seconds });
    }
    throw new Error('the condition was never met; it must await something for other work to run');
  }
  return { ...shop, aWebhook, webhook, history, happens, until };
}

/** Whether a webhook is authentic and recent, by the specification's instructions for receivers alone. */
export function isAuthentic({ headers, body }: ReceivedWebhook, secret: string, nowSeconds: number): boolean {
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
