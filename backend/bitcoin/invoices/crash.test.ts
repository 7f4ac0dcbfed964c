import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';

eachDatabase('an invoice whose process was killed after the node created it', database => {
  test('is returned by later requests, and payments made meanwhile are not lost', async () => {
    const { world, business, wallet, aCheckout, becomes, read } = await aCheckoutShop(database);
    const checkout = await aCheckout();
    const { bitcoinBackends, bitcoinInvoices, checkouts } = world.backend.services;
    const invoiceId = (await checkouts.find(checkout.id))?.invoiceId ?? '';
    const row = (await bitcoinInvoices.find(invoiceId))?.invoice;
    if (!row) throw new Error('there is no invoice');
    // The request of the killed process, whose response was never saved.
    const made = await (await bitcoinBackends.nodeOf(business.id))?.node.createInvoice({
      label: invoiceId,
      amountSats: row.amountSats,
      description: { memo: row.memo },
      expiresInSeconds: 900,
    });
    if (made?.kind !== 'created') throw new Error('the node created no invoice');
    const { paymentHash, bolt11 } = made.invoice;
    wallet.invoices.pay(paymentHash, {});
    const other = await aBackend({ sharing: world, env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    const processes = [world, other].map(({ backend }) => backend.services.bitcoinInvoices);
    const opened = await Promise.all([...processes, ...processes].map(one => one.open(invoiceId, 'lightning')));
    expect(opened.map(one => one.ok && [one.value.bolt11, one.value.paymentHash])).toEqual(
      opened.map(() => [bolt11, paymentHash]),
    );
    await becomes(checkout.id, 'COMPLETE');
    expect(await read(checkout.id)).toMatchObject({ receivedSats: 20_000, claim: null });
    expect(wallet.invoices.all()).toHaveLength(1);
  });
});

eachDatabase('an invoice that processes with different secrets keys create at the same time', database => {
  test('is the same for every customer, and paid once', async () => {
    const [old, next] = [1, 2].map(fill => Buffer.alloc(32, fill).toString('base64'));
    const env = { OUTBOUND_ALLOW_LOOPBACK: 'true', SECRETS_KEY: old ?? '' };
    const { world, wallet, aCheckout, becomes, read } = await aCheckoutShop(database, { env });
    const checkout = await aCheckout();
    const invoiceId = (await world.backend.services.checkouts.find(checkout.id))?.invoiceId ?? '';
    const keys = { SECRETS_KEY: next ?? '', SECRETS_KEY_ACCEPTED: old ?? '' };
    const other = await aBackend({ sharing: world, env: { ...env, ...keys } });
    const processes = [world, other].map(({ backend }) => backend.services.bitcoinInvoices);
    const opened = await Promise.all([...processes, ...processes].map(one => one.open(invoiceId, 'lightning')));
    const hashes = new Set(opened.map(one => one.ok && one.value.paymentHash));
    expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    wallet.invoices.pay(String([...hashes][0]), {});
    await becomes(checkout.id, 'COMPLETE');
    expect(await read(checkout.id)).toMatchObject({ receivedSats: 20_000, claim: null });
  });
});
