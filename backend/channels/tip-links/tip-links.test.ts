import { createHash } from 'node:crypto';
import { createTipLink, deleteTipLink, getTipLink, listTipLinks } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { bech32 } from '@scure/base';
import { parsePaymentRequest } from 'invoices';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aLightningNode, nodesOnThisMachine, paidThrough } from '../../../test/support/lightning-node.ts';
import { lnurlOf } from './lnurl.ts';

async function aTippedShop(database: DatabaseKind = 'sqlite', env: Record<string, string> = {}) {
  const world = await aBackend({ database, env: { ...nodesOnThisMachine, ...env } });
  const business = await world.aBusiness({ name: 'Corner <Shop>' });
  const key = await business.key('tip-links:read', 'tip-links:write');
  const { client } = world;
  const create = (body: object = { name: 'The kitchen', minimumSats: 10, maximumSats: 5_000 }) =>
    client.call(createTipLink, { body: body as never }, { key });
  const read = (id: string) => client.call(getTipLink, { params: { id } }, { key });
  const ask = async (url: string) => (await (await fetch(url)).json()) as Record<string, never>;
  async function ready() {
    const node = await aLightningNode(world.clock);
    await paidThrough(world, business, node);
    const made = await create();
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const payUrl = `${world.url}/lnurl/tip/${made.body.id}`;
    return { node, link: made.body, payUrl };
  }
  return { world, key, client, create, read, ask, ready };
}

test('an address is encoded as in the public vector of LUD-01', () => {
  expect(lnurlOf('https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df')).toBe(
    'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS',
  );
});

/** The examples of the LUDs (github.com/lnurl/luds), as far as they are whole. */
const published = {
  /** LUD-06: what `metadata` is as text. */
  metadata: '[["text/plain", "lorem ipsum blah blah"]]',
  /** LUD-16: where a wallet asks for an address, and the entry that the metadata must have then. */
  address: { of: 'satoshi@bitcoin.org', isAskedAt: 'https://bitcoin.org/.well-known/lnurlp/satoshi' },
  /** LUD-21: the answers at the `verify` of an invoice. */
  settled: { status: 'OK', settled: true, preimage: '123456...', pr: 'lnbc10...' },
  unsettled: { status: 'OK', settled: false, preimage: null, pr: 'lnbc10...' },
  unknown: { status: 'ERROR', reason: 'Not found' },
} as const;

test('wallets that follow the examples of LUD-06, LUD-16 and LUD-21 read every answer', async () => {
  const askedAt = (address: string) => {
    const [, user = '', host] = /^([a-z0-9\-_.]+)@(.+)$/.exec(address) ?? [];
    return new URL(`https://${host}/.well-known/lnurlp/${user}`);
  };
  const entriesOf = (metadata: string) => JSON.parse(metadata) as readonly (readonly [string, string])[];
  const texts = (metadata: string) => entriesOf(metadata).filter(([kind]) => kind === 'text/plain').length;
  const shapeOf = (answer: object) =>
    Object.entries(answer)
      .map(([name, value]) => `${name}: ${value === null ? 'null' : typeof value}`)
      .toSorted();
  expect(askedAt(published.address.of).href).toBe(published.address.isAskedAt);
  expect(texts(published.metadata)).toBe(1);

  const { world, ask, ready } = await aTippedShop();
  const { node, link, payUrl } = await ready();
  const asked = await ask(world.url + askedAt(link.lightningAddress).pathname);
  expect(askedAt(link.lightningAddress).host).toBe(new URL(world.url).host);
  expect(texts(asked.metadata ?? '')).toBe(1);
  expect(entriesOf(asked.metadata ?? '')).toContainEqual(['text/identifier', link.lightningAddress]);
  const { pr, verify = '' } = await ask(`${asked.callback}?amount=10000`);
  expect(shapeOf(await ask(verify))).toEqual(shapeOf(published.unsettled));
  node.control.invoices.pay(parsePaymentRequest({ request: pr ?? '' }).id, {});
  const verified = async () => {
    world.clock.advance({ seconds: 10 });
    return shapeOf(await ask(verify));
  };
  await expect.poll(verified, { interval: 10, timeout: 30_000 }).toEqual(shapeOf(published.settled));
  expect(shapeOf(await ask(`${payUrl}/verify/${'ab'.repeat(32)}`))).toEqual(shapeOf(published.unknown));
});

