import { contract } from '@florin/shared/contracts/contract.ts';
import { json } from '@florin/shared/contracts/responses.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { aBackend, type BackendOptions, eachDatabase } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/database.ts';
import { rowFor } from '../database/statements.ts';
import { fail, type Route, respond, route } from '../http/route.ts';

const makeThing = contract({
  name: 'makeThing',
  method: 'POST',
  path: '/api/v1/test/things',
  authentication: ['apiKey'],
  summary: 'Make a thing',
  tag: 'Test',
  permissionsFor: { description: 'Big ones need more', of: ({ size }) => (size >= 1_000 ? ['refunds:write'] : []) },
  body: z.object({ size: z.int(), refuse: z.boolean().optional() }),
  responses: { 201: json(z.object({ made: z.int(), by: z.string() })) },
  errors: { 409: ['not_now'] },
  idempotent: true,
});

type Counter = { businessId: string; name: string; value: number };
const increment = statement<Counter, unknown>(({ db }, arg) =>
  db
    .insertInto('counters')
    .values(rowFor(arg, 'counters'))
    .onConflict(conflict =>
      conflict.columns(['businessId', 'name']).doUpdateSet(eb => ({ value: eb('counters.value', '+', 1) })),
    ),
);
const read = statement<{ businessId: string; name: string }, { value: number }>(({ db }, arg) =>
  db.selectFrom('counters').select('value').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);

const lease = statement<{ businessId: string; key: string }, { leaseUntil: number }>(({ db }, arg) =>
  db
    .selectFrom('idempotencyRecords')
    .select('leaseUntil')
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key')),
);

/** The database's location, known once the backend of the test runs. */
type Late = { database?: Database; crash?: boolean; begun: string[]; hold?: Promise<void>; held?: () => void };

/** A flow in two transactions with something slow between them, as a refund is. */
function flowOf(late: Late): Route {
  return route(makeThing, async ({ caller, body, call, requestId }) => {
    const { database } = late;
    if (!database) throw new Error('no database');
    const { businessId } = caller;
    const write = call.storing((made: number) => respond(201, { made, by: requestId }));
    late.begun.push(
      await database.write(async tx => {
        const begun = await write.begin(tx);
        if (begun === 'resumed' || body.refuse) return begun;
        await tx.run(increment, { businessId, name: write.clientRequestId ?? requestId, value: 1 });
        await tx.run(increment, { businessId, name: 'made', value: 1 });
        return begun;
      }),
    );
    late.held?.();
    await late.hold;
    if (late.crash) throw new Error('the process died here');
    if (body.refuse) return fail(409, 'not_now', `Not in this state, says ${requestId}`);
    const { value = 0 } = (await database.first(read, { businessId, name: 'made' })) ?? {};
    await database.write(tx => write.finish(tx, value));
    return respond(201, { made: value, by: requestId });
  });
}

/** Holds the next call of the flow between its transactions, until it is released. */
function holdNext(late: Late) {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve } = Promise.withResolvers<void>();
  Object.assign(late, { hold, held: resolve });
  return { held, release };
}

