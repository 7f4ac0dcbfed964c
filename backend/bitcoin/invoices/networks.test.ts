import { setBitcoinBackend } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import { createCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { openBitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { startPhoenixdSandbox } from '../../programs/sandbox/phoenixd/server.ts';

/** What each channel offers a customer for an amount in pence; 2,000 satoshis are a pound. */
async function channelsOf(shop: Awaited<ReturnType<typeof aCheckoutShop>>) {
  const { client, key, world, business } = shop;
  const till = await aTill(world, key);
  const reasonOf = (body: unknown) =>
    (body as { error?: { metadata?: { reason?: string } } }).error?.metadata?.reason ?? 'no reason';
  let count = 0;
  return {
    async checkout(amount: number) {
      const body = { amount, currency: 'GBP', orderId: `order-${++count}` };
      const made = await client.call(createCheckout, { body }, { key });
      if (made.status !== 201) return reasonOf(made.body);
      const page = await (await fetch(`${world.url}/checkout/${made.body.id}`)).text();
      return { lightning: /lightning:/i.test(page), onChain: page.includes('bitcoin:') };
    },
    async link(amountInCents: number) {
      const body = { description: 'Invoice 7', amountInCents, currency: 'GBP' };
      const made = await client.call(createPaymentLink, { body }, { key });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      const posted = await fetch(`${made.body.url}/bitcoin`, { method: 'POST', redirect: 'manual' });
      const problem = new URL(posted.headers.get('location') ?? '', world.url).searchParams.get('problem');
      if (problem !== null) return problem;
      const page = await (await fetch(made.body.url)).text();
      return { lightning: page.includes('id="bolt11"'), onChain: page.includes('id="address"') };
    },
    async terminal(amountInCents: number) {
      const params = { saleId: `sale_${String(++count).padStart(8, '0')}` };
      const opened = await client.call(
        openBitcoinSale,
        { params, body: { amountInCents, currency: 'GBP' } },
        { key: till.token },
      );
      if (opened.status !== 200) return reasonOf(opened.body);
      const uri = opened.body.paymentUri ?? '';
      return { lightning: /lightning[=:]/i.test(uri), onChain: /^bitcoin:bc/i.test(uri) };
    },
    async startedSale(amountInCents: number) {
      const body = { serial: 'SN-1', amountInCents, currency: 'GBP', mode: 'bitcoin' } as const;
      const started = await client.call(startTerminalSale, { body }, { key });
      return started.status === 201 ? 'started' : reasonOf(started.body);
    },
    async ucp(amount: number) {
      const body = { merchant_id: business.id, checkout_id: `chk_${++count}`, currency: 'GBP', amount };
      const headers = { 'content-type': 'application/json' };
      const made = await fetch(`${world.url}/ucp/v1/invoices`, { method: 'POST', headers, body: JSON.stringify(body) });
      return made.status === 201 ? 'created' : ((await made.json()) as { code: string }).code;
    },
  };
}

eachDatabase('an amount', database => {
  test('over what the node can receive is offered on chain alone', async () => {
    const channels = await channelsOf(await aCheckoutShop(database, { sandbox: true }));
    const receivable = 75_000_00;
    const both = { lightning: true, onChain: true };
    expect([await channels.checkout(receivable), await channels.link(receivable)]).toEqual([
      { lightning: true, onChain: false },
      both,
    ]);
    expect(await channels.ucp(receivable)).toBe('created');
    const onChain = { lightning: false, onChain: true };
    const more = receivable + 1;
    expect([await channels.checkout(more), await channels.link(more)]).toEqual([onChain, onChain]);
    expect([await channels.terminal(more), await channels.ucp(more)]).toEqual([onChain, 'amount_out_of_range']);
  });

  test('over the setting is refused where the node does not tell what it can receive', async () => {
    const env = { BITCOIN_LIGHTNING_MAX_SATS: '20000' };
    const shop = await aCheckoutShop(database, { sandbox: true, hasNode: false, env });
    const phoenixd = await startPhoenixdSandbox({ clock: shop.clock });
    onTestFinished(() => phoenixd.close());
    const body = { adapter: 'phoenixd', config: { url: phoenixd.url }, secrets: { password: phoenixd.password } };
    expect(await shop.client.call(setBitcoinBackend, { body }, { key: shop.key })).toMatchObject({ status: 200 });
    const { checkout, link, terminal, startedSale, ucp } = await channelsOf(shop);
    const lightning = { lightning: true, onChain: false };
    expect([await checkout(10_00), await link(10_00), await ucp(10_00)]).toEqual([lightning, lightning, 'created']);
    expect([await checkout(10_01), await ucp(10_01)]).toEqual(['amount_out_of_range', 'amount_out_of_range']);
    expect(await link(10_01)).toBe('bitcoin_amount_out_of_range');
    expect([await terminal(10_01), await startedSale(10_01)]).toEqual(['amount_out_of_range', 'amount_out_of_range']);
    expect(await terminal(10_00)).toEqual(lightning);
  });
});
