import { createConnection } from 'node:net';
import { contract } from '@florin/shared/contracts/contract.ts';
import { problem } from '@florin/shared/contracts/problem.ts';
import { json } from '@florin/shared/contracts/responses.ts';
import { amountMinor } from '@florin/shared/money.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aBackend, type BackendWorld } from '../../../test/support/backend.ts';
import { respond, route } from './route.ts';

const takeMoney = contract({
  name: 'takeMoney',
  method: 'POST',
  path: '/api/v1/test/money/{id}',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Echo an amount',
  tag: 'Test',
  params: z.object({ id: z.string().max(20) }),
  query: z.object({ limit: z.coerce.number().int().max(100).optional() }),
  body: z.object({ amountInCents: amountMinor, note: z.string().optional() }),
  responses: { 200: json(z.looseObject({ amountInCents: z.int() })) },
});

const chunked = 'POST /api/v1/test/money/m1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

let world: BackendWorld;
let key: string;
let seen: unknown[] = [];
const end: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const echo = route(takeMoney, async ({ body }) => {
    seen.push(body);
    return respond(200, body);
  });
  const fails = route({ ...takeMoney, name: 'fails', path: '/api/v1/test/fails/{id}' }, async () => {
    throw new Error('a secret detail: 4111111111111111');
  });
  const held = route({ ...takeMoney, name: 'held', path: '/api/v1/test/held/{id}' }, () => new Promise(() => {}));
  world = await aBackend({ extraRoutes: [echo, fails, held], env: { BODY_LIMIT_BYTES: '2000' }, until: end });
  key = await (await world.aBusiness()).key('take-payments:write');
});
afterAll(async () => {
  for (const stop of end.reverse()) await stop();
});

type Given = { path?: string; method?: string; body?: string; headers?: Record<string, string> };