eachDatabase('an Idempotency-Key', database => {
  async function aShop(options: BackendOptions = {}) {
    const late: Late = { begun: [] };
    const world = await aBackend({ database, extraRoutes: [flowOf(late)], ...options });
    late.database = world.backend.database;
    const shop = await world.aBusiness();
    const key = await shop.key('refunds:write');
    const made = async () =>
      (await world.backend.database.first(read, { businessId: shop.id, name: 'made' }))?.value ?? 0;
    const call = (idempotencyKey: string, body = { size: 1 } as { size: number; refuse?: boolean }) =>
      world.client.call(makeThing, { body }, { key, idempotencyKey });
    return { ...world, late, shop, key, made, call };
  }

  test('runs once for twenty concurrent calls, which all get the same answer', async () => {
    const { call, made } = await aShop();
    const responses = await Promise.all(Array.from({ length: 20 }, () => call('k1')));
    expect(await made()).toBe(1);
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 201, body: { made: 1 } });
    expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
  });

  test('replays the first answer for 72 hours, and then starts a new request', async () => {
    const { call, made, clock } = await aShop();
    const first = await call('k1');
    clock.advance({ hours: 71 });
    expect((await call('k1')).body).toEqual(first.body);
    expect(await made()).toBe(1);
    clock.advance({ hours: 1 });
    expect((await call('k1')).headers['idempotency-replayed']).toBeUndefined();
    expect(await made()).toBe(2);
  });

  test('with another body is refused and runs nothing', async () => {
    const { call, made } = await aShop();
    await call('k1', { size: 500 });
    const other = await call('k1', { size: 501 });
    expect(other).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'idempotency_key_reused' } } } });
    expect(await made()).toBe(1);
  });

  test('is the same request however its JSON is written', async () => {
    const { url, key } = await aShop();
    const post = (body: string) =>
      fetch(`${url}/api/v1/test/things`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k1' },
      });
    const first = await (await post('{"size":1,"refuse":false}')).text();
    const again = await post('{ "refuse": false, "unknown": 1, "size": 1 }');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.text()).toBe(first);
  });

  test('does not store an error that wrote nothing: the next call runs again', async () => {
    const { call, late } = await aShop();
    const first = await call('k1', { size: 1, refuse: true });
    const again = await call('k1', { size: 1, refuse: true });
    expect(first).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'not_now' } } } });
    expect(again).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'not_now' } } } });
    expect(again.body).not.toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(late.begun).toEqual(['new', 'new']);
  });

  test('of one business does not affect another', async () => {
    const { call, client, aBusiness, late } = await aShop();
    await call('k1', { size: 1 });
    const other = await (await aBusiness({ name: 'Other' })).key();
    const answered = await client.call(makeThing, { body: { size: 2 } }, { key: other, idempotencyKey: 'k1' });
    expect(answered.status).toBe(201);
    expect(late.begun).toEqual(['new', 'new']);
  });

  test.each(['', 'x'.repeat(256), 'with space', 'ümlaut'])('that reads "%s" is 400', async idempotencyKey => {
    const { url, key, made } = await aShop();
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    };
    const response = await fetch(`${url}/api/v1/test/things`, { method: 'POST', body: '{"size":1}', headers });
    expect(response.status).toBe(400);
    expect(await made()).toBe(0);
  });

  test('of a call that failed is taken over, and the flow resumes instead of starting again', async () => {
    const { call, made, late } = await aShop();
    late.crash = true;
    expect((await call('k1')).status).toBe(500);
    late.crash = false;
    expect((await call('k1')).status).toBe(201);
    expect(late.begun).toEqual(['new', 'resumed']);
    expect(await made()).toBe(1);
  });

  test('left by a crashed process blocks until its lease expires, then resumes once', async () => {
    const first = await aShop();
    const forever = new Promise<void>(() => {});
    const held = new Promise<void>(resolve => {
      first.late.held = resolve;
    });
    first.late.hold = forever;
    const lost = first.call('k1').catch(() => 'lost');
    await held;

    await first.kill();

    const late: Late = { begun: [] };
    const clock = testClock(first.clock.now());
    const second = await aBackend({ sharing: first, clock, extraRoutes: [flowOf(late)] });
    late.database = second.backend.database;
    const call = () => second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' });
    const waiting = call();
    await expect.poll(() => clock.isWaiting()).toBe(true);
    expect(late.begun).toEqual([]);
    clock.advance({ seconds: 14 });
    const responses = await Promise.all([waiting, call(), call(), call()]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(late.begun).toEqual(['resumed']);
    expect(await late.database.first(read, { businessId: first.shop.id, name: 'made' })).toEqual({ value: 1 });
    await lost;
  });

  test('stays held as long as its process is running and working on it', async () => {
    const first = await aShop();
    const { held, release } = holdNext(first.late);
    const running = first.call('k1');
    await held;
    const { database } = first.backend;
    const late: Late = { begun: [], database };
    const clock = testClock(first.clock.now());
    const second = await aBackend({ sharing: first, clock, extraRoutes: [flowOf(late)] });
    const waiting = second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' });
    for (let step = 0; step < 20; step += 1) {
      first.clock.advance({ seconds: 4 });
      const heldUntil = async () => (await database.first(lease, { businessId: first.shop.id, key: 'k1' }))?.leaseUntil;
      await expect.poll(heldUntil).toBeGreaterThan(first.clock.now());
      clock.advance({ seconds: 4 });
    }
    release();
    const { body } = await running;
    await expect.poll(() => clock.isWaiting()).toBe(true);
    clock.advance({ seconds: 1 });
    expect(await waiting).toMatchObject({ status: 201, body });
    expect(late.begun).toEqual([]);
  });

  test('taken over from a slow process returns the one stored response to both calls', async () => {
    const first = await aShop();
    const { held, release } = holdNext(first.late);
    const slow = first.call('k1');
    await held;
    const late: Late = { begun: [], database: first.backend.database };
    const clock = testClock(first.clock.now() + 60_000);
    const second = await aBackend({ sharing: first, clock, extraRoutes: [flowOf(late)] });
    const quick = await second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' });
    expect(late.begun).toEqual(['resumed']);
    release();
    expect(await slow).toMatchObject({
      status: 201,
      body: quick.body,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(quick.headers).not.toHaveProperty('idempotency-replayed');
    expect(await first.made()).toBe(1);
  });

  test('does not replay a response to an API key without its permission', async () => {
    const { client, call, shop, key, made } = await aShop();
    const weak = await shop.key();
    const big = { size: 1_000 };
    const asked = (by: string) => client.call(makeThing, { body: big }, { key: by, idempotencyKey: 'k1' });
    const forbidden = { status: 403, body: { error: { metadata: { missingPermissions: ['refunds:write'] } } } };
    expect(await asked(weak)).toMatchObject(forbidden);
    expect(await call('k1', big)).toMatchObject({ status: 201, body: { made: 1 } });
    expect(await asked(weak)).toMatchObject(forbidden);
    expect(await asked(key)).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(await made()).toBe(1);
  });

  test('held by another process makes the call wait for that process’s answer', async () => {
    const first = await aShop();
    const { held, release } = holdNext(first.late);
    const running = first.call('k1');
    await held;
    const late: Late = { begun: [], database: first.backend.database };
    const second = await aBackend({ sharing: first, extraRoutes: [flowOf(late)] });
    const waiting = second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' });
    await expect.poll(() => first.clock.isWaiting()).toBe(true);
    release();
    const answered = await running;
    first.clock.advance({ seconds: 1 });
    expect(await waiting).toMatchObject({ status: 201, body: answered.body });
    expect(late.begun).toEqual([]);
  });
});
