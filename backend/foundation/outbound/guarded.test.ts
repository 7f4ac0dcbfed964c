import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createWebhook, listWebhookDeliveries, testWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aBackend, type BackendOptions, type BackendWorld } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { mayConnectTo, urlProblem } from './address.ts';
import { guardedOutbound, type Resolve, type ResolvedAddress } from './guarded.ts';

const ipv4 = (address: string): ResolvedAddress => ({ address, family: 4 });

const names: Readonly<Record<string, readonly ResolvedAddress[]>> = {
  'shop.example': [ipv4('93.184.215.14'), { address: '2606:4700::1111', family: 6 }],
  'inside.example': [ipv4('10.1.2.3')],
  'half-inside.example': [ipv4('93.184.215.14'), ipv4('169.254.169.254')],
  'mapped.example': [{ address: '::ffff:7f00:1', family: 6 }],
};
const resolve: Resolve = async name => {
  const found = names[name];
  if (!found) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return found;
};

async function aMerchant(options: Pick<BackendOptions, 'env' | 'resolve'> & Pick<BackendOptions, 'until'> = {}) {
  const world = await aBackend({ resolve, ...options });
  const key = await (await world.aBusiness()).key('webhooks:read', 'webhooks:write');
  const tries = (url: string) =>
    world.client.call(createWebhook, { body: { url, eventType: 'payment.completed' } }, { key });
  return { world, key, tries };
}

/** The one attempt of a test event to this URL. */
async function attemptAt(world: BackendWorld, key: string, id: string) {
  await world.client.call(testWebhook, { params: { id } }, { key });
  const attempt = async () => {
    const listed = await world.client.call(listWebhookDeliveries, { params: { id } }, { key });
    return listed.status === 200 ? listed.body.items[0]?.attempts[0] : undefined;
  };
  await expect.poll(async () => (await attempt())?.outcome).toBeTruthy();
  return attempt();
}

const hostile = [
  // This machine, in every notation.
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.0.0.01/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://app.localhost/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127.0.0.1.nip.io/',
  'https://127-0-0-1.sslip.io/',
  'https://localtest.me/',
  // Private networks.
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[100::1]/',
  'https://[2001::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://intranet/',
  'https://printer.local/',
  'https://db.internal/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  // Cloud metadata services.
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://[fd00:ec2::254]/',
  'https://metadata.google.internal/',
  'https://169.254.169.254.nip.io/',
  // Names that resolve to such addresses.
  'https://inside.example/',
  'https://half-inside.example/',
  'https://mapped.example/',
  // Not https, or more than a host.
  'http://shop.example/',
  'http://93.184.215.14/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'gopher://shop.example/',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//shop.example/',
  'shop.example',
  'https://',
  'https://shop.example@127.0.0.1/',
  'https://user:password@shop.example/',
  'https://user@shop.example/',
  'https://shop.example:25/',
  'https://shop.example:22/',
  'https://shop.example./',
  'https://shop.example\\@127.0.0.1/',
  'https://shop .example/',
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example/',
  'https:////shop.example/',
  'https://shop.exam\tple/',
  `https://shop.example/${'x'.repeat(2_000)}`,
];

describe('a URL of a merchant', () => {
  let merchant: Awaited<ReturnType<typeof aMerchant>>;
  const until: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    merchant = await aMerchant({ until });
    return async () => {
      for (const end of until.reverse()) await end();
    };
  });

  test.each(hostile)('%s is refused when it is configured', async url => {
    expect(await merchant.tries(url)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^url: must /), metadata: { issues: [{ path: 'url' }] } } },
    });
  });

  test.each(['https://shop.example:99999/', 'https://shop.example:65536', 'https://[::1]:70000/?q'])(
    'the message for %s names its port',
    async url => {
      expect(await merchant.tries(url)).toMatchObject({
        status: 400,
        body: { error: { message: 'url: must have a port up to 65535' } },
      });
    },
  );

  test.each([
    'https://shop.example/hooks?tenant=4',
    'https://shop.example:8443/',
    'https://93.184.215.14/',
    'https://[2606:4700::1111]/',
    'https://not-there-yet.example/',
    'https://xn--caf-dma.example/',
  ])('%s is accepted', async url => {
    expect(await merchant.tries(url)).toMatchObject({ status: 201, body: { url } });
  });
});

