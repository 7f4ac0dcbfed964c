import { listApiKeys } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { pingTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import { expect, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { aTill } from '../../../test/support/till.ts';

const env = { RATE_LIMIT_PER_KEY: '3', RATE_LIMIT_PER_ADDRESS: '2', RATE_LIMIT_WINDOW_SECONDS: '1' };

test('a key has a number of requests per window, stated in headers, and can continue after Retry-After', async () => {
  const { client, aBusiness } = await aBackend({ env });
  const shop = await aBusiness();
  const key = await shop.key('api-keys:read');
  const call = () => client.call(listApiKeys, { query: {} }, { key });
  const responses = [await call(), await call(), await call(), await call()];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(responses[0]?.headers['ratelimit-policy']).toBe('"key";q=3;w=1');
  expect(responses.map(({ headers }) => headers.ratelimit)).toEqual(
    ['r=2', 'r=1', 'r=0', 'r=0'].map(left => expect.stringContaining(`"key";${left};`)),
  );
  expect(responses[3]).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { error: { code: 429, metadata: { retryAfterSeconds: 1 } } },
  });
  // Another key of the same business has a separate limit.
  const other = await shop.key('api-keys:read');
  expect((await client.call(listApiKeys, { query: {} }, { key: other })).status).toBe(200);
  await expect.poll(async () => (await call()).status, { timeout: 30_000, interval: 200 }).toBe(200);
});

