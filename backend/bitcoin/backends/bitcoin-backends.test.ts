import { getBackup, getBitcoinBackend, setBitcoinBackend } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aLightningNode, lndSettings, nodesOnThisMachine } from '../../../test/support/lightning-node.ts';

const permissions: Permission[] = ['bitcoin-backend:read', 'bitcoin-backend:write', 'backup:read'];

async function aMerchant(database: DatabaseKind) {
  const world = await aBackend({ database, env: nodesOnThisMachine });
  const business = await world.aBusiness();
  const key = await business.key(...permissions);
  const set = (body: object) => world.client.call(setBitcoinBackend, { body: body as never }, { key });
  const get = () => world.client.call(getBitcoinBackend, {}, { key });
  return { world, business, key, set, get };
}

eachDatabase('the bitcoin backend', database => {
  test('is saved if the node responds, and shown without its secrets', async () => {
    const { world, business, key, set, get } = await aMerchant(database);
    const node = await aLightningNode();
    expect(await get()).toMatchObject({ status: 404 });
    const made = await set(lndSettings(node));
    expect(made).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^node_/),
        adapter: 'lnd',
        network: 'regtest',
        config: { url: node.url },
        tests: [
          { name: 'node', ok: true },
          { name: 'invoices', ok: true },
          { name: 'balances', ok: true },
        ],
      },
    });
    const read = await get();
    expect(read.body).toEqual(made.body);
    const { admin } = node.macaroons;
    expect(JSON.stringify(read.body)).not.toContain(admin);
    expect(await everythingIn(world.backend.database)).not.toContain(admin);
    expect(world.logged()).not.toContain(admin);
    const current = await world.backend.services.bitcoinBackends.nodeOf(business.id);
    expect(await current?.node.info()).toMatchObject({ kind: 'answered' });
    expect(await world.client.call(getBackup, {}, { key })).toMatchObject({
      status: 200,
      body: { format: 'lnd_multi_channel_backup', channels: 3, data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
    });
  });

  test('is unchanged if the new node fails its test', async () => {
    const { set, get } = await aMerchant(database);
    const node = await aLightningNode();
    const other = await aLightningNode();
    const made = await set(lndSettings(node));
    const wrong = { ...lndSettings(node), secrets: { macaroon: '0201036c6e64'.padEnd(120, '0') } };
    expect(await set(wrong)).toMatchObject({
      status: 409,
      body: {
        error: { metadata: { reason: 'bitcoin_backend_test_failed', tests: [{ cause: 'permission_denied' }, {}, {}] } },
      },
    });
    const unpinned = { ...lndSettings(node), config: { url: node.url, certificate: other.certificate } };
    expect(await set(unpinned)).toMatchObject({
      status: 409,
      body: { error: { metadata: { tests: [{ cause: 'certificate_rejected' }, {}, {}] } } },
    });
    await node.control.refuseConnections();
    expect(await set(lndSettings(node))).toMatchObject({
      status: 409,
      body: { error: { metadata: { tests: [{ cause: 'connection_refused' }, {}, {}] } } },
    });
    await node.control.acceptConnections();
    expect((await get()).body).toEqual(made.body);
  });

  test('keeps its record with another macaroon, and gets a new record with another node', async () => {
    const { world, business, set } = await aMerchant(database);
    const [first, second] = [await aLightningNode(), await aLightningNode()];
    const made = await set(lndSettings(first));
    const renewed = await set(lndSettings(first, 'receive'));
    const replaced = await set(lndSettings(second));
    if (made.status !== 200 || renewed.status !== 200 || replaced.status !== 200) throw new Error('not set');
    expect(renewed.body.id).toBe(made.body.id);
    expect(replaced.body.id).not.toBe(made.body.id);
    const { bitcoinBackends } = world.backend.services;
    const invoice = { label: 'x', amountSats: 1, description: { memo: '' }, expiresInSeconds: 60 };
    const current = await bitcoinBackends.nodeOf(business.id);
    expect(current?.backendId).toBe(replaced.body.id);
    await current?.node.createInvoice(invoice);
    expect(second.control.invoices.all()).toHaveLength(1);
    // Invoices of the first node are still polled there.
    await (await bitcoinBackends.ofBackend(made.body.id)).createInvoice(invoice);
    expect(first.control.invoices.all()).toHaveLength(1);
  });

  test('refuses invalid settings and names the field', async () => {
    const { set } = await aMerchant(database);
    const settings = lndSettings(await aLightningNode());
    const bad: readonly (readonly [object, string])[] = [
      [{ ...settings, adapter: 'cln' }, 'adapter'],
      [{ ...settings, secrets: {} }, 'secrets.macaroon'],
      [{ ...settings, secrets: { macaroon: 'not one' } }, 'secrets.macaroon'],
      [{ ...settings, config: { url: 'file:///etc/passwd' } }, 'config.url'],
      [{ ...settings, config: { url: 'http://node.example:8080' } }, 'config.url'],
      [{ ...settings, config: { url: 'https://169.254.169.254/' } }, 'config.url'],
      [{ ...settings, config: { url: 'https://node.example', certificate: 'x' } }, 'config.certificate'],
    ];
    for (const [body, path] of bad)
      expect([path, await set(body)]).toMatchObject([
        path,
        { status: 400, body: { error: { metadata: { issues: [{ path }] } } } },
      ]);
  });
});

test('a node in a private network is refused unless the operator allows it', async () => {
  const world = await aBackend();
  const key = await (await world.aBusiness()).key(...permissions);
  const settings = lndSettings(await aLightningNode());
  const urls = [settings.config.url, 'https://10.0.0.7:8080', 'https://[fd12::1]:8080', 'https://umbrel.local:8080'];
  for (const url of urls)
    expect(
      await world.client.call(setBitcoinBackend, { body: { ...settings, config: { url } } }, { key }),
    ).toMatchObject({ status: 400, body: { error: { metadata: { issues: [{ path: 'config.url' }] } } } });
});
