import { expect, test } from 'vitest';
import { aRealTerminal } from '../../test/support/terminal/real-terminal.ts';
import { aWebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../test/support/webhook-shop.ts';
import { createClient, unwrap, verifyWebhook } from './index.ts';

test('a till starts a sale on a terminal, and the webhook about it is verified', async () => {
  const shop = await aWebhookShop('sqlite');
  const terminal = await aRealTerminal(shop.world, shop.key);
  const florin = createClient({ baseUrl: shop.world.url, apiKey: shop.key });
  const receiver = await aWebhookReceiver();
  const { secret } = unwrap(
    await florin.createWebhook({ body: { url: receiver.url, eventType: 'terminal.sale.completed' } }),
  );
  const serial = unwrap(await florin.listDevices()).items[0]?.serial ?? '';
  const { saleId } = unwrap(
    await florin.startTerminalSale({ body: { serial, amountInCents: 1_250, currency: 'GBP', reference: 'Order 7' } }),
  );
  await terminal.shows('sale_result');
  const read = async () => unwrap(await florin.getTerminalSale({ params: { saleId } })).status;
  await expect.poll(read, { interval: 5 }).toBe('COMPLETE');

  await receiver.has(1);
  const [{ headers, body: rawBody }] = receiver.received as [(typeof receiver.received)[0]];
  const { clock } = shop.world;
  const verify = (secrets: string[], change: object = {}) =>
    verifyWebhook({ headers, rawBody, ...change }, { secrets, clock });
  expect(await verify(['whsec_other', secret ?? ''])).toMatchObject({
    ok: true,
    event: { eventType: 'terminal.sale.completed', checkoutId: saleId, externalId: 'Order 7', amount: 1_250 },
    deliveryId: expect.stringMatching(/^del_/),
    isTest: false,
  });
  const mismatch = { ok: false, reason: 'signature_mismatch' };
  expect(await verify(['whsec_other'])).toEqual(mismatch);
  expect(await verify([secret ?? ''], { rawBody: `${rawBody} ` })).toEqual(mismatch);
  expect(await verify([secret ?? ''], { headers: {} })).toEqual({ ok: false, reason: 'signature_missing' });
  clock.advance({ seconds: 301 });
  expect(await verify([secret ?? ''])).toEqual({ ok: false, reason: 'timestamp_out_of_tolerance' });
});