async function send({ path = '/api/v1/test/money/m1', method = 'POST', body, headers = {} }: Given) {
  seen = [];
  const response = await fetch(world.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}

/** A refusal in the one shape, with nothing beside it, that reached no handler. */
async function refusal(given: Given, status: number) {
  const got = await send(given);
  expect(got.status, JSON.stringify(got.json)).toBe(status);
  expect(Object.keys(got.json)).toEqual(['error']);
  expect(problem.parse(got.json).error.code).toBe(status);
  expect(got.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(got.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(seen).toEqual([]);
  return got.json.error;
}

describe('an amount', () => {
  const amounts = ['0', '-1', '0.5', '"100"', 'null', '[100]', '9007199254740992', '1e300', '{}', 'true'];
  test.each(amounts)('of %s is refused with one error', async amount => {
    const error = await refusal({ body: `{"amountInCents":${amount}}` }, 400);
    expect(error.message).toMatch(/^amountInCents: /);
    expect(error.metadata.issues.map((issue: { path: string }) => issue.path)).toEqual(['amountInCents']);
  });

  test('given twice is refused', async () => {
    const error = await refusal({ body: '{"amountInCents":500,"amountInCents":501}' }, 400);
    expect(error.message).toBe('body: names the key "amountInCents" twice');
    const escaped = await refusal({ body: '{"amountInCents":500,"note":"a","n\\u006fte":"b"}' }, 400);
    expect(escaped.message).toBe('body: names the key "note" twice');
    const long = await refusal({ body: `{"${'k'.repeat(500)}":1,"${'k'.repeat(500)}":2}` }, 400);
    expect(long.message).toBe(`body: names the key "${'k'.repeat(100)}…" twice`);
  });

  test('is accepted up to the largest safe integer, also if other fields contain colons and quotes', async () => {
    const body = '{"amountInCents":9007199254740991,"note":"a:\\"b\\":{c}"}';
    expect((await send({ body })).json).toEqual({ amountInCents: 9007199254740991, note: 'a:"b":{c}' });
  });
});

describe('a body', () => {
  test.each([
    ['cut off', '{"amountInCents":1'],
    ['with a trailing comma', '{"amountInCents":1,}'],
    ['with a comment', '{"amountInCents":1/**/}'],
    ['empty', ''],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is text', '"x"'],
  ])('%s is 400', async (_, body) => {
    await refusal({ body }, 400);
  });

  test('that is missing is 400', async () => {
    const missing = { message: 'body: a JSON body is required', metadata: { issues: [{ path: '' }] } };
    expect(await refusal({ headers: { 'content-type': '' } }, 400)).toMatchObject(missing);
    for (const body of ['', ' \r\n']) expect(await refusal({ body }, 400), body).toMatchObject(missing);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'])(
    'of type %s is 415',
    async type => {
      await refusal({ body: '{"amountInCents":1}', headers: { 'content-type': type } }, 415);
    },
  );

  test('in another charset than UTF-8 is 415', async () => {
    const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
    await refusal({ body: '{"amountInCents":1}', headers }, 415);
  });

  test('with the charset UTF-8 is accepted', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send({ body: '{"amountInCents":1}', headers })).status).toBe(200);
  });

  test('that is compressed is 415', async () => {
    await refusal({ body: '{"amountInCents":1}', headers: { 'content-encoding': 'gzip' } }, 415);
  });

  test('that is too large is 413, announced or not', async () => {
    const body = JSON.stringify({ amountInCents: 1, note: 'x'.repeat(3000) });
    await refusal({ body }, 413);
    const head = `POST /api/v1/test/money/m1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = 'x'.repeat(1500);
    const received = await raw(`${head}${`5dc\r\n${chunk}\r\n`.repeat(2)}0\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1.1 413 .*"code":413/s);
  });

  test('nested hundreds of levels deep is refused without harm', async () => {
    await refusal({ body: `{"amountInCents":${'['.repeat(900)}${']'.repeat(900)}}` }, 400);
  });

  test('cannot change a prototype, and unknown fields are ignored', async () => {
    const got = await send({
      body: '{"amountInCents":1,"__proto__":{"role":"admin"},"constructor":1,"status":"paid"}',
    });
    expect(got.json).toEqual({ amountInCents: 1 });
    expect(seen).toEqual([{ amountInCents: 1 }]);
    expect((seen[0] as { role?: string }).role).toBeUndefined();
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('that is nested too deeply is 400 with this reason', async () => {
    const ordinary = await aBackend();
    const received = async (text: string) => {
      const headers = { 'content-type': 'application/json' };
      const got = await fetch(`${ordinary.url}/api/v1/checkouts`, { method: 'POST', headers, body: text });
      return [got.status, problem.parse(await got.json()).error.message];
    };
    const open = '['.repeat(20_000);
    expect(await received(`{"orderId":${open}${']'.repeat(20_000)}}`)).toEqual([400, 'body: is nested too deeply']);
    expect(await received(open)).toEqual([400, 'body: is not valid JSON']);
  });

  test('that is not UTF-8 is 400', async () => {
    const head = `POST /api/v1/test/money/m1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 4\r\nConnection: close\r\n\r\n`;
    const received = await raw(Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xc3, 0x28, 0x22])]));
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    const { error } = problem.parse(JSON.parse(received.slice(received.indexOf('\r\n\r\n'))));
    expect(error.metadata).toEqual({ issues: [{ path: '', message: 'is not valid UTF-8' }] });
  });
});