test('with loopback allowed, http to this machine is accepted, and other private addresses are refused', async () => {
  const { tries } = await aMerchant({ env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
  for (const url of ['http://127.0.0.1:4999/', 'http://localhost:4999/', 'http://[::1]:4999/'])
    expect(await tries(url)).toMatchObject({ status: 201 });
  for (const url of ['http://10.0.0.1/', 'http://shop.example/', 'http://169.254.169.254/', 'https://10.0.0.1/'])
    expect(await tries(url)).toMatchObject({ status: 400 });
});

test('a private address is refused in every notation', () => {
  const blocks = [
    [0x0a000000, 8],
    [0x7f000000, 8],
    [0xac100000, 12],
    [0xc0a80000, 16],
    [0xa9fe0000, 16],
    [0x64400000, 10],
    [0x00000000, 8],
    [0xe0000000, 3],
  ] as const;
  const privateIpv4 = fc
    .tuple(fc.constantFrom(...blocks), fc.nat({ max: 0xff_ff_ff_ff }))
    .map(([[base, bits], host]) => (base + (host % 2 ** (32 - bits))) >>> 0);
  const forms: readonly ((value: number) => string)[] = [
    value => bytesOf(value).join('.'),
    value => String(value),
    value => `0x${value.toString(16)}`,
    value => `0${value.toString(8)}`,
    value =>
      bytesOf(value)
        .map(byte => `0${byte.toString(8)}`)
        .join('.'),
    value =>
      bytesOf(value)
        .map(byte => `0x${byte.toString(16)}`)
        .join('.'),
    value => `[::ffff:${bytesOf(value).join('.')}]`,
    value => `[::${groupsOf(value)}]`,
    value => `[64:ff9b::${groupsOf(value)}]`,
    value => `[2002:${groupsOf(value)}::1]`,
  ];
  fc.assert(
    fc.property(privateIpv4, fc.constantFrom(...forms), (value, form) => {
      const url = `https://${form(value)}/`;
      expect([url, urlProblem(url, { allowLoopback: false })]).toEqual([url, expect.stringMatching(/^must /)]);
    }),
    { numRuns: 3_000 },
  );
  fc.assert(
    fc.property(fc.ipV6(), address => {
      const isGlobal = /^[23][0-9a-f]{3}:/i.test(address);
      if (mayConnectTo(address, { allowLoopback: false })) expect([address, isGlobal]).toEqual([address, true]);
    }),
    { numRuns: 3_000 },
  );
});

const bytesOf = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const groupsOf = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

test('a name that resolves to a private address when connecting is refused', async () => {
  let connections = 0;
  const inside = createServer(socket => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>(listening => {
    inside.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(() => void inside.close());
  const { port } = inside.address() as AddressInfo;
  let asked = 0;
  const { world, key, tries } = await aMerchant({
    resolve: async () => {
      asked += 1;
      return [ipv4(asked === 1 ? '93.184.215.14' : '127.0.0.1')];
    },
  });
  const made = await tries(`https://rebind.example:${port}/`);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  expect(await attemptAt(world, key, made.body.id)).toMatchObject({
    outcome: 'address_refused',
    error: '127.0.0.1 is a private or internal address',
    responseStatus: null,
  });
  expect(asked).toBeGreaterThan(1);
  expect(connections).toBe(0);
});

test('a redirect is a failure, and is not followed', async () => {
  const { world, key, tries } = await aMerchant({ env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
  const secret = await aWebhookReceiver();
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await aWebhookReceiver((_, response) => {
      response.writeHead(status, { location: secret.url }).end();
      return undefined;
    });
    const made = await tries(receiver.url);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(await attemptAt(world, key, made.body.id)).toMatchObject({ outcome: 'refused', responseStatus: status });
  }
  expect(secret.received).toEqual([]);
});

test('an endless response is cut off, and its beginning stored without control characters', async () => {
  const { world, key, tries } = await aMerchant({ env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
  let written = 0;
  const receiver = await aWebhookReceiver((_, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(`a\u0000\u001b[31m${'x'.repeat(16_384)}`)) written += 16_384;
    };
    response.on('drain', more);
    more();
    return undefined;
  });
  const made = await tries(receiver.url);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const attempt = await attemptAt(world, key, made.body.id);
  expect(attempt).toMatchObject({ outcome: 'delivered', responseStatus: 200 });
  expect(attempt?.responseExcerpt).toMatch(/^a\ufffd\ufffd\[31mx{100}/);
  expect(attempt?.responseExcerpt?.length).toBeLessThanOrEqual(1_024);
  expect(written).toBeLessThan(64_000_000);
});

/** A receiver addressed by name. */
async function aNamedReceiver(addressesOf: Resolve) {
  const clock = testClock();
  const receiver = await aWebhookReceiver();
  const outbound = guardedOutbound({ policy: { allowLoopback: true }, timers: clock, resolve: addressesOf });
  onTestFinished(() => outbound.close());
  const { port } = new URL(receiver.url);
  const post = (body: string) =>
    outbound.post({ url: `http://localhost:${port}/hooks`, headers: {}, body, timeoutMs: 30_000 });
  await outbound.prepare();
  return { clock, receiver, post, abort: outbound.abort };
}

test('sequential requests share a connection, whose address was checked when it was opened', async () => {
  let asked = 0;
  const { receiver, post } = await aNamedReceiver(async () => {
    asked += 1;
    return [ipv4('127.0.0.1')];
  });
  for (let count = 1; count <= 20; count += 1)
    expect(await post(String(count))).toEqual({ kind: 'response', status: 200, excerpt: 'answer 200' });
  expect(receiver.received.map(({ body }) => Number(body))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  // The second request may begin before the first connection is free.
  expect(asked).toBeLessThanOrEqual(2);
});

test('a connection timeout ends the request, and nothing is sent later', async () => {
  const here = [ipv4('127.0.0.1')];
  const waiting: (() => void)[] = [];
  let isFound = false;
  const { clock, receiver, post } = await aNamedReceiver(
    () => new Promise(found => (isFound ? found(here) : waiting.push(() => found(here)))),
  );
  const late = post('late');
  await expect.poll(() => waiting.length).toBe(1);
  clock.advance({ seconds: 30 });
  expect(await late).toEqual({ kind: 'timeout' });
  isFound = true;
  for (const found of waiting) found();
  expect(await post('next')).toMatchObject({ kind: 'response', status: 200 });
  expect(receiver.received.map(({ body }) => body)).toEqual(['next']);
});

test('a process that stops ends its requests in progress, and sends nothing later', async () => {
  const waiting: (() => void)[] = [];
  const { receiver, post, abort } = await aNamedReceiver(
    () => new Promise(found => void waiting.push(() => found([ipv4('127.0.0.1')]))),
  );
  const connecting = [post('first'), post('second')];
  await expect.poll(() => waiting.length).toBe(2);
  abort();
  expect(await Promise.all([...connecting, post('third')])).toEqual(Array(3).fill({ kind: 'aborted' }));
  for (const found of waiting) found();
  await fetch(receiver.url, { method: 'POST', body: 'after the others' });
  expect(receiver.received.map(({ body }) => body)).toEqual(['after the others']);
});

test('a response that does not end counts by its status after two seconds', async () => {
  const clock = testClock();
  const { url } = await aWebhookReceiver((_, response) => {
    response.writeHead(202).write('begun');
    return undefined;
  });
  const outbound = guardedOutbound({ policy: { allowLoopback: true }, timers: clock });
  onTestFinished(() => outbound.close());
  const posted = outbound.post({ url, headers: {}, body: '', timeoutMs: 30_000 });
  let result: unknown;
  void posted.then(is => {
    result = is;
  });
  await expect
    .poll(() => {
      clock.advance({ ms: 500 });
      return result;
    })
    .toEqual({ kind: 'response', status: 202, excerpt: 'begun' });
  expect(clock.now()).toBeLessThan(testClock().now() + 30_000);
});