test('a caller without a valid key is limited by address, which no header can change', async () => {
  const { url } = await aBackend({ env: { ...env, RATE_LIMIT_WINDOW_SECONDS: '60' } });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${index}`, authorization: `Bearer florin_api_live_${index}` };
    statuses.push((await fetch(`${url}/api/v1/api-keys`, { headers })).status);
  }
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('behind a trusted proxy the address is the one it reports', async () => {
  const { url } = await aBackend({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_WINDOW_SECONDS: '60' } });
  const ask = async (from: string) =>
    (await fetch(`${url}/api/v1/api-keys`, { headers: { 'x-forwarded-for': from } })).status;
  expect([await ask('198.51.100.1'), await ask('198.51.100.1'), await ask('198.51.100.1')]).toEqual([401, 401, 429]);
  expect(await ask('198.51.100.2')).toBe(401);
});

test('unknown addresses, wrong methods and documents are limited too, and write no line each', async () => {
  for (const [path, method, status] of [
    ['/nothing', 'GET', 404],
    ['/api/v1/api-keys', 'PUT', 405],
    ['/api/v1/openapi.json', 'GET', 200],
  ] as const) {
    const { url, logged } = await aBackend({ env: { ...env, RATE_LIMIT_WINDOW_SECONDS: '60' } });
    const responses = [];
    for (let index = 0; index < 4; index += 1) responses.push(await fetch(url + path, { method }));
    expect(responses.map(answer => answer.status)).toEqual([status, status, 429, 429]);
    for (const answer of responses) expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(Number(responses[3]?.headers.get('retry-after'))).toBeGreaterThan(50);
    const lines = logged()
      .trim()
      .split('\n')
      .filter(line => line.includes('127.0.0.1') || line.includes('answered'));
    expect(lines.map(line => (JSON.parse(line) as { msg: string }).msg)).toEqual(['a rate limit was reached']);
  }
});

test('probes have their own limit: a flood of other requests does not make the service look down', async () => {
  const { url } = await aBackend({ env: { ...env, RATE_LIMIT_PROBES: '3', RATE_LIMIT_WINDOW_SECONDS: '60' } });
  for (let index = 0; index < 5; index += 1) await fetch(`${url}/nothing`);
  const statuses = [];
  for (let index = 0; index < 4; index += 1) statuses.push((await fetch(`${url}/healthz`)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('IPv6 addresses of one network of 64 bits share their limit', async () => {
  const { url } = await aBackend({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_WINDOW_SECONDS: '10' } });
  const ask = async (from: string) =>
    (await fetch(`${url}/api/v1/api-keys`, { headers: { 'x-forwarded-for': from } })).status;
  const one = [await ask('2001:db8:1:2::1'), await ask('2001:db8:1:2:ffff::9'), await ask('2001:db8:1:2::3')];
  expect(one).toEqual([401, 401, 429]);
  expect(await ask('2001:db8:1:3::1')).toBe(401);
  const mapped = [await ask('198.51.100.7'), await ask('::ffff:198.51.100.7'), await ask('198.51.100.7')];
  expect(mapped).toEqual([401, 401, 429]);
  expect(await ask('198.51.100.8')).toBe(401);
});

test('callbacks are capped in bytes and in fields, and limited', async () => {
  const { url } = await aBackend({ env: { ...env, RATE_LIMIT_CALLBACKS: '4', RATE_LIMIT_PER_ADDRESS: '100' } });
  const post = async (body: string) =>
    (await fetch(`${url}/callbacks/gateway/gwa_00000001`, { method: 'POST', body })).status;
  expect(await post(`a=${'x'.repeat(20_000)}`)).toBe(413);
  expect(await post(Array.from({ length: 201 }, (_, index) => `f${index}=`).join('&'))).toBe(413);
  expect(await post(Array.from({ length: 200 }, (_, index) => `f${index}=`).join('&'))).toBe(404);
  expect(await post('a=1')).toBe(404);
  expect(await post('a=1')).toBe(429);
});

test('processes on one PostgreSQL share each limit, and all refuse further requests', async () => {
  const shared = { RATE_LIMIT_PER_KEY: '6', RATE_LIMIT_PER_ADDRESS: '4', RATE_LIMIT_WINDOW_SECONDS: '60' };
  const first = await aBackend({ database: 'postgres', env: shared });
  const second = await aBackend({ sharing: first, env: shared });
  const key = await (await first.aBusiness()).key('api-keys:read');
  const call = (world: typeof first) => world.client.call(listApiKeys, { query: {} }, { key });
  const responses = [];
  for (let index = 0; index < 4; index += 1) responses.push(await call(first), await call(second));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  expect(responses.map(({ headers }) => /r=\d+/.exec(headers.ratelimit ?? '')?.[0])).toEqual([
    'r=5',
    'r=4',
    'r=3',
    'r=2',
    'r=1',
    'r=0',
    'r=0',
    'r=0',
  ]);
  for (const { headers } of responses.slice(6)) expect(Number(headers['retry-after'])).toBeGreaterThan(50);
  // Many at once, through both: no more than the limit gets through.
  const other = await (await first.aBusiness({ name: 'Other' })).key('api-keys:read');
  const asked = (world: typeof first) => world.client.call(listApiKeys, { query: {} }, { key: other });
  const atOnce = await Promise.all(Array.from({ length: 40 }, (_, index) => asked(index % 2 === 0 ? first : second)));
  expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(6);
  expect(atOnce.filter(({ status }) => status === 429)).toHaveLength(34);
  // The same for those who show no key.
  const statuses = [];
  for (const world of [first, second, first, second, first, second])
    statuses.push((await fetch(`${world.url}/nothing`)).status);
  expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
});

test('pings of a terminal are counted by each process for itself, and take nothing of what its other calls have', async () => {
  const limits = { RATE_LIMIT_PER_KEY: '3', RATE_LIMIT_WINDOW_SECONDS: '60' };
  const first = await aBackend({ database: 'postgres', env: limits });
  const second = await aBackend({ sharing: first, env: limits });
  const { token: key } = await aTill(first, await (await first.aBusiness()).key('devices:write'));
  const ping = async ({ client }: typeof first) => (await client.call(pingTerminal, {}, { key })).status;
  const statuses = [];
  for (const world of [first, first, first, first, second]) statuses.push(await ping(world));
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
  const other = await first.client.call(getTerminalConfiguration, {}, { key });
  expect([other.status, other.headers.ratelimit]).toEqual([200, expect.stringContaining('r=2;')]);
});
