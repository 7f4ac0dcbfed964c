import { once } from 'node:events';
import { createConnection } from 'node:net';
import { operator } from '@florin/shared/actor.ts';
import { contract } from '@florin/shared/contracts/contract.ts';
import { eventStream } from '@florin/shared/contracts/responses.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { aBackend } from '../../../test/support/backend.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';
import { headerAuthenticator } from './authenticate.ts';
import { type Route, respondEvents, route } from './route.ts';
import { tooManyOpenStreams } from './stream-limits.ts';

const events = { open: z.object({}) };
/** What a stream's source still waits for after its caller has left. */
let sourceEnds: Promise<unknown> = Promise.resolve();

/** Streams that stay open until the caller leaves. */
function aStream(name: string, authentication: 'none' | 'kioskKey' | 'deviceToken' | 'apiKey'): Route {
  return route(
    contract({
      name,
      method: 'GET',
      path: `/api/v1/test/${name}`,
      authentication: [authentication],
      summary: 'Test',
      tag: 'Test',
      query: z.strictObject({ record: z.string().optional() }),
      responses: { 200: eventStream(events) },
    }),
    async ({ over }) => {
      async function* untilOver() {
        yield { event: 'open', data: {} } as const;
        await once(over, 'abort');
        await sourceEnds;
        return undefined;
      }
      return respondEvents(200, untilOver());
    },
  );
}

const streams = {
  public: aStream('public', 'none'),
  kiosk: aStream('kiosk', 'kioskKey'),
  terminal: aStream('terminal', 'deviceToken'),
  apiKey: aStream('apiKey', 'apiKey'),
};

/** Any number is a kiosk's key and a terminal's token. */
const authenticators = {
  kioskKey: headerAuthenticator('kiosk key', 'x-kiosk', async key => ({
    kind: 'kioskKey' as const,
    businessId: 'biz_1',
    kioskKeyId: `kiosk_${key}`,
    name: 'Foyer',
    terminalIds: new Set<string>(),
  })),
  deviceToken: headerAuthenticator('device token', 'x-terminal', async token => ({
    kind: 'deviceToken' as const,
    businessId: 'biz_1',
    terminalId: `dev_${token}`,
    machineId: `dev_${token}`,
  })),
};

async function aStreamingBackend(env: Readonly<Record<string, string>>) {
  const world = await aBackend({
    env: { RATE_LIMIT_PER_ADDRESS: '1000', TRUSTED_PROXIES: '127.0.0.1', METRICS_PORT: '0', ...env },
    extraRoutes: Object.values(streams),
    authenticators,
  });
  const open = (kind: keyof typeof streams, { record = '', ...headers }: Readonly<Record<string, string>> = {}) =>
    anEventStream(`${world.url}/api/v1/test/${kind}${record && `?record=${record}`}`, headers);
  return {
    ...world,
    open,
    status: async (...args: Parameters<typeof open>) => (await open(...args)).status,
    metric: async (line: string) => {
      const text = await (await fetch(world.metricsUrl ?? '')).text();
      return Number(
        text
          .split('\n')
          .find(each => each.startsWith(`${line} `))
          ?.slice(line.length),
      );
    },
  };
}

