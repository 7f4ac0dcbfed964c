import { createApiKey, listApiKeys } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { listRefundLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBackend, type BackendWorld } from '../../../test/support/backend.ts';

let world: BackendWorld;
let key: string;
let otherKey: string;
const end: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await aBackend({ until: end });
  key = await (await world.aBusiness()).key(...permissionCodes);
  otherKey = await (await world.aBusiness({ name: 'Other' })).key(...permissionCodes);
  for (const name of ['Till 1', 'Till 2', 'Till 3'])
    await world.client.call(createApiKey, { body: { name, permissions: ['sales:read'] } }, { key });
});
afterAll(async () => {
  for (const stop of end.reverse()) await stop();
});

async function ask(path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(world.url + path, { headers, ...init });
  const json = (await response.json()) as { error: { message: string; metadata: { issues: { path: string }[] } } };
  return { status: response.status, message: json.error?.message };
}

test('a cursor returns the next page, and one of another list is 400', async () => {
  const first = await world.client.call(listApiKeys, { query: { limit: 2 } }, { key });
  if (first.status !== 200) throw new Error('no list');
  const cursor = first.body.nextCursor ?? '';
  const second = await world.client.call(listApiKeys, { query: { limit: 2, cursor } }, { key });
  if (second.status !== 200) throw new Error('no list');
  const ids = [...first.body.items, ...second.body.items].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(second.body.nextCursor).toBeNull();
  const [id = ''] = ids;
  for (const wrong of [
    '',
    'undefined',
    'null',
    id,
    '0',
    `${cursor}x`,
    cursor.slice(1),
    '%00',
    `${cursor}&cursor=${cursor}`,
  ]) {
    const { status, message } = await ask(`/api/v1/api-keys?cursor=${wrong}`);
    expect([wrong, status]).toEqual([wrong, 400]);
    expect(message).toMatch(/^query\.cursor: must be /);
  }
  expect((await ask(`/api/v1/refunds?cursor=${cursor}`)).status).toBe(400);
  const elsewhere = await world.client.call(listApiKeys, { query: { cursor } }, { key: otherKey });
  expect(elsewhere).toMatchObject({ status: 200 });
  if (elsewhere.status === 200) expect(elsewhere.body.items.map(item => item.id)).not.toContain(id);
});

test.each(['abc', '', '0', '101', '-1', '1.0', '1e1', '%20%205', 'NaN'])(
  'limit=%s is 400 and says what it must be',
  async limit => {
    expect(await ask(`/api/v1/api-keys?limit=${limit}`)).toEqual({
      status: 400,
      message: 'query.limit: must be a whole number from 1 to 100',
    });
  },
);

test('a parameter given twice is 400, also with equal values', async () => {
  for (const limit of ['10&limit=20', '10&limit=10']) {
    const given = await ask(`/api/v1/api-keys?limit=${limit}`);
    expect(given).toEqual({ status: 400, message: 'query.limit: must be given once' });
  }
});

test.each(['1000000000000', '9007199254740993', '1000000000000000000000'])(
  'an amount of %s is told the limit of card readers',
  async amount => {
    const body = `{"serial":"SN-1","currency":"GBP","amountInCents":${amount}}`;
    const { status, message } = await ask('/api/v1/terminal/sales', { method: 'POST', body });
    expect(status).toBe(400);
    expect(message).toBe('amountInCents: must be at most 999999999999: card readers take amounts of twelve digits');
  },
);

test('a number beyond the exact integers is told the limit of its field', async () => {
  const given = { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', amountSats: 1_000, satsPerVbyte: 2 ** 60 };
  const { message } = await ask('/api/v1/withdrawals', { method: 'POST', body: JSON.stringify(given) });
  expect(message).toBe('satsPerVbyte: must be at most 5000');
});

test.each(['10.0', '1e1', '9.9999999999999999999', '1.0e2', '100E-1'])(
  'an amount written %s is 400, not the integer it rounds to',
  async amount => {
    const body = `{"description":"Invoice","currency":"GBP","amountInCents":${amount}}`;
    expect(await ask('/api/v1/payment-link', { method: 'POST', body })).toEqual({
      status: 400,
      message: 'amountInCents: must be a whole number, written without a decimal point or an exponent',
    });
  },
);

test('an unknown parameter of a list is 400 and named, not ignored', async () => {
  expect(await ask('/api/v1/refunds?paymentid=pay_000001')).toEqual({
    status: 400,
    message: 'query: must not have paymentid',
  });
  expect((await ask('/api/v1/api-keys?limit=2&state=open&kind=x')).message).toBe('query: must not have state, kind');
});

test('a PATCH without a known field is 400 and lists the known ones', async () => {
  for (const body of ['{}', '{"nmae":"Ada"}']) {
    const { status, message } = await ask('/api/v1/staff/staff_000001', { method: 'PATCH', body });
    expect(status).toBe(400);
    expect(message).toContain('must name at least one of name, mayRefundAndVoid');
  }
});

test('times may omit the milliseconds, and need an offset', async () => {
  for (const from of ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z', '2026-11-21T10:30:00+01:00']) {
    expect(await world.client.call(listRefundLog, { query: { from } }, { key })).toMatchObject({ status: 200 });
  }
  for (const from of ['2026-11-21', '2026-11-21T09:30:00', 'yesterday', '']) {
    expect(await ask(`/api/v1/refund-log?from=${from}`)).toEqual({
      status: 400,
      message: 'query.from: must be an ISO 8601 time with its offset, such as 2026-11-21T09:30:00Z',
    });
  }
});

test('errors state what is missing, of another type or not allowed', async () => {
  const post = (body: unknown) => ask('/api/v1/staff', { method: 'POST', body: JSON.stringify(body) });
  expect((await post({ name: 'Ada' })).message).toBe('staffNumber: is required');
  expect((await post({ staffNumber: '104', name: 7 })).message).toBe('name: must be text');
  expect((await post({ staffNumber: '104', name: 'Ada', mayRefundAndVoid: 'yes' })).message).toBe(
    'mayRefundAndVoid: must be true or false',
  );
  const device = { method: 'POST', body: JSON.stringify({ name: 'Till', mode: 'robot' }) };
  expect((await ask('/api/v1/devices', device)).message).toBe('mode: must be one of staff, kiosk');
});

test('half of a surrogate pair and a control character have different errors', async () => {
  const name = async (given: string, path = '/api/v1/staff') =>
    (await ask(path, { method: 'POST', body: `{"staffNumber":"104","name":"${given}"}` })).message;
  expect(await name('\\ud800')).toBe('name: must be valid Unicode: it has half of a surrogate pair');
  for (const character of ['0000', '000a', '000d', '0009', '001b', '007f', '0085', '2028', '2029'])
    for (const path of ['/api/v1/staff', '/api/v1/devices'])
      expect(await name(`A\\u${character}B`, path)).toBe('name: must be one line without control characters');
});
