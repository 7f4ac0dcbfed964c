import { getBitcoinBackend, setBitcoinBackend } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import { expect, onTestFinished, test } from 'vitest';
import { vpub } from '../../../test/conformance/node/world.ts';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aLightningNode } from '../../../test/support/lightning-node.ts';
import { startPhoenixdSandbox } from '../../programs/sandbox/phoenixd/server.ts';

const firstAddress = 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk';
const secondAddress = 'bcrt1qd7spv5q28348xl4myc8zmh983w5jx32cs707jh';
const vprv =
  'vprv9K7GLAaERuM58PVvbk1sMo7wzVCoPwzZpVXLRBmum93gL5pSqQCAAvZjtmz93nnnYMr9i2FwG2fqrwYLRgJmDDwFjGiamGsbRMJ5Y6siJ8H';

/** A shop paid through phoenixd, with its own account watched on servers with Esplora's interface. */
async function aShopWithAnAccount(database: DatabaseKind, servers = 1) {
  const shop = await aCheckoutShop(database, { hasNode: false });
  const phoenixd = await startPhoenixdSandbox({ clock: shop.clock });
  onTestFinished(() => phoenixd.close());
  const chains = await Promise.all(Array.from({ length: servers }, () => aLightningNode(shop.clock)));
  const sources = chains.map(({ controlUrl }) => `${controlUrl}/esplora`);
  const { client, key } = shop;
  const set = (onChain: object = {}) => {
    const config = { url: phoenixd.url, onChain: { publicKey: vpub, sources, ...onChain } };
    const body = { adapter: 'phoenixd', config, secrets: { password: phoenixd.password } };
    return client.call(setBitcoinBackend, { body }, { key });
  };
  const get = () => client.call(getBitcoinBackend, {}, { key });
  return { ...shop, set, get, controls: chains.map(({ control }) => control) };
}

eachDatabase('a business whose node has no addresses', database => {
  test('is paid on chain at addresses of its own account', async () => {
    const { set, get, controls, aCheckout, open, becomes, read } = await aShopWithAnAccount(database);
    expect(await set()).toMatchObject({
      status: 200,
      body: {
        capabilities: { lightning: true, onChain: true },
        addresses: { first: firstAddress, given: 0 },
        tests: [{ name: 'node' }, { name: 'balances' }, { name: 'addresses', ok: true }],
      },
    });
    const [chain] = controls.map(control => control.chain);
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    expect(address).toBe(firstAddress);
    const paid = chain?.payTo(address, 20_000);
    await becomes(checkout.id, 'PROCESSING');
    chain?.replace(paid?.txId ?? '', undefined);
    await becomes(checkout.id, 'PENDING');
    chain?.payTo(address, 20_000);
    await becomes(checkout.id, 'PROCESSING');
    chain?.mine(1);
    await becomes(checkout.id, 'COMPLETE');
    expect((await read(checkout.id)).receipts.map(({ status }) => status)).toEqual(['replaced', 'confirmed']);
    expect(await get()).toMatchObject({ body: { addresses: { first: firstAddress, given: 1 } } });
  });

  test('gives each address once across processes, and none that was paid before', async () => {
    const { world, business, set, controls, aCheckout } = await aShopWithAnAccount(database);
    await set();
    controls[0]?.chain.payTo(firstAddress, 700);
    const other = await aBackend({ sharing: world, env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    const services = [world, other].map(({ backend }) => backend.services);
    const nodes = await Promise.all(services.map(({ bitcoinBackends }) => bitcoinBackends.nodeOf(business.id)));
    const asked = Array.from({ length: 12 }, async (_, at) => nodes[at % 2]?.node.newAddress());
    const made = (await Promise.all(asked)).map(answer => answer?.kind === 'answered' && answer.value.address);
    expect(new Set(made).size).toBe(12);
    expect(made).not.toContain(firstAddress);
    expect(made).toContain(secondAddress);
    const checkouts = [await aCheckout(), await aCheckout()];
    const invoiceIds = await Promise.all(
      checkouts.map(async ({ id }) => (await services[0]?.checkouts.find(id))?.invoiceId ?? ''),
    );
    // Both processes request the address of the same invoice.
    for (const id of invoiceIds) {
      const opened = await Promise.all(services.map(({ bitcoinInvoices }) => bitcoinInvoices.open(id, 'onchain')));
      expect(new Set(opened.map(one => one.ok && one.value.address)).size).toBe(1);
    }
  });

  test('counts payments that all servers report, and none while a server is unreachable', async () => {
    const { set, controls, aCheckout, open, becomes, read, until, client, key } = await aShopWithAnAccount(database, 2);
    await set();
    const [correct, other] = controls;
    const checkout = await aCheckout();
    const { address } = await open(checkout.id, 'onchain');
    other?.esplora.setFault('lying');
    await becomes(checkout.id, 'PROCESSING');
    expect(await read(checkout.id)).toMatchObject({ receivedSats: 0, processingSats: 1_000_000 });
    other?.esplora.setFault(undefined);
    await becomes(checkout.id, 'PENDING');
    for (const fault of ['busy', 'broken', 'garbled'] as const) {
      other?.esplora.setFault(fault);
      expect(await client.call(getBitcoinBackend, {}, { key })).toMatchObject({
        body: { tests: [{ ok: true }, { ok: true }, { name: 'addresses', ok: false }] },
      });
    }
    const second = await aCheckout();
    await expect(open(second.id, 'onchain')).rejects.toThrow('node_unreachable');
    const { txId } = correct?.chain.payTo(address, 20_000) ?? { txId: '' };
    correct?.chain.mine(1);
    other?.esplora.setFault(undefined);
    await becomes(checkout.id, 'PROCESSING');
    expect(await read(checkout.id)).toMatchObject({ receivedSats: 0, processingSats: 20_000 });
    // Each sandbox has its own chain, where the same payment has another transaction id.
    expect(txId).toMatch(/^[0-9a-f]{64}$/);
    await until(async () => (await read(checkout.id)).receivedSats === 0);
  });

  test('refuses a private key, and does not store it', async () => {
    const { world, set, get } = await aShopWithAnAccount(database);
    const refused = await set({ publicKey: vprv });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'config.onChain.publicKey' }] } } },
    });
    expect(JSON.stringify(refused.body)).toContain('is a private key');
    expect(JSON.stringify([refused.body, await everythingIn(world.backend.database), world.logged()])).not.toContain(
      vprv.slice(0, 20),
    );
    expect(await set({ publicKey: 'x'.repeat(301), script: 'bip44', sources: [] })).toMatchObject({
      body: {
        error: {
          metadata: {
            issues: [
              { path: 'config.onChain.publicKey', message: 'must have at most 300 characters' },
              { path: 'config.onChain.script', message: 'must be one of bip84, bip86' },
              { path: 'config.onChain.sources', message: 'must have at least 1 item' },
            ],
          },
        },
      },
    });
    expect(await set({ sources: ['http://169.254.169.254/latest'] })).toMatchObject({ status: 400 });
    const mainnet =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    expect(await set({ publicKey: mainnet })).toMatchObject({ status: 409 });
    expect(await get()).toMatchObject({ status: 404 });
  });
});
