import { operator } from '@florin/shared/actor.ts';
import { createWithdrawal, getWithdrawal } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { nodesOnThisMachine } from '../../../test/support/lightning-node.ts';
import { startPhoenixdSandbox } from '../sandbox/phoenixd/server.ts';
import { runAdmin } from './run.ts';

async function aShop() {
  const shop = await aCheckoutShop('sqlite', { env: nodesOnThisMachine });
  const { data } = shop.world.settings;
  const since = new Date(shop.clock.now()).toISOString();
  async function compare(from = since) {
    let output = '';
    const print = (text: string) => {
      output += text;
    };
    const args = ['bitcoin-backend', 'compare', '--since', from, '--data', data];
    const code = await runAdmin({ args, env: nodesOnThisMachine, print, printError: print });
    return { code, output };
  }
  async function withdraw() {
    const foreign = shop.wallet.foreignInvoice({ amountSats: 1_000 });
    const { body } = await shop.client.call(
      createWithdrawal,
      { body: { invoice: foreign.bolt11 } as never },
      { key: shop.key },
    );
    if (!('id' in body)) throw new Error(JSON.stringify(body));
    return { ...foreign, ...body };
  }
  return { ...shop, compare, withdraw };
}

test('the comparison with a node finds nothing while the records have everything, and names what the node denies', async () => {
  const { aCheckout, open, becomes, wallet, withdraw, compare } = await aShop();
  const [first, second] = [await aCheckout(), await aCheckout()];
  wallet.invoices.pay((await open(first.id, 'lightning')).paymentHash, {});
  await becomes(first.id, 'COMPLETE');
  wallet.chain.payTo((await open(second.id, 'onchain')).address, 20_000);
  wallet.chain.mine(1);
  await becomes(second.id, 'COMPLETE');
  const { id } = await withdraw();
  expect(await compare()).toEqual({
    code: 0,
    output: expect.stringMatching(/^node_\w+: 3 movements listed by the node, 0 not in the records$/) as string,
  });
  // As a node that was itself restored from an earlier state.
  wallet.reset();
  const { code, output } = await compare();
  expect(code).toBe(1);
  expect(output).toMatch(/brec_\w+: it is recorded as 20000 sats received over Lightning, which the node denies/);
  expect(output).toMatch(/brec_\w+: it is recorded as 20000 sats received on chain, which the node denies/);
  expect(output).toContain(`${id}: it is recorded as completed, and the node did not send it`);
});

test('a withdrawal that the node sent after it was recorded as failed is named', async () => {
  const { client, key, clock, wallet, withdraw, compare } = await aShop();
  wallet.addFault({ kind: 'dropRequest', call: 'SEND_PAYMENT' });
  const { id, bolt11 } = await withdraw();
  const status = async () => {
    clock.advance({ minutes: 1 });
    const { body } = await client.call(getWithdrawal, { params: { id } }, { key });
    return 'status' in body ? body.status : body;
  };
  await expect.poll(status).toBe('failed');
  wallet.payments.send({ bolt11, amountMsat: 0, feeLimitMsat: 10_000 });
  const { code, output } = await compare();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(`${id}: it is recorded as failed, and the node sent it`) as string,
  ]);
});

test('what could not be compared is said in words', async () => {
  const { world, business, wallet, compare } = await aShop();
  const phoenixd = await startPhoenixdSandbox({ clock: world.clock });
  onTestFinished(() => phoenixd.close());
  const settings = { adapter: 'phoenixd', config: { url: phoenixd.url }, secrets: { password: phoenixd.password } };
  expect(await world.backend.services.bitcoinBackends.set(business.id, settings, operator)).toMatchObject({ ok: true });
  const both = await compare();
  expect(both.code).toBe(0);
  expect(both.output).toContain('withdrawals on chain: not compared, since phoenixd has none as it is set up');
  // The node that the business used before is still compared.
  await wallet.refuseConnections();
  const { code, output } = await compare();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('paid Lightning invoices: not compared: nothing listens at its address\n') as string,
  ]);
  expect(output.match(/^ {2}To do: Start it, .+; then compare again$/gm)).toHaveLength(1);
  expect(output).toMatch(
    /^node_\w+: 0 movements listed by the node, 0 not in the records; not everything could be compared$/m,
  );
  // From then on there is nothing yet, which would look like an all-clear.
  expect(await compare('2100-01-01T00:00:00Z')).toMatchObject({
    code: 2,
    output: expect.stringContaining('must not be in the future') as string,
  });
});
