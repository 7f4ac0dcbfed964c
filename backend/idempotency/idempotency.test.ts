import { contract } from '@florin/shared/contracts/contract.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { aBackend, type BackendOptions, eachDatabase } from '../../test/support/backend.ts';
import type { Database } from '../database/database.ts';
import { columnsOf, statement } from '../database/database.ts';
import { answer, type Route, refused, route } from '../http/route.ts';

const makeThing = contract({
  name: 'makeThing',
  method: 'POST',
  path: '/api/v1/test/things',
  caller: 'apiKey',
  summary: 'Make a thing',
  tag: 'Test',
  body: z.object({ size: z.int(), refuse: z.boolean().optional() }),
  answers: { 201: z.object({ made: z.int(), by: z.string() }) },
  idempotent: true,
});

type Counter = { businessId: string; name: string; value: number };
const increment = statement<Counter, unknown>(({ db }, arg) =>
  db
    .insertInto('counters')
    .values(columnsOf(arg, ['businessId', 'name', 'value']))
    .onConflict(conflict =>
      conflict.columns(['businessId', 'name']).doUpdateSet(eb => ({ value: eb('counters.value', '+', 1) })),
    ),
);
const read = statement<{ businessId: string; name: string }, { value: number }>(({ db }, arg) =>
  db.selectFrom('counters').select('value').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);

/** Where the database can be reached once the backend of the test runs. */
type Late = { database?: Database; die?: boolean; begun: string[]; hold?: Promise<void>; held?: () => void };

/** A flow in two transactions with something slow between them, as a refund is. */
function flowOf(late: Late): Route {
  return route(
    makeThing,
    async ({ caller, body, once, requestId }) => {
      const { database } = late;
      if (!database) throw new Error('no database');
      const begun = await database.write(async tx => {
        const outcome = (await once?.begin(tx)) ?? 'first';
        if (outcome === 'first') {
          await tx.run(increment, {
            businessId: caller.businessId,
            name: once?.clientRequestId ?? requestId,
            value: 1,
          });
          await tx.run(increment, { businessId: caller.businessId, name: 'made', value: 1 });
        }
        return outcome;
      });
      late.begun.push(begun);
      if (begun === 'repeat') return refused(500, 'nobody may ever see this');
      late.held?.();
      await late.hold;
      if (late.die) throw new Error('the process died here');
      const { value = 0 } = (await database.first(read, { businessId: caller.businessId, name: 'made' })) ?? {};
      const done = body.refuse
        ? refused(409, 'Not in this state', { reason: 'not_now' })
        : answer(201, { made: value, by: requestId });
      await database.write(async tx => {
        const stored =
          'refused' in done
            ? { error: { code: 409, message: done.refused.message, metadata: done.refused.metadata } }
            : done.body;
        await once?.finish(tx, { status: 'refused' in done ? 409 : 201, body: stored });
      });
      return done;
    },
    { flowKeepsOnce: true },
  );
}

eachDatabase('an Idempotency-Key', database => {
  async function aShop(options: BackendOptions = {}) {
    const late: Late = { begun: [] };
    const world = await aBackend({ database, extraRoutes: [flowOf(late)], ...options });
    late.database = world.backend.database;
    const shop = await world.aBusiness();
    const key = await shop.key();
    const made = async () =>
      (await world.backend.database.first(read, { businessId: shop.id, name: 'made' }))?.value ?? 0;
    const call = (idempotencyKey: string, body = { size: 1 } as { size: number; refuse?: boolean }) =>
      world.client.call(makeThing, { body }, { key, idempotencyKey });
    return { ...world, late, key, made, call };
  }

  test('twenty calls at once run once and all get the one answer', async () => {
    const { call, made } = await aShop();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('k1')));
    expect(await made()).toBe(1);
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 201, body: { made: 1 } });
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
  });

  test('replays the first answer for 72 hours, then stands for a new request', async () => {
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

  test('replays a refusal too', async () => {
    const { call, made } = await aShop();
    const first = await call('k1', { size: 1, refuse: true });
    const again = await call('k1', { size: 1, refuse: true });
    expect(first).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'not_now' } } } });
    expect(again).toMatchObject({ status: 409, body: first.body });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await made()).toBe(1);
  });

  test('of one business is nothing to another', async () => {
    const { call, client, aBusiness, late } = await aShop();
    await call('k1', { size: 1 });
    const other = await (await aBusiness({ name: 'Other' })).key();
    const answered = await client.call(makeThing, { body: { size: 2 } }, { key: other, idempotencyKey: 'k1' });
    expect(answered.status).toBe(201);
    expect(late.begun).toEqual(['first', 'first']);
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

  test('left behind by a call that failed is taken over: the flow resumes, it does not start again', async () => {
    const { call, made, late } = await aShop();
    late.die = true;
    expect((await call('k1')).status).toBe(500);
    late.die = false;
    expect((await call('k1')).status).toBe(201);
    expect(late.begun).toEqual(['first', 'resumed']);
    expect(await made()).toBe(1);
  });

  test('left behind by a process that died blocks until its lease is over, then resumes once', async () => {
    const first = await aShop();
    const forever = new Promise<void>(() => {});
    const held = new Promise<void>(resolve => {
      first.late.held = resolve;
    });
    first.late.hold = forever;
    const lost = first.call('k1').catch(() => 'lost');
    await held;

    const late: Late = { begun: [], database: first.backend.database };
    const second = await aBackend({ sharing: first, extraRoutes: [flowOf(late)] });
    const waiting = Array.from({ length: 5 }, () =>
      second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' }),
    );
    await expect.poll(() => first.clock.isWaiting()).toBe(true);
    expect(late.begun).toEqual([]);
    let over = false;
    const answers = Promise.all(waiting).finally(() => {
      over = true;
    });
    // Past the lease; from there on each waiting call asks again when its turn comes.
    first.clock.advance({ seconds: 91 });
    while (!over) {
      first.clock.advance({ seconds: 1 });
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(new Set((await answers).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(late.begun).toEqual(['resumed']);
    expect(await first.made()).toBe(1);
    await first.kill();
    await lost;
  });

  test('held by another process: the call waits for that process’s answer', async () => {
    const first = await aShop();
    let letGo = () => {};
    first.late.hold = new Promise<void>(resolve => {
      letGo = resolve;
    });
    const held = new Promise<void>(resolve => {
      first.late.held = resolve;
    });
    const running = first.call('k1');
    await held;
    const late: Late = { begun: [], database: first.backend.database };
    const second = await aBackend({ sharing: first, extraRoutes: [flowOf(late)] });
    const waiting = second.client.call(makeThing, { body: { size: 1 } }, { key: first.key, idempotencyKey: 'k1' });
    await expect.poll(() => first.clock.isWaiting()).toBe(true);
    letGo();
    const answered = await running;
    first.clock.advance({ seconds: 1 });
    expect(await waiting).toMatchObject({ status: 201, body: answered.body });
    expect(late.begun).toEqual([]);
  });
});