describe('an address', () => {
  test('that do not exist are 404', async () => {
    for (const path of ['/', '/api/v1', '/api/v1/nothing', '/API/V1/api-keys', '/api/v1/../../etc/passwd']) {
      await refusal({ path, method: 'GET' }, 404);
    }
  });

  test('with the wrong method is 405 and lists the methods it takes', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'OPTIONS']) {
      await refusal({ method }, 405);
      expect((await send({ method })).headers.get('allow')).toBe('POST');
    }
  });

  test('that cannot be decoded is 400', async () => {
    await refusal({ path: '/api/v1/test/money/%E0%A4%A', body: '{"amountInCents":1}' }, 400);
  });

  test('with a bad parameter or query is 400 and named', async () => {
    const long = await refusal({ path: `/api/v1/test/money/${'x'.repeat(30)}`, body: '{"amountInCents":1}' }, 400);
    expect(long.metadata.issues[0].path).toBe('params.id');
    const query = await refusal({ path: '/api/v1/test/money/m1?limit=a&limit=b', body: '{"amountInCents":0}' }, 400);
    expect(query.metadata.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'amountInCents',
      'query.limit',
    ]);
  });

  test('with a key in it is refused and the key is not logged', async () => {
    for (const path of [`/api/v1/test/money/m1?api_key=${key}`, `/api/v1/test/money/m1?q=${key}`]) {
      await refusal({ path, body: '{"amountInCents":1}' }, 401);
    }
    expect(world.logged()).not.toContain(key);
  });
});

describe('a credential', () => {
  test.each([
    ['none', ''],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['no token', 'Bearer'],
    ['two tokens', 'Bearer a b'],
    ['an unknown key', 'Bearer florin_api_live_00000000000000000000000000000000000000000000000000'],
    ['10 kB', `Bearer ${'x'.repeat(10_000)}`],
  ])('that is %s is 401', async (_, authorization) => {
    const error = await refusal({ headers: { authorization }, body: '{"amountInCents":1}' }, 401);
    expect(error.metadata).toBeUndefined();
  });
});

test('a request that is not HTTP gets an error of the same shape', async () => {
  const received = await raw('GET / HTTP/9.9\r\n\r\nnonsense');
  expect(received).toMatch(/^HTTP\/1.1 400 .*\{"error":\{"code":400,"message":"[^"]+"\}\}$/s);
  const long = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
  expect(long).toMatch(/^HTTP\/1.1 431 .*"code":431/s);
});

test.each([
  ['whose address is no address', 'GET http://[::1/ HTTP/1.1\r\nHost: x', 400],
  ['for a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x', 405],
  ['that names no host', 'GET /healthz HTTP/1.1', 400],
  ['that expects what nobody offers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo', 417],
  ['whose chunk extensions never end', `${chunked}2;${'x'.repeat(20_000)}\r\n{}`, 413],
  ['whose length is no number', 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ten', 400],
])('a request %s gets an error of the same shape, with an id', async (_, head, status) => {
  const received = await raw(`${head}\r\nConnection: close\r\n\r\n`);
  const [headers = '', body = ''] = received.split('\r\n\r\n');
  expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(headers).toMatch(/^x-request-id: req_[0-9a-f]{32}\r?$/im);
  expect(headers).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
  expect(headers).toMatch(/^x-content-type-options: nosniff\r?$/im);
  const { error } = problem.parse(JSON.parse(body));
  expect(error).toEqual({ code: status, message: expect.stringMatching(/^[A-Z].{10,}$/) });
});

test('a request of HTTP 1.0 needs no host', async () => {
  expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

test('bytes that are not HTTP after a request in progress do not change its answer', async () => {
  const body = '{"amountInCents":1}';
  const head = `POST /api/v1/test/held/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  expect(await raw(`${head}${body}nonsense\r\n\r\n`)).toBe('');
});

test('an internal error is a 500 without details, logged once with the id in the response', async () => {
  const got = await send({ path: '/api/v1/test/fails/1', body: '{"amountInCents":1}' });
  const requestId = got.headers.get('x-request-id');
  expect(got.status).toBe(500);
  expect(got.json).toEqual({
    error: { code: 500, message: 'Something went wrong on our side', metadata: { requestId } },
  });
  const lines = world
    .logged()
    .split('\n')
    .filter(line => line.includes(requestId ?? '?') && line.includes('a request failed'));
  expect(lines).toHaveLength(1);
});

test('every response has security headers, and none that reveals the server software', async () => {
  const { headers } = await send({ body: '{"amountInCents":1}' });
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toContain('max-age=');
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('etag')).toBeNull();
});

function raw(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = createConnection(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', data => {
      received += data.toString();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}