test('streams of a record are refused beyond the limit, with when to come back, and others are not', async () => {
  const { open, status, url, metric } = await aStreamingBackend({ MAX_STREAMS_PER_RECORD: '2' });
  const devices = [await open('public', { record: 'a' }), await open('public', { record: 'a' })];
  expect(devices.map(each => each.status)).toEqual([200, 200]);
  // The same record in other characters.
  const refused = await fetch(`${url}/api/v1/test/public?record=%61`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  const { message, metadata } = tooManyOpenStreams;
  expect(await refused.json()).toEqual({ error: { code: 429, message, metadata } });
  expect(await status('public', { record: 'b' })).toBe(200);
  expect(await metric('florin_event_streams_open{caller="none"}')).toBe(3);
  expect(await metric('florin_event_streams_refused_total{limit="perRecord"}')).toBe(1);
  expect((await fetch(`${url}/api/v1/test/public?record=a`, { method: 'HEAD' })).status).toBe(200);
  for (const device of devices) expect(device.events).toHaveLength(1);
});

test('a stream that its caller closes, or whose connection breaks, makes room for another', async () => {
  const { open, status, url, metric } = await aStreamingBackend({ MAX_STREAMS_PER_RECORD: '2' });
  const closed = await open('public');
  const { hostname, port } = new URL(url);
  const broken = createConnection(Number(port), hostname);
  broken.write('GET /api/v1/test/public HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(broken, 'data');
  expect(await status('public')).toBe(429);
  for (const leave of [() => closed.close(), () => broken.resetAndDestroy()]) {
    leave();
    await expect.poll(() => status('public'), { interval: 5 }).toBe(200);
    expect(await status('public')).toBe(429);
  }
  expect(await metric('florin_event_streams_open{caller="none"}')).toBe(2);
});

test('streams without a key are limited by address, and an IPv6 network counts as one', async () => {
  const { status } = await aStreamingBackend({ MAX_STREAMS_PER_ADDRESS: '1' });
  const from = (address: string, record: string) => status('public', { 'x-forwarded-for': address, record });
  expect(await from('198.51.100.1', 'a')).toBe(200);
  expect(await from('198.51.100.1', 'b')).toBe(429);
  expect(await from('198.51.100.2', 'b')).toBe(200);
  expect(await from('2001:db8::1', 'c')).toBe(200);
  expect(await from('2001:db8::2', 'd')).toBe(429);
});

test('streams without a key together leave connections to keys and terminals', async () => {
  const { status } = await aStreamingBackend({ MAX_CONNECTIONS: '4' });
  expect(await status('public', { record: 'a', 'x-forwarded-for': '198.51.100.1' })).toBe(200);
  expect(await status('public', { record: 'b', 'x-forwarded-for': '198.51.100.2' })).toBe(200);
  expect(await status('public', { record: 'c', 'x-forwarded-for': '198.51.100.3' })).toBe(429);
  expect(await status('kiosk', { 'x-kiosk': '1' })).toBe(200);
  expect(await status('terminal', { 'x-terminal': '1' })).toBe(200);
});

test('a key has its own limit, whose streams refuse no other key', async () => {
  const { open, status } = await aStreamingBackend({ MAX_STREAMS_PER_KEY: '2', MAX_STREAMS_PER_RECORD: '1' });
  const first = await open('kiosk', { 'x-kiosk': '1', record: 'a' });
  expect(await status('kiosk', { 'x-kiosk': '1', record: 'a' })).toBe(429);
  expect(await status('kiosk', { 'x-kiosk': '1', record: 'b' })).toBe(200);
  expect(await status('kiosk', { 'x-kiosk': '1', record: 'c' })).toBe(429);
  expect(await status('kiosk', { 'x-kiosk': '2', record: 'a' })).toBe(200);
  expect(await status('terminal', { 'x-terminal': '1', record: 'a' })).toBe(200);
  first.close();
  await expect.poll(() => status('kiosk', { 'x-kiosk': '1', record: 'c' }), { interval: 5 }).toBe(200);
});

test('a terminal that reconnects is never refused: its new stream replaces the old one', async () => {
  const limits = { MAX_STREAMS_PER_KEY: '1', MAX_STREAMS_PER_RECORD: '1', MAX_STREAMS_PER_ADDRESS: '1' };
  const { open, metric } = await aStreamingBackend({ ...limits, MAX_STREAMS_WITHOUT_KEY: '1' });
  const neighbour = await open('terminal', { 'x-terminal': '2' });
  let current = await open('terminal', { 'x-terminal': '1' });
  for (let times = 0; times < 3; times += 1) {
    const next = await open('terminal', { 'x-terminal': '1' });
    expect(next.status).toBe(200);
    await current.ends();
    current = next;
  }
  expect(await metric('florin_event_streams_open{caller="deviceToken"}')).toBe(2);
  expect(await metric('florin_event_streams_ended_total{reason="replaced"}')).toBe(3);
  neighbour.close();
  await neighbour.ends();
});

test('the open stream of a revoked API key ends within seconds, that of another one stays', async () => {
  const { open, aBusiness, backend, clock, metric } = await aStreamingBackend({});
  const business = await aBusiness();
  const keys = [await business.key('sales:read'), await business.key('sales:read')];
  const [revoked, kept] = await Promise.all(keys.map(key => open('apiKey', { authorization: `Bearer ${key}` })));
  const [first] = keys;
  const { apiKeys } = backend.services;
  const caller = await apiKeys.authenticate(first ?? '');
  const revoker = { businessId: business.id, by: operator, held: new Set(permissionCodes) };
  await apiKeys.revoke(revoker, caller?.apiKeyId ?? '');
  clock.advance({ seconds: 5 });
  await revoked?.ends();
  await kept?.has(1);
  expect(await metric('florin_event_streams_open{caller="apiKey"}')).toBe(1);
  expect(await metric('florin_event_streams_ended_total{reason="revoked"}')).toBe(1);
});

test('a stop ends open streams, and does not look at their credentials once the database is closed', async () => {
  const { open, aBusiness, stop, logged } = await aStreamingBackend({});
  const key = await (await aBusiness()).key('sales:read');
  const source = Promise.withResolvers<void>();
  sourceEnds = source.promise;
  const stream = await open('apiKey', { authorization: `Bearer ${key}` });
  await stream.has(1);
  await stop();
  await stream.ends();
  source.resolve();
  await new Promise(resolve => setImmediate(resolve));
  sourceEnds = Promise.resolve();
  expect(logged()).not.toContain('"level":50');
});
