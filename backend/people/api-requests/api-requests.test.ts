import type { InputOf } from '@florin/client/input.ts';
import { createApiKey, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { listApiRequests } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createStaff, getStaff, listStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test, vi } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import { noLog } from '../../../test/support/log.ts';
import { type Database, DatabaseUnavailable, statement } from '../../foundation/database/database.ts';
import { rowsJsonOf } from '../../foundation/database/statements.ts';
import type { ApiRequestRow } from './rows.ts';
import { apiRequestService } from './service.ts';
import { insertApiRequests } from './store.ts';

const allRows = statement<object, ApiRequestRow>(({ db }) => db.selectFrom('apiRequests').selectAll());
const ofReader = [listApiRequests, createApiKey, revokeApiKey].map(({ path }): string => path);
const nobody = 'staff_019a8f3e6b7c7d2e8a1b2c3d4e5f6071';
const visa = '4929421234600821';

eachDatabase('the request log', database => {
  /** A business with a key that may read and write staff, and another that reads the log. */
  async function aDeveloper() {
    const world = await aBackend({ database });
    const { client, clock, backend } = world;
    const business = await world.aBusiness();
    const key = await business.key('team:read', 'team:write');
    const reader = await business.key('api-keys:read', 'api-keys:write');
    /** What is listed of the calls with the first key, once it is written. */
    async function listed(query: InputOf<typeof listApiRequests>['query'] = {}) {
      const answer = await client.call(listApiRequests, { query }, { key: reader });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.items.filter(({ route }) => !ofReader.includes(route));
    }
    const rows = () => backend.database.all(allRows, {});
    /** After the moment in which calls are written together. */
    async function written(count: number) {
      const reached = async () => {
        clock.advance({ seconds: 1 });
        return (await rows()).length;
      };
      await expect.poll(reached).toBeGreaterThanOrEqual(count);
    }
    return { world, client, business, key, reader, listed, rows, written };
  }

  test('has each call of a key with its answer, newest first, and nothing of its body, query or headers', async () => {
    const { world, client, key, listed, rows, written } = await aDeveloper();
    const body = { staffNumber: '104', name: 'Ada Lovelace' };
    const made = await client.call(createStaff, { body }, { key, idempotencyKey: 'staff-104' });
    await client.call(createStaff, { body }, { key, idempotencyKey: 'staff-104' });
    const missing = await client.call(getStaff, { params: { id: nobody } }, { key });
    await client.call(listPayments, { query: { q: 'INV-7' } }, { key });
    const authorization = { Authorization: `Bearer ${key}` };
    for (const path of [`/api/v1/staff/${visa}`, '/api/v1/staff/4929%204212%203460%200821', `/api/v1/staff/${key}`])
      await fetch(`${world.url}${path}?secret=hush`, { headers: authorization });
    await fetch(`${world.url}/api/v1/staff`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', 'Idempotency-Key': visa },
      body: JSON.stringify({ staffNumber: visa, name: visa, [visa]: 1 }),
    });
    await written(8);
    const calls = await listed();
    expect(calls.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      'POST /api/v1/staff 400',
      'GET /api/v1/staff/… 404',
      'GET /api/v1/staff/… 404',
      'GET /api/v1/staff/… 404',
      'GET /api/v1/payments 403',
      `GET /api/v1/staff/${nobody} 404`,
      'POST /api/v1/staff 201',
      'POST /api/v1/staff 201',
    ]);
    expect(calls[4]).toMatchObject({
      outcome: 'refused',
      reason: null,
      message: expect.stringContaining('take-payments:read'),
    });
    expect(calls[5]).toMatchObject({
      id: missing.headers['x-request-id'],
      route: '/api/v1/staff/{id}',
      reason: 'staff_not_found',
      apiKeyName: 'test',
      idempotencyKey: null,
    });
    expect(calls[6]).toMatchObject({ outcome: 'ok', idempotencyKey: 'staff-104', isReplay: true });
    expect(calls[7]).toMatchObject({
      id: made.headers['x-request-id'],
      message: null,
      idempotencyKey: 'staff-104',
      isReplay: false,
    });
    const stored = JSON.stringify(await rows());
    for (const secret of [visa, '4929 ', '4929%20', '4929…', key, 'Lovelace', 'hush', 'INV-7', '127.0.0.1', 'Bearer'])
      expect(stored).not.toContain(secret);
  });

  test('has the calls with a key that was revoked, and what was wrong with each field of an input', async () => {
    const { client, key, world, business, listed, written } = await aDeveloper();
    const revoker = await business.key(...permissionCodes);
    const body = { staffNumber: '', name: '' };
    const invalid = { method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } };
    await fetch(`${world.url}/api/v1/staff`, { ...invalid, body: JSON.stringify(body) });
    await fetch(`${world.url}/api/v1/staff/nobody`, { headers: invalid.headers });
    await written(2);
    const [unknown, refused] = await listed();
    expect(unknown).toMatchObject({ status: 404, issues: [{ path: 'params.id' }] });
    expect(refused).toMatchObject({ status: 400, issues: [{ path: 'staffNumber' }, { path: 'name' }] });
    const apiKeyId = refused?.apiKeyId ?? '';
    await client.call(revokeApiKey, { params: { id: apiKeyId } }, { key: revoker });
    expect((await client.call(listStaff, {}, { key })).status).toBe(401);
    await written(4);
    expect((await listed()).map(({ status, apiKeyId: id }) => [status, id === apiKeyId])).toEqual([
      [401, true],
      [404, true],
      [400, true],
    ]);
  });

  test('is searched by outcome, key, method, path and request id, page by page', async () => {
    const { client, key, business, listed, written } = await aDeveloper();
    const other = await business.key('team:read');
    await client.call(listStaff, {}, { key });
    const refused = await client.call(getStaff, { params: { id: nobody } }, { key: other });
    await client.call(createStaff, { body: { staffNumber: '104', name: 'Ada' } }, { key });
    await written(3);
    const [post, missing] = await listed();
    const { id = '', apiKeyId = '' } = missing ?? {};
    expect(refused.headers['x-request-id']).toBe(id);
    expect(await listed({ outcome: 'refused' })).toEqual([missing]);
    expect(await listed({ outcome: 'failed' })).toEqual([]);
    expect(await listed({ outcome: 'ok', method: 'POST' })).toEqual([post]);
    expect(await listed({ apiKeyId })).toEqual([missing]);
    expect(await listed({ path: '/api/v1/staff/staff_' })).toEqual([missing]);
    expect(await listed({ requestId: id })).toEqual([missing]);
    expect(await listed({ requestId: id, outcome: 'ok' })).toEqual([]);
    const first = await client.call(
      listApiRequests,
      { query: { limit: 1, path: '/api/v1/staff' } },
      { key: await business.key('api-keys:read') },
    );
    if (first.status !== 200) throw new Error(JSON.stringify(first.body));
    expect(await listed({ limit: 1, path: '/api/v1/staff', cursor: first.body.nextCursor ?? '' })).toEqual([missing]);
  });

  test('has nothing of other businesses, of calls without a known key, or of the portal’s', async () => {
    const { world, client, key, rows, listed, written } = await aDeveloper();
    const mistyped = key.replace(/.$/, last => (last === 'a' ? 'b' : 'a'));
    expect((await client.call(listStaff, {}, { key: mistyped })).status).toBe(401);
    expect((await client.call(listStaff, {})).status).toBe(401);
    const stranger = await (await world.aBusiness()).key('team:read');
    await client.call(listStaff, {}, { key: stranger });
    await client.call(listStaff, {}, { key });
    await written(2);
    expect((await rows()).filter(({ status }) => status === 401)).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  test('is written when the service stops, and deleted after seven days', async () => {
    const { world, client, key } = await aDeveloper();
    await client.call(listStaff, {}, { key });
    await world.stop();
    const again = await aBackend({ sharing: world });
    const read = () => again.backend.database.all(allRows, {});
    expect(await read()).toHaveLength(1);
    again.clock.advance({ hours: 7 * 24 - 1 });
    again.clock.advance({ minutes: 10 });
    expect(await read()).toHaveLength(1);
    const later = () => {
      again.clock.advance({ minutes: 10 });
      return read();
    };
    await expect.poll(later).toEqual([]);
  });

  test('is looked through ten thousand calls at a time', async () => {
    const { world, business, key, client, listed, written, rows } = await aDeveloper();
    await client.call(getStaff, { params: { id: nobody } }, { key });
    await written(1);
    const [missing] = await rows();
    if (!missing) throw new Error('nothing was written');
    const { database } = world.backend;
    const later = Array.from({ length: 10_000 }, (_, at) => ({
      ...missing,
      id: `req_z${at + 10_000}`,
      path: '/later',
    }));
    await database.write(tx => tx.run(insertApiRequests, rowsJsonOf('apiRequests', later)));
    const reader = await business.key('api-keys:read');
    for (const query of [{ path: '/api' }, { path: '/api', outcome: 'refused' }] as const) {
      const page = await client.call(listApiRequests, { query }, { key: reader });
      if (page.status !== 200) throw new Error(JSON.stringify(page.body));
      expect(page.body).toMatchObject({ items: [], searchedBackTo: expect.any(String) });
      const next = await listed({ ...query, cursor: page.body.nextCursor ?? '' });
      expect(next.map(({ id }) => id)).toEqual([missing.id]);
    }
  });
});

