import { getCheckoutSettings } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { expect, test } from 'vitest';
import { aCheckoutShop } from '../../test/support/checkout-shop.ts';
import { createClient, followCheckout, verifyRedirect } from './index.ts';

test('a checkout is followed to its end, and the return from it is verified', async () => {
  const { aCheckout, open, wallet, becomes, world, client, key } = await aCheckoutShop('sqlite');
  const florin = createClient({ baseUrl: world.url, apiKey: key });
  const { id, businessId } = await aCheckout({ successUrl: 'https://shop.example/thanks?basket=7' });
  const seen: string[] = [];
  let returned = '';
  for await (const { status, redirectUrl } of followCheckout(florin, id)) {
    if (seen.length === 0) {
      const { paymentHash } = await open(id, 'lightning');
      wallet.invoices.pay(paymentHash, {});
      await becomes(id, 'COMPLETE');
    }
    seen.push(status);
    returned = redirectUrl ?? '';
  }
  expect(seen).toEqual(['PENDING', 'COMPLETE']);

  const settings = await client.call(getCheckoutSettings, {}, { key });
  const { signingKey } = settings.status === 200 ? settings.body : { signingKey: '' };
  expect(await verifyRedirect(returned, { signingKey })).toEqual({
    ok: true,
    businessId,
    checkoutId: id,
    status: 'COMPLETE',
  });
  const mismatch = { ok: false, reason: 'signature_mismatch' };
  expect(await verifyRedirect(returned, { signingKey: 'another' })).toEqual(mismatch);
  const changed = (name: string, value: string) => {
    const url = new URL(returned);
    url.searchParams.set(name, value);
    return url;
  };
  for (const [name, value] of Object.entries({ checkoutId: 'chk_000000', status: 'CANCELLED', businessId: 'biz_0' }))
    expect(await verifyRedirect(changed(name, value), { signingKey })).toEqual(mismatch);
  expect(await verifyRedirect(changed('signature', ''), { signingKey })).toMatchObject({ reason: 'parameter_missing' });
  expect(await verifyRedirect(`${returned}&status=COMPLETE`, { signingKey })).toMatchObject({ ok: false });
});
