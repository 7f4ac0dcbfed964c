import { createHmac } from 'node:crypto';
import { operator } from '@florin/shared/actor.ts';
import {
  cancelCheckout,
  claimCheckout,
  createCheckout,
  getCheckout,
  getCheckoutSettings,
  listCheckouts,
} from '@florin/shared/contracts/api-v1/checkouts.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { readPaymentUri } from '../../../test/support/bitcoin-uri.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';

eachDatabase('a hosted checkout', database => {
  test('is sent as it is to a stream whose Last-Event-ID is of another checkout, invalid, huge or in the future', async () => {
    const shop = await aCheckoutShop(database);
    const { world, client, key, aCheckout } = shop;
    const follow = (id: string, lastEventId: string) =>
      anEventStream(`${world.url}/api/v1/checkout/subscribe?checkoutId=${id}`, { 'last-event-id': lastEventId });
    const ended = await aCheckout();
    const before = await follow(ended.id, '');
    await before.has(1);
    await client.call(cancelCheckout, { params: { id: ended.id }, body: {} }, { key });
    await before.ends();
    const known = before.events.at(-1)?.id ?? '';
    expect(known).toMatch(/^\d+$/);
    const { id } = await aCheckout();
    for (const lastEventId of [known, '0', '-1', '1e3', 'é', '9'.repeat(15), '9'.repeat(16), '9'.repeat(5_000)]) {
      const stream = await follow(id, lastEventId);
      await stream.has(1);
      expect(stream.events).toMatchObject([{ event: 'open', data: { id, status: 'PENDING' } }]);
      stream.close();
    }
  });

  test('fixes its rate, is paid over Lightning and notifies each subscriber once', async () => {
    const { aCheckout, open, wallet, becomes, read, world, client, key, rates } = await aCheckoutShop(database);
    const checkout = await aCheckout({ successUrl: 'https://shop.example/thanks?basket=7' });
    expect(checkout).toMatchObject({
      status: 'PENDING',
      amountSats: 20_000,
      rate: '50000.0',
      redirectUrl: null,
      url: `${world.url}/checkout/${checkout.id}`,
    });
    rates.control.setPrice('GBP', '100000');
    const stream = await anEventStream(`${world.url}/api/v1/checkout/subscribe?checkoutId=${checkout.id}`, {});
    await stream.has(1);
    const { paymentHash } = await open(checkout.id, 'lightning');
    wallet.invoices.pay(paymentHash, {});
    await becomes(checkout.id, 'COMPLETE');
    await stream.ends();
    expect(stream.events.map(({ event, data }) => [event, (data as { status: string }).status])).toEqual([
      ['open', 'PENDING'],
      ['checkout-status-changed', 'COMPLETE'],
    ]);
    const paid = await read(checkout.id);
    expect(paid).toMatchObject({ receivedSats: 20_000, claim: null, receipts: [{ network: 'lightning' }] });
    const settings = await client.call(getCheckoutSettings, {}, { key });
    const { signingKey } = settings.status === 200 ? settings.body : { signingKey: '' };
    const redirect = new URL(paid.redirectUrl ?? '');
    expect(redirect.href.startsWith('https://shop.example/thanks?basket=7&')).toBe(true);
    expect(redirect.searchParams.get('signature')).toBe(
      createHmac('sha256', signingKey)
        .update(`businessId=${checkout.businessId}&checkoutId=${checkout.id}&status=COMPLETE`)
        .digest('hex'),
    );
    const payments = await client.call(listPayments, {}, { key });
    expect(payments).toMatchObject({
      status: 200,
      body: { items: [{ method: 'lightning', amountInCents: 10_00, amountSats: 20_000, status: 'settled' }] },
    });
  });

  test('is listed by status and by the shop’s reference', async () => {
    const { aCheckout, client, key } = await aCheckoutShop(database);
    const [first, second, third] = [
      await aCheckout({ externalReference: 'basket 7' }),
      await aCheckout({ orderId: 'order-8' }),
      await aCheckout({ orderId: 'order-9' }),
    ];
    await client.call(cancelCheckout, { params: { id: second.id }, body: {} }, { key });
    const list = async (query: Parameters<typeof listed>[0] = {}) => listed(query);
    async function listed(
      query: { limit?: number; cursor?: string; status?: 'PENDING' | 'CANCELLED' } & Record<string, unknown>,
    ) {
      const found = await client.call(listCheckouts, { query }, { key });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return { ids: found.body.items.map(({ id }) => id), next: found.body.nextCursor, items: found.body.items };
    }
    expect((await list()).ids).toEqual([third.id, second.id, first.id]);
    expect((await list({ status: 'CANCELLED' })).ids).toEqual([second.id]);
    expect((await list({ status: 'PENDING', orderId: 'order-9' })).ids).toEqual([third.id]);
    expect((await list({ externalReference: 'basket 7' })).ids).toEqual([first.id]);
    const page = await list({ limit: 2 });
    expect((await list({ limit: 2, cursor: page.next ?? '' })).ids).toEqual([first.id]);
    expect(page.items[0]).toMatchObject({ url: third.url, redirectUrl: null, orderId: 'order-9' });
  });

  test('paid on chain is processing when seen, and complete with its first confirmation', async () => {
    const { aCheckout, open, wallet, becomes, read } = await aCheckoutShop(database);
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    wallet.chain.payTo(address, 20_000);
    await becomes(checkout.id, 'PROCESSING');
    expect(await read(checkout.id)).toMatchObject({ processingSats: 20_000, receivedSats: 0 });
    wallet.chain.mine(1);
    await becomes(checkout.id, 'COMPLETE');
  });

  test('shows a standard payment URI for exactly the remaining amount', async () => {
    const { aCheckout, open, wallet, until, read } = await aCheckoutShop(database);
    const shown = async (url: string) => {
      const page = await (await fetch(`${url}?network=onchain`)).text();
      const href = /id="open-wallet" href="([^"]+)"/.exec(page)?.[1] ?? '';
      return readPaymentUri(href.replaceAll('&amp;', '&'));
    };
    for (const amount of [600, 12_345, 100_000, 1_000_000, 100_000_000, 123_456_789]) {
      const checkout = await aCheckout({ currency: 'BTC', amount });
      const { address } = await open(checkout.id, 'onchain');
      expect(await shown(checkout.url)).toMatchObject({ address, amountSats: BigInt(amount) });
    }
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    wallet.chain.payTo(address, 12_345);
    wallet.chain.mine(1);
    await until(async () => (await read(checkout.id)).receivedSats === 12_345);
    expect(await shown(checkout.url)).toMatchObject({ address, amountSats: 7_655n });
  });

  test('that is not paid expires, and a late payment is recorded and can be claimed', async () => {
    const { aCheckout, open, wallet, becomes, read, until, client } = await aCheckoutShop(database);
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    await becomes(checkout.id, 'EXPIRED', 30);
    wallet.chain.payTo(address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await read(checkout.id)).receivedSats === 20_000, 30);
    const late = { reason: 'late', amountSats: 20_000, status: 'open' };
    expect(await read(checkout.id)).toMatchObject({ status: 'EXPIRED', claim: late });
    const body = { destination: 'me@wallet.cash' };
    const claim = () => client.call(claimCheckout, { params: { id: checkout.id }, body });
    const nowhere = await client.call(claimCheckout, {
      params: { id: checkout.id },
      body: { destination: 'bc1qnowhere' },
    });
    expect(nowhere).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'destination' }] } } },
    });
    expect(await claim()).toMatchObject({ status: 200, body: { claim: { status: 'requested' } } });
    const { sequence } = await read(checkout.id);
    expect(await claim()).toMatchObject({ status: 200, body: { claim: { status: 'requested' }, sequence } });
    const other = { destination: 'customer@wallet.cash' };
    expect(await client.call(claimCheckout, { params: { id: checkout.id }, body: other })).toMatchObject({
      status: 200,
      body: { claim: { status: 'disputed' }, sequence: sequence + 1 },
    });
  });

  test('that is paid too little on chain ends as underpaid, and the payment is to be returned', async () => {
    const { aCheckout, open, wallet, becomes, read, until } = await aCheckoutShop(database);
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    wallet.chain.payTo(address, 15_000);
    wallet.chain.mine(1);
    await until(async () => (await read(checkout.id)).receivedSats === 15_000);
    expect(await read(checkout.id)).toMatchObject({ status: 'PENDING', claim: null });
    await becomes(checkout.id, 'UNDERPAID', 30);
    expect(await read(checkout.id)).toMatchObject({ claim: { reason: 'underpaid', amountSats: 15_000 } });
  });

  test('that is paid on both networks completes once, and the second payment is to be returned', async () => {
    const { aCheckout, open, wallet, becomes, read, until, client, key } = await aCheckoutShop(database);
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    const { paymentHash } = await open(checkout.id, 'lightning');
    wallet.invoices.pay(paymentHash, {});
    wallet.chain.payTo(address, 21_000);
    wallet.chain.mine(1);
    await becomes(checkout.id, 'COMPLETE');
    await until(async () => (await read(checkout.id)).receivedSats === 41_000, 20);
    expect(await read(checkout.id)).toMatchObject({
      status: 'COMPLETE',
      claim: { reason: 'overpaid', amountSats: 21_000, status: 'open' },
    });
    const payments = await client.call(listPayments, {}, { key });
    expect(
      payments.status === 200 &&
        payments.body.items.map(({ amountInCents }) => amountInCents).toSorted((a, b) => a - b),
    ).toEqual([10_00, 10_50]);
  });

  test('is cancelled by its token or a key only, and never once it is paid', async () => {
    const { aCheckout, open, wallet, client, key } = await aCheckoutShop(database);
    const [first, second] = [await aCheckout(), await aCheckout()];
    const cancel = (id: string, body: object, options = {}) =>
      client.call(cancelCheckout, { params: { id }, body }, options);
    expect(await cancel(first.id, {})).toMatchObject({ status: 403 });
    expect(await cancel(first.id, { cancelToken: second.cancelToken })).toMatchObject({ status: 403 });
    expect(await cancel(first.id, { cancelToken: first.cancelToken })).toMatchObject({ body: { status: 'CANCELLED' } });
    expect(await cancel(first.id, {}, { key })).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    const { paymentHash } = await open(second.id, 'lightning');
    wallet.invoices.pay(paymentHash, {});
    // The node is polled before cancelling, so that a payment is recorded before the cancellation.
    expect(await cancel(second.id, { cancelToken: second.cancelToken })).toMatchObject({
      body: { status: 'COMPLETE' },
    });
  });

  test('is not created without a rate, a node, a business or a sensible amount', async () => {
    const { client, key, rates, business, world } = await aCheckoutShop(database);
    const without = await aCheckoutShop(database, { hasNode: false });
    const create = (input: object, options = {}) =>
      client.call(createCheckout, { body: { amount: 100, currency: 'GBP', orderId: '7', ...input } }, options);
    expect(await create({})).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^businessId/) } },
    });
    expect(await create({ businessId: 'biz_000000000000' })).toMatchObject({ status: 404 });
    expect(await everythingIn(world.backend.database)).not.toContain('biz_000000000000');
    expect(await create({ businessId: business.id })).toMatchObject({ status: 201 });
    expect(await create({ currency: 'BTC', amount: 2_100_000_000_000_001 }, { key })).toMatchObject({ status: 409 });
    for (const kind of ['kraken', 'coinbase', 'bitstamp'] as const) rates.control.setFault(kind, 'zero');
    expect(await create({ currency: 'EUR' }, { key })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      body: { error: { metadata: { reason: 'rate_unavailable' } } },
    });
    expect(await create({ currency: 'BTC', amount: 1_000 }, { key })).toMatchObject({
      body: { amountSats: 1_000, rate: null },
    });
    await expect(without.aCheckout()).rejects.toThrow('bitcoin_not_available');
  });

  test('refuses an address that customers must not be sent to, and an order id that shows nothing', async () => {
    const { client, key } = await aCheckoutShop(database);
    const messageFor = async (input: object) => {
      const body = { amount: 100, currency: 'GBP', orderId: '7', ...input };
      const made = await client.call(createCheckout, { body }, { key });
      return made.status === 400 ? made.body.error.message : made.status;
    };
    expect(await messageFor({ successUrl: 'http://shop.example/' })).toMatch(/^successUrl: must/);
    expect(await messageFor({ orderId: '\u200b\u200e' })).toBe('orderId: must have a visible character');
  });

  test('takes its business from the key, and ignores a business or status in the body', async () => {
    const { client, key, business, world } = await aCheckoutShop(database);
    const other = await world.aBusiness();
    const body = { amount: 100, currency: 'GBP', orderId: '7', businessId: other.id, status: 'COMPLETE' };
    expect(await client.call(createCheckout, { body }, { key })).toMatchObject({
      status: 201,
      body: { businessId: business.id, status: 'PENDING' },
    });
    expect(await client.call(getCheckout, { params: { id: 'chk_0000000000' } })).toMatchObject({ status: 404 });
  });

  test('are limited in number without a key, and unlimited with one', async () => {
    const { client, business, aCheckout, world } = await aCheckoutShop(database, {
      env: { CHECKOUTS_OPEN_WITHOUT_KEY: '3' },
    });
    const body = { amount: 100, currency: 'GBP', orderId: '7', businessId: business.id };
    for (let turn = 0; turn < 3; turn += 1)
      expect(await client.call(createCheckout, { body })).toMatchObject({ status: 201 });
    const headers = { 'content-type': 'application/json' };
    const more = await fetch(`${world.url}/api/v1/checkouts`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([more.status, more.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await more.json()).toMatchObject({ error: { code: 429, metadata: { reason: 'too_many_open_checkouts' } } });
    expect(await aCheckout()).toMatchObject({ status: 'PENDING' });
  });
});

eachDatabase('a new signing key of checkouts', database => {
  test('is not undone by another change of the settings at the same time', async () => {
    const world = await aBackend({ database });
    const { settings } = world.backend.services.checkouts;
    const businesses = await Promise.all(Array.from({ length: 8 }, () => world.aBusiness()));
    const of = (change: (businessId: string) => ReturnType<typeof settings.of>) =>
      Promise.all(businesses.map(({ id }) => change(id)));
    const newOrigins = (number: number) =>
      of(id => settings.change(id, { frameOrigins: [`https://${number}.example`] }, operator));
    for (let round = 0; round < 5; round += 1) {
      const [made] = await Promise.all([
        of(id => settings.change(id, { rotateSigningKey: true }, operator)),
        ...[1, 2, 3].map(newOrigins),
      ]);
      const found = await of(id => settings.of(id));
      expect(found.map(({ signingKey }) => signingKey)).toEqual(made.map(({ signingKey }) => signingKey));
    }
  });
});
