import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { aBackend, type BackendWorld, type TestBusiness } from '../../test/support/backend.ts';
import { aNetwork, anAnswer, type Behaviour } from '../../test/support/network.ts';
import { createClient, type Fetch, FlorinError, itemsOf, unwrap } from './index.ts';

let world: BackendWorld;
let business: TestBusiness;
let apiKey = '';
const until: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  world = await aBackend({ until });
  business = await world.aBusiness();
  apiKey = await business.key(...permissionCodes);
});
afterAll(async () => {
  for (const end of until.reverse()) await end();
});

/** A client on a network whose first requests meet these behaviours; later requests arrive normally. */
function onNetwork(...behaviours: (Behaviour | (() => Promise<Behaviour>))[]) {
  const network = aNetwork((_, number) => {
    const behaviour = behaviours[number - 1] ?? 'sent';
    return typeof behaviour === 'function' ? behaviour() : behaviour;
  });
  return { ...network, florin: createClient({ baseUrl: world.url, apiKey, ports: network.ports }) };
}
let links = 0;
const aLink = () => ({ description: `Invoice ${++links}`, amountInCents: 1_250, currency: 'GBP' });
const always = (behaviour: Behaviour) => Array.from({ length: 9 }, () => behaviour);
const limited = { error: { code: 429, message: 'Too many requests', metadata: { retryAfterSeconds: 3 } } };

async function linksNamed(description: string): Promise<number> {
  const { florin } = onNetwork();
  let found = 0;
  for await (const link of itemsOf(florin.listPaymentLinks, { query: { limit: 2 } }))
    if (link.description === description) found += 1;
  return found;
}

test('a write whose response is lost is sent again with the same key, and takes effect once', async () => {
  const { florin, requests, waits } = onNetwork('answer_lost', 'lost');
  const body = aLink();
  const answer = await florin.createPaymentLink({ body });
  expect(answer).toMatchObject({ ok: true, status: 201, attempts: 3, isReplayed: true });
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([answer.idempotencyKey]));
  expect(answer.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  expect(await linksNamed(body.description)).toBe(1);
  const [first = 0, second = 0] = waits;
  expect(first).toBeGreaterThanOrEqual(125);
  expect(second).toBeGreaterThanOrEqual(250);
});

test('a write without a response is unknown, and repeated with its key takes effect once', async () => {
  const { florin } = onNetwork(...always('answer_lost'));
  const body = aLink();
  const answer = await florin.createPaymentLink({ body });
  expect(answer).toMatchObject({ ok: false, outcome: 'unknown', status: null, attempts: 4 });
  const { idempotencyKey } = answer;
  const again = await onNetwork().florin.createPaymentLink({ body }, { idempotencyKey });
  expect(again).toMatchObject({ ok: true, isReplayed: true, idempotencyKey });
  expect(await linksNamed(body.description)).toBe(1);
});

test('a write whose response is lost stays unknown if later responses do not report its outcome', async () => {
  for (const [status, behaviour] of [
    [401, anAnswer(401, { error: { code: 401, message: 'The API key is revoked' } })],
    [429, anAnswer(429, limited, { 'retry-after': '3600' })],
    [502, anAnswer(502, '<h1>Bad gateway</h1>')],
  ] as const) {
    const { florin } = onNetwork('answer_lost', behaviour);
    const answer = await florin.createPaymentLink({ body: aLink() });
    expect([status, answer.outcome, answer.attempts]).toEqual([status, 'unknown', 2]);
    expect(() => unwrap(answer)).toThrow(FlorinError);
  }
});

test('a write without a key is sent once, and so is an operation that takes no key', async () => {
  const { florin, requests } = onNetwork(...always('answer_lost'));
  const body = aLink();
  expect(await florin.createPaymentLink({ body }, { idempotencyKey: null })).toMatchObject({ outcome: 'unknown' });
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key');
  const params = { id: 'pl_00000000000000000000000000000000' };
  expect(await florin.deletePaymentLink({ params })).toMatchObject({ outcome: 'unknown', attempts: 1 });
});

test('a call that was never sent was not done', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  const nobody = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, ports: aNetwork().ports });
  expect(await nobody.createPaymentLink({ body: aLink() })).toMatchObject({ outcome: 'not_done', attempts: 4 });
});