eachDatabase('a tip link', database => {
  test('is paid by a wallet that scans it and verifies the invoice and its payment', async () => {
    const { world, read, ask, ready, client, key } = await aTippedShop(database);
    const { node, link, payUrl } = await ready();
    const { words } = bech32.decode(link.lnurl.toLowerCase() as `${string}1${string}`, 2_000);
    expect(new TextDecoder().decode(bech32.fromWords(words))).toBe(payUrl);
    const asked = await ask(payUrl);
    expect(asked).toEqual({
      tag: 'payRequest',
      callback: `${payUrl}/invoice`,
      minSendable: 10_000,
      maxSendable: 5_000_000,
      metadata: JSON.stringify([
        ['text/plain', 'The kitchen (Corner <Shop>)'],
        ['text/identifier', link.lightningAddress],
      ]),
    });
    const [name] = link.lightningAddress.split('@');
    expect(await ask(`${world.url}/.well-known/lnurlp/${name}`)).toEqual(asked);
    const { pr, verify } = await ask(`${asked.callback}?amount=250000`);
    const invoice = parsePaymentRequest({ request: pr ?? '' });
    const hash = createHash('sha256')
      .update(asked.metadata ?? '')
      .digest('hex');
    expect(invoice).toMatchObject({ mtokens: '250000', description_hash: hash });
    expect(await ask(verify ?? '')).toEqual({ status: 'OK', settled: false, preimage: null, pr });
    node.control.invoices.pay(invoice.id, {});
    await expect
      .poll(
        async () => {
          world.clock.advance({ seconds: 10 });
          return ask(verify ?? '');
        },
        { interval: 10, timeout: 30_000 },
      )
      .toEqual({ status: 'OK', settled: true, preimage: node.control.invoices.get(invoice.id)?.preimage, pr });
    expect(await read(link.id)).toMatchObject({ status: 200, body: { receivedSats: 250, tipCount: 1 } });
    expect(await client.call(listTipLinks, { query: {} }, { key })).toMatchObject({
      body: { items: [{ id: link.id, receivedSats: 250 }] },
    });
  });

  test('has its own short Lightning address, which is never reused', async () => {
    const { world, client, key, create, ask, ready } = await aTippedShop(database);
    await ready();
    const named = (lightningName: string, as = key) =>
      client.call(
        createTipLink,
        { body: { name: 'The bar', minimumSats: 10, maximumSats: 20, lightningName } },
        { key: as },
      );
    const made = await named('the-bar_1.2');
    const id = 'id' in made.body ? made.body.id : '';
    const host = new URL(world.url).host;
    expect(made).toMatchObject({ status: 201, body: { lightningAddress: `the-bar_1.2@${host}` } });
    const at = (name: string) => ask(`${world.url}/.well-known/lnurlp/${name}`);
    expect(await at('the-bar_1.2')).toMatchObject({
      tag: 'payRequest',
      callback: `${world.url}/lnurl/tip/${id}/invoice`,
      metadata: expect.stringContaining(`the-bar_1.2@${host}`) as string,
    });
    expect([await at('THE-BAR_1.2'), await at(id)]).toEqual([await at('the-bar_1.2'), await at('the-bar_1.2')]);
    const taken = { status: 409, body: { error: { metadata: { reason: 'name_taken' } } } };
    expect(await named('the-bar_1.2')).toMatchObject(taken);
    await client.call(deleteTipLink, { params: { id } }, { key });
    expect([await named('the-bar_1.2'), await at('the-bar_1.2')]).toMatchObject([taken, { status: 'ERROR' }]);
    for (const wrong of ['', 'Bar', 'tip_1', '-bar', 'b@r', 'b r', 'é', 'x'.repeat(65), '..'])
      expect([wrong, (await named(wrong)).status]).toEqual([wrong, 400]);
    expect(await create()).toMatchObject({ status: 201, body: { lightningName: null } });
    const responses = await Promise.all(Array.from({ length: 5 }, () => named('bar')));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  });

  test('reports errors to wallets, and refuses tips once it is deleted', async () => {
    const { world, client, key, ask, ready } = await aTippedShop(database);
    const { node, link, payUrl } = await ready();
    const error = { status: 'ERROR', reason: expect.any(String) as string };
    for (const amount of ['9000', '5000001', '10500', '0', '-1', '1e9', '99999999999999999999'])
      expect([amount, await ask(`${payUrl}/invoice?amount=${amount}`)]).toEqual([amount, error]);
    for (const path of ['tip_none', '..', '%00', `${link.id}/verify/x`, `${link.id}/verify/${'ab'.repeat(32)}`])
      expect((await fetch(`${world.url}/lnurl/tip/${path}`)).status).toBeLessThan(500);
    await node.control.refuseConnections();
    expect(await ask(`${payUrl}/invoice?amount=10000`)).toEqual(error);
    await node.control.acceptConnections();
    await client.call(deleteTipLink, { params: { id: link.id } }, { key });
    expect(await ask(payUrl)).toEqual(error);
    expect(await ask(`${payUrl}/invoice?amount=10000`)).toEqual(error);
    expect(node.control.invoices.all()).toEqual([]);
    expect((await fetch(link.url)).status).toBe(404);
  });
});