test('calls wait while the database takes none; the oldest of too many are dropped and counted', async () => {
  const clock = testClock();
  const taken: string[][] = [];
  let isDown = true;
  const database = {
    write: async (body: (tx: object) => Promise<void>) => {
      if (isDown) throw new DatabaseUnavailable('down');
      await body({
        run: async (_: unknown, { rowsJson }: { rowsJson: string }) => void taken.push(idsIn(rowsJson)),
      });
    },
  } as unknown as Database;
  const idsIn = (json: string) => (JSON.parse(json) as [string][]).map(([id]) => id);
  const dropped = vi.fn();

  const service = apiRequestService({ database, timers: clock, log: noLog, onRequestsUnrecorded: dropped });
  const call = { businessId: 'biz_1', apiKeyId: 'key_1', startedAt: 0, durationMs: 1, method: 'GET', status: 200 };
  const route = { route: '/api/v1/staff', path: '/api/v1/staff', error: null, idempotencyKey: null };
  for (let at = 0; at < 10_003; at += 1) service.record({ requestId: `req_${at}`, isReplay: false, ...call, ...route });
  expect(dropped).toHaveBeenCalledTimes(3);
  clock.advance({ seconds: 1 });
  await new Promise(setImmediate);
  isDown = false;
  expect(taken).toEqual([]);
  clock.advance({ seconds: 1 });
  await expect.poll(() => taken.flat().length).toBe(10_000);
  expect(taken[0]?.[0]).toBe('req_3');
  expect(taken.every(ids => ids.length === 200)).toBe(true);
});
