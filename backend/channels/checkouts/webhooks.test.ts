import { cancelCheckout, getCheckoutSettings } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createWebhook, listWebhooks } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { isAuthentic } from '../../../test/support/webhook-shop.ts';

eachDatabase('webhooks of checkouts', database => {
  test('carry the payment’s network and transactions, and the checkout’s own URL receives its outcome', async () => {
    const { aCheckout, open, wallet, becomes, client, key, clock } = await aCheckoutShop(database);
    const [endpoint, own] = [await aWebhookReceiver(), await aWebhookReceiver()];
    for (const eventType of ['payment.created', 'payment.completed'] as const)
      await client.call(createWebhook, { body: { url: endpoint.url, eventType } }, { key });
    const checkout = await aCheckout({ externalReference: 'basket-7', webhookUrl: own.url });
    const { paymentHash } = await open(checkout.id, 'lightning');
    wallet.invoices.pay(paymentHash, {});
    await becomes(checkout.id, 'COMPLETE');
    await Promise.all([endpoint.has(2), own.has(1)]);
    const about = {
      checkoutId: checkout.id,
      externalId: 'basket-7',
      status: 'COMPLETE',
      amount: 10_00,
      currency: 'GBP',
      network: 'lightning',
      txIds: [paymentHash],
    };
    const bodies = endpoint.received.map(({ body }) => JSON.parse(body) as { eventType: string });
    expect(bodies.toSorted((a, b) => (a.eventType < b.eventType ? -1 : 1))).toMatchObject([
      { ...about, eventType: 'payment.completed' },
      { ...about, eventType: 'payment.created', status: 'PENDING' },
    ]);
    const settings = await client.call(getCheckoutSettings, {}, { key });
    const signingKey = settings.status === 200 ? settings.body.signingKey : '';
    const [completed] = own.received;
    expect(JSON.parse(completed?.body ?? '')).toMatchObject({ ...about, eventType: 'payment.completed' });
    expect(completed && isAuthentic(completed, signingKey, clock.now() / 1_000)).toBe(true);
    const cancelled = await aCheckout({ webhookUrl: own.url });
    await client.call(cancelCheckout, { params: { id: cancelled.id }, body: {} }, { key });
    await own.has(2);
    expect(own.received[1]?.headers['x-webhook-event']).toBe('checkout.cancelled');
    expect(JSON.parse(own.received[1]?.body ?? '')).toMatchObject({ status: 'CANCELLED', network: null, txIds: [] });
    // A checkout's own URL is not an endpoint of the business.
    expect(await client.call(listWebhooks, {}, { key })).toMatchObject({ body: { items: [{}, {}] } });
    expect(endpoint.received).toHaveLength(2);

    const onChain = await aCheckout();
    wallet.chain.payTo((await open(onChain.id, 'onchain')).address, 20_000);
    await becomes(onChain.id, 'PROCESSING');
    await endpoint.has(3);
    const seen = { eventType: 'payment.created', checkoutId: onChain.id, status: 'PROCESSING', network: 'onchain' };
    expect(JSON.parse(endpoint.received[2]?.body ?? '')).toMatchObject(seen);
  });
});
