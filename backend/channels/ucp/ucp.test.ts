import { hash } from 'node:crypto';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { getUcpProfile, verifyUcpPayment } from '@florin/shared/contracts/api-v1/ucp.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';

type Shop = Awaited<ReturnType<typeof aCheckoutShop>>;
type Made = {
  readonly invoice_id: string;
  readonly payment_hash: string;
  readonly bolt11: string;
  readonly amount_sats: number;
};

/** The calls of a platform and of the shop's own server, over HTTP. */
function ucp({ world, business, client, key, wallet }: Shop) {
  const request = { merchant_id: business.id, checkout_id: 'chk_01HXYZ', currency: 'GBP', amount: 10_00 };
  const askWith = (more: Record<string, string>, body: unknown) =>
    fetch(`${world.url}/ucp/v1/invoices`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  async function ask(body: unknown): Promise<{ status: number; body: Made & Record<string, unknown> }> {
    const response = await askWith({}, body);
    return { status: response.status, body: (await response.json()) as never };
  }
  const make = async (changes: Record<string, unknown> = {}) => (await ask({ ...request, ...changes })).body;
  const preimageOf = (made: Made) => wallet.invoices.get(made.payment_hash)?.preimage ?? '';
  async function verify(preimage: string, checkoutId = request.checkout_id, by = key) {
    const { status, body } = await client.call(
      verifyUcpPayment,
      { body: { preimage, checkout_id: checkoutId } },
      { key: by },
    );
    const reason = 'error' in body ? body.error.metadata?.reason : undefined;
    return { status, body, reason };
  }
  const pay = (made: Made, amountMsat?: number) =>
    wallet.invoices.pay(made.payment_hash, amountMsat === undefined ? {} : { amountMsat });
  return { request, ask, askWith, make, preimageOf, verify, pay };
}

/** The amounts received and to be returned, from the service's records. */
async function amountsOf({ world, business }: Shop) {
  const { bitcoinInvoices } = world.backend.services;
  const dueSats = await world.backend.database.write(tx => bitcoinInvoices.claims.dueSats(tx, business.id));
  return { dueSats };
}

eachDatabase('a UCP checkout', database => {
  test('is paid by a platform, and its preimage proves the payment', async () => {
    const shop = await aCheckoutShop(database);
    const { request, ask, preimageOf, verify, pay } = ucp(shop);
    const first = await ask(request);
    expect(first).toMatchObject({
      status: 201,
      body: { currency: 'GBP', amount: 10_00, amount_sats: 20_000, fx_rate: 20 },
    });
    expect(await ask(request)).toEqual({ ...first, status: 200 });
    expect(await ask({ ...request, amount: 10_01 })).toEqual({
      status: 409,
      body: { code: 'amount_mismatch', message: expect.any(String) as string },
    });
    expect(shop.wallet.invoices.all()).toHaveLength(1);
    const made = first.body;
    expect(await verify(preimageOf(made))).toMatchObject({ status: 409, reason: 'invoice_not_settled' });
    pay(made);
    const response = await verify(preimageOf(made));
    const { bolt11: _, expires_at: __, ...facts } = made;
    expect(response).toMatchObject({ status: 200, body: { ...facts, settled: true } });
    expect(await verify(preimageOf(made).toUpperCase())).toEqual(response);
    expect(await ask(request)).toMatchObject({ status: 200, body: { invoice_id: made.invoice_id } });
    expect(await shop.client.call(listPayments, {}, { key: shop.key })).toMatchObject({
      body: {
        items: [
          {
            method: 'lightning',
            amountInCents: 10_00,
            currency: 'GBP',
            amountSats: 20_000,
            purpose: 'ucp',
            purposeId: made.invoice_id,
          },
        ],
      },
    });
    expect(await amountsOf(shop)).toEqual({ dueSats: 0 });
  });

  test('is proven only by the payment of its own invoice', async () => {
    const shop = await aCheckoutShop(database);
    const { make, preimageOf, verify, pay } = ucp(shop);
    const [made, other] = [await make(), await make({ checkout_id: 'chk_other', currency: 'SAT', amount: 700 })];
    expect(other).not.toHaveProperty('fx_rate');
    pay(made);
    pay(other);
    expect(await verify(preimageOf(other))).toMatchObject({ status: 403, reason: 'binding_mismatch' });
    const unknown = await verify('ab'.repeat(32));
    expect(unknown).toMatchObject({ status: 404, reason: 'invoice_not_found' });
    const otherKey = await (await shop.world.aBusiness()).key('ucp:verify');
    expect(await verify(preimageOf(made), 'chk_01HXYZ', otherKey)).toEqual(unknown);
    const checkout = await shop.aCheckout();
    const { paymentHash } = await shop.open(checkout.id, 'lightning');
    shop.wallet.invoices.pay(paymentHash, {});
    expect(await verify(shop.wallet.invoices.get(paymentHash)?.preimage ?? '', checkout.id)).toEqual(unknown);
  });

  test('is not settled by an overpayment, which is to be returned to the customer', async () => {
    const shop = await aCheckoutShop(database);
    const { make, preimageOf, verify, pay } = ucp(shop);
    const made = await make();
    pay(made, 20_001_000);
    expect(await verify(preimageOf(made))).toMatchObject({ status: 409, reason: 'amount_mismatch' });
    expect(await amountsOf(shop)).toEqual({ dueSats: 20_001 });
  });

  test('gets a new invoice once the node has cancelled the previous one', async () => {
    const shop = await aCheckoutShop(database);
    const { request, ask, make, preimageOf, verify, pay } = ucp(shop);
    const made = await make();
    shop.clock.advance({ minutes: 16 });
    await shop.wallet.refuseConnections();
    expect(await ask(request)).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    await shop.wallet.acceptConnections();
    const again = await ask({ ...request, amount: 20_00 });
    expect(again).toMatchObject({ status: 201, body: { amount_sats: 40_000 } });
    expect(again.body.payment_hash).not.toBe(made.payment_hash);
    expect(await verify(preimageOf(made))).toMatchObject({ status: 410, reason: 'invoice_expired' });
    expect(pay(made)).toBe('expired');
    pay(again.body);
    expect(await verify(preimageOf(again.body))).toMatchObject({ status: 200 });
  });

  test('has one payable invoice, however late the node creates the previous one', async () => {
    const shop = await aCheckoutShop(database);
    const { ask, request, pay, verify, preimageOf } = ucp(shop);
    shop.wallet.addFault({ kind: 'holdUp', call: 'ADD_INVOICE', delayMs: 20 * 60_000 });
    const asked = ask(request);
    await expect.poll(() => shop.wallet.faults()).toEqual([]);
    shop.clock.advance({ minutes: 16 });
    const { body: second } = await ask(request);
    shop.clock.advance({ minutes: 4 });
    expect(await asked).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    const [first] = shop.wallet.invoices.all().filter(one => one.paymentHash !== second.payment_hash);
    expect(shop.wallet.invoices.pay(first?.paymentHash ?? '', {})).toBe('cancelled');
    pay(second);
    expect(await verify(preimageOf(second))).toMatchObject({ status: 200 });
    expect(await amountsOf(shop)).toEqual({ dueSats: 0 });
  });

  test('that was paid in time gets no second invoice, however late it is requested', async () => {
    const shop = await aCheckoutShop(database);
    const { request, ask, make, pay } = ucp(shop);
    const made = await make();
    pay(made);
    shop.clock.advance({ minutes: 16 });
    expect(await ask(request)).toMatchObject({ status: 200, body: { payment_hash: made.payment_hash } });
  });

  test('has one invoice under concurrent requests', async () => {
    const shop = await aCheckoutShop(database);
    const { request, ask } = ucp(shop);
    const responses = await Promise.all(Array.from({ length: 20 }, () => ask(request)));
    expect(new Set(responses.map(({ body }) => body.payment_hash)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(shop.wallet.invoices.all()).toHaveLength(1);
  });
});

test('the payment hash is that of the public vector', () => {
  // Lightning Network Payment Handlers for UCP, 2026-04-28, Test Vectors.
  const preimage = Buffer.from(`${'0'.repeat(63)}1`, 'hex');
  expect(hash('sha256', preimage)).toBe('ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5');
});

test('errors at the platforms’ endpoint have UCP’s shape and codes', async () => {
  const shop = await aCheckoutShop('sqlite', { env: { RATE_LIMIT_PER_ADDRESS: '14' } });
  const { request, ask } = ucp(shop);
  const codeOf = async (body: unknown) => {
    const response = await ask(body);
    expect(Object.keys(response.body)).toEqual(['code', 'message']);
    return [response.status, response.body.code];
  };
  expect(await codeOf('{')).toEqual([400, 'invalid_request']);
  for (const wrong of [{ amount: 0 }, { amount: 1.5 }, { amount: '7' }, { currency: 'gbp' }, { checkout_id: '' }])
    expect(await codeOf({ ...request, ...wrong })).toEqual([400, 'invalid_request']);
  expect(await codeOf({ ...request, currency: 'JPY' })).toEqual([400, 'unsupported_currency']);
  expect(await codeOf({ ...request, currency: 'SAT', amount: Number.MAX_SAFE_INTEGER })).toEqual([
    400,
    'amount_out_of_range',
  ]);
  expect(await codeOf({ ...request, merchant_id: 'biz_00000000' })).toEqual([404, 'merchant_not_found']);
  const unready = await shop.world.aBusiness();
  expect(await codeOf({ ...request, merchant_id: unready.id })).toEqual([409, 'lightning_not_enabled']);
  for (const kind of ['kraken', 'coinbase', 'bitstamp'] as const) shop.rates.control.setFault(kind, 'zero');
  expect(await codeOf(request)).toEqual([503, 'provider_unavailable']);
  expect(shop.wallet.invoices.all()).toEqual([]);
  for (let more = 0; more < 5; more += 1) await ask({ ...request, amount: 0 });
  expect(await codeOf(request)).toEqual([429, 'rate_limited']);
});

eachDatabase('unknown callers', database =>
  test('cannot fill a merchant’s node or block the merchant’s own invoices', async () => {
    const shop = await aCheckoutShop(database, { env: { RATE_LIMIT_PER_ADDRESS: '100000' } });
    const { request, ask, askWith } = ucp(shop);
    const invoices = (count: number, from: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => ask({ ...request, checkout_id: `chk_${from + at}` })));
    expect((await invoices(200, 0)).filter(({ status }) => status === 201)).toHaveLength(200);
    const responses = await invoices(5, 200);
    expect(responses.filter(({ status, body }) => status === 429 && body.code === 'rate_limited')).toHaveLength(5);
    expect(shop.wallet.invoices.all()).toHaveLength(200);
    const more = await askWith({}, { ...request, checkout_id: 'chk_more' });
    expect([more.status, more.headers.get('retry-after')]).toEqual([429, '60']);
    const own = { authorization: `Bearer ${shop.key}` };
    expect((await askWith(own, { ...request, checkout_id: 'chk_more' })).status).toBe(201);
    const other = await shop.world.aBusiness();
    const foreign = { authorization: `Bearer ${await other.key('take-payments:write')}` };
    expect((await askWith(foreign, { ...request, checkout_id: 'chk_foreign' })).status).toBe(404);
    const weak = { authorization: `Bearer ${await shop.business.key('ucp:verify')}` };
    expect((await askWith(weak, { ...request, checkout_id: 'chk_weak' })).status).toBe(403);
  }),
);

test('a business publishes its profile', async () => {
  const { client, key, business, world } = await aCheckoutShop('sqlite');
  expect(await client.call(getUcpProfile, {}, { key })).toMatchObject({
    status: 200,
    body: {
      merchant_id: business.id,
      invoice_endpoint: expect.stringMatching(/^https?:\/\/[^/]+\/ucp\/v1\/invoices$/) as string,
      display_name: expect.any(String) as string,
      supported_currencies: ['SAT', 'GBP'],
    },
  });
  const other = await (await world.aBusiness()).key('ucp:verify');
  expect(await client.call(getUcpProfile, {}, { key: other })).toMatchObject({ status: 409 });
});