test('a read without a response is not done, and another server’s page is not a response', async () => {
  const { florin } = onNetwork(...always('lost'));
  expect(await florin.listPaymentLinks()).toMatchObject({ outcome: 'not_done', attempts: 4, idempotencyKey: null });
  const portal = onNetwork(...always(anAnswer(200, '<h1>Welcome to the guest network</h1>')));
  expect(await portal.florin.listPaymentLinks()).toMatchObject({ outcome: 'not_done', reason: 'unexpected_response' });
  const write = onNetwork(anAnswer(200, '<h1>Welcome</h1>'));
  expect(await write.florin.createPaymentLink({ body: aLink() })).toMatchObject({ outcome: 'unknown' });
});

test('retries wait as the service requests, and a call that cannot wait fails at once', async () => {
  const soon = onNetwork(anAnswer(429, limited), anAnswer(503, { error: { code: 503, message: 'Later' } }));
  const body = aLink();
  expect(await soon.florin.createPaymentLink({ body })).toMatchObject({ ok: true, attempts: 3, isReplayed: false });
  expect(soon.waits[0]).toBe(3_000);
  const late = onNetwork(anAnswer(429, limited, { 'retry-after': '3600' }));
  expect(await late.florin.listPaymentLinks()).toMatchObject({ outcome: 'refused', status: 429, attempts: 1 });
});

test('a refusal is a value with its reason, and is not repeated', async () => {
  const { florin, requests } = onNetwork();
  const missing = await florin.getPaymentLink({ params: { id: 'pl_00000000000000000000000000000000' } });
  expect(missing).toMatchObject({ outcome: 'refused', status: 404, reason: 'payment_link_not_found', attempts: 1 });
  const wrong = await florin.createPaymentLink({ body: { ...aLink(), amountInCents: -1 } });
  expect(wrong).toMatchObject({ outcome: 'refused', status: 400, message: expect.stringContaining('amountInCents') });
  expect(requests).toHaveLength(2);
});

test('an aborted or timed-out call returns its known outcome', async () => {
  const signal = AbortSignal.abort();
  const { florin } = onNetwork();
  expect(await florin.listPaymentLinks({}, { signal })).toMatchObject({ outcome: 'not_done', reason: 'aborted' });
  const { clock } = world;
  let sent = 0;
  const silent: Fetch = (_url, request) =>
    new Promise((_, reject) => {
      sent += 1;
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
  const patient = createClient({
    baseUrl: world.url,
    apiKey,
    maxAttempts: 1,
    timeoutMs: 5_000,
    ports: { fetch: silent, timers: clock },
  });
  const unanswered = patient.createPaymentLink({ body: aLink() });
  await expect.poll(() => sent, { interval: 5 }).toBe(1);
  clock.advance({ seconds: 5 });
  expect(await unanswered).toMatchObject({ outcome: 'unknown', reason: 'timeout' });
});

test('a list is read page by page, each item once', async () => {
  const { florin, requests } = onNetwork();
  const other = createClient({ baseUrl: world.url, apiKey: await (await world.aBusiness()).key(...permissionCodes) });
  for (let made = 0; made < 5; made += 1) unwrap(await other.createPaymentLink({ body: aLink() }));
  const ids: string[] = [];
  for await (const { id } of itemsOf(other.listPaymentLinks, { query: { limit: 2 } })) ids.push(id);
  expect(new Set(ids).size).toBe(5);
  expect(ids).toEqual(ids.toSorted().reverse());
  for await (const { id } of itemsOf(florin.listPaymentLinks, { query: { limit: 1 } })) {
    expect(ids).not.toContain(id);
    break;
  }
  expect(requests).toHaveLength(1);
});

test('the input and the response of a call are typed by its contract', () => {
  const { florin } = onNetwork();
  type Sale = Parameters<typeof florin.startTerminalSale>[0]['body'];
  expectTypeOf<Sale['amountInCents']>().toEqualTypeOf<number>();
  expectTypeOf<Sale['mode']>().toEqualTypeOf<'any' | 'card' | 'bitcoin' | undefined>();
  type Refund = Extract<Awaited<ReturnType<typeof florin.createCardRefund>>, { ok: true }>;
  expectTypeOf<Refund['status']>().toEqualTypeOf<201 | 202>();
  // @ts-expect-error: no such operation
  expect(florin.doSomething).toBeUndefined();
});