test('the page of a tip link shows a code for wallets', async () => {
  const { world, ready } = await aTippedShop();
  const { link } = await ready();
  const response = await fetch(link.url);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain(`href="lightning:${link.lnurl}"`);
  expect(text).toContain('<svg');
  expect(text).toContain('Corner &#60;Shop&#62;');
  expect(text).toContain(`value="${link.lightningAddress}"`);
  expect((await fetch(`${world.url}/tip/nothing`)).status).toBe(404);
});

test('a business without a Lightning node cannot create tip links', async () => {
  const { create } = await aTippedShop();
  expect(await create()).toMatchObject({
    status: 409,
    body: { error: { metadata: { reason: 'bitcoin_not_available' } } },
  });
});

test('the unpaid invoices of one link are limited', async () => {
  const { ask, ready } = await aTippedShop();
  const { node, payUrl } = await ready();
  const responses = [];
  for (let at = 0; at < 105; at += 1) responses.push(await ask(`${payUrl}/invoice?amount=10000`));
  expect(node.control.invoices.all().length).toBeLessThanOrEqual(100);
  expect(responses.at(-1)).not.toHaveProperty('pr');
});

eachDatabase('a wallet at a tip link', database => {
  test('gets every error with status 200, as LUD-06 specifies', async () => {
    const { ready, world } = await aTippedShop(database, { RATE_LIMIT_PER_ADDRESS: '9' });
    const { payUrl } = await ready();
    const { port } = new URL(world.url);
    const errorOf = async (url: string) => {
      const response = await fetch(url);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const lnurlError = (reason: unknown) => ({ status: 200, body: { status: 'ERROR', reason } });
    const someError = lnurlError(expect.stringMatching(/\w/));
    for (const query of ['', '?amount=', '?amount=10000&amount=20000', `?amount=${'9'.repeat(300)}`, '?amount=10%0A'])
      expect([query, await errorOf(`${payUrl}/invoice${query}`)]).toEqual([query, someError]);
    for (const path of [`/lnurl/tip/${'x'.repeat(300)}`, '/.well-known/lnurlp/nobody'])
      expect([path, await errorOf(`http://127.0.0.1:${port}${path}`)]).toEqual([path, someError]);
    for (let more = 0; more < 9; more += 1) await errorOf(payUrl);
    expect(await errorOf(payUrl)).toEqual(lnurlError(expect.stringContaining('Too many requests')));
  });

  test('gets limits that are exact in JSON', async () => {
    const { ready, create, ask, world } = await aTippedShop(database);
    await ready();
    const most = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);
    for (const maximumSats of [most + 1, Number.MAX_SAFE_INTEGER])
      expect(await create({ name: 'All', maximumSats })).toMatchObject({
        status: 400,
        body: { error: { message: `maximumSats: must be at most ${most}` } },
      });
    const made = await create({ name: 'All', maximumSats: most });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(await ask(`${world.url}/lnurl/tip/${made.body.id}`)).toMatchObject({ maxSendable: most * 1_000 });
    expect(Number.isSafeInteger(most * 1_000)).toBe(true);
  });
});
