import { listProblems } from '@florin/shared/contracts/api-v1/problems.ts';
import {
  changeWebhook,
  type DeliveryStatus,
  disableWebhook,
  enableWebhook,
  recoverWebhook,
  redeliverWebhook,
  testWebhook,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';

/** One retry per delivery, so that ten consecutive failures do not take half a day. */
const oneRetry = { WEBHOOK_RETRY_SECONDS: '1' };

eachDatabase('webhooks that are not accepted', database => {
  test('are tried five times, after 30 s, 2 min, 10 min and 1 h, by any number of processes', async () => {
    const shop = await aWebhookShop(database);
    const { aWebhook, history, happens, world } = shop;
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    await happens();
    let running = world;
    const delaysMs: number[] = [];
    /** Advances time while an attempt is awaited, not while one is in progress. */
    const passesUntil = async (count: number, seconds: number) => {
      for (;;) {
        const all = await history(id);
        const [delivery] = all;
        const ended = delivery?.attempts.filter(({ outcome }) => outcome !== null).length;
        const isRecorded = delivery?.status === 'failed' || delivery?.nextAttemptAt != null;
        if (ended === count && isRecorded) return all;
        const isDue = delivery?.nextAttemptAt == null || Date.parse(delivery.nextAttemptAt) <= world.clock.now();
        if (!isDue) world.clock.advance({ seconds });
        else if (delivery?.nextAttemptAt != null) world.clock.advance({ ms: 100 });
      }
    };
    for (const [index, step] of [1, 2, 5, 20, 60].entries()) {
      const [delivery] = await passesUntil(index + 1, step);
      const last = delivery?.attempts.at(-1);
      const endedAt = Date.parse(last?.startedAt ?? '') + (last?.durationMs ?? 0);
      delaysMs.push(Date.parse(delivery?.nextAttemptAt ?? '') - endedAt);
      if (index === 2) running = await aBackend({ sharing: running, env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    }
    world.clock.advance({ hours: 48 });
    const [delivery] = await history(id);
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 5, nextAttemptAt: null });
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-delivery']))).toEqual(
      new Set([delivery?.id]),
    );
    const startedAt = (delivery?.attempts ?? []).map(one => Date.parse(one.startedAt));
    for (const [index, plannedMs] of [30_000, 120_000, 600_000, 3_600_000].entries()) {
      const waitedMs = (startedAt[index + 1] ?? 0) - (startedAt[index] ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(plannedMs * 0.9);
      expect(delaysMs[index]).toBeGreaterThanOrEqual(plannedMs * 0.9);
      expect(delaysMs[index]).toBeLessThanOrEqual(plannedMs * 1.1);
    }
    // Signed again each time, because receivers refuse signatures older than five minutes.
    for (const [index, { headers }] of receiver.received.entries()) {
      const lateMs = Number(headers['x-webhook-timestamp']) * 1_000 - (startedAt[index] ?? 0);
      expect(lateMs).toBeGreaterThan(-1_000);
      expect(lateMs).toBeLessThan(10_000);
    }
    expect(delivery?.attempts[0]).toMatchObject({ error: 'the endpoint answered 500', responseExcerpt: 'answer 500' });
  });

  test('time out after 30 seconds, and do not delay other endpoints', async () => {
    const { aWebhook, history, happens, world, until } = await aWebhookShop(database);
    const silent = await aWebhookReceiver(() => undefined);
    const responsive = await aWebhookReceiver();
    const unreachable = await aWebhook(silent.url);
    const reachable = await aWebhook(responsive.url);
    for (let count = 1; count <= 20; count += 1) {
      await happens();
      await responsive.has(count);
    }
    // No time has passed: the silent endpoint holds only its own slots.
    expect(silent.received.length).toBeLessThanOrEqual(16);
    await expect
      .poll(async () => new Set((await history(reachable.id)).map(({ status }) => status)))
      .toEqual(new Set(['delivered']));
    world.clock.advance({ seconds: 29 });
    expect(
      (await history(unreachable.id)).every(({ attempts }) => attempts.every(({ outcome }) => outcome === null)),
    ).toBe(true);
    await until(async () => {
      const first = (await history(unreachable.id)).map(({ attempts }) => attempts[0]);
      return first.every(attempt => attempt?.outcome === 'timeout');
    });
    const [attempt] = (await history(unreachable.id)).at(-1)?.attempts ?? [];
    expect(attempt).toMatchObject({ outcome: 'timeout', responseStatus: null, durationMs: 30_000 });
  });

  test('ten consecutive failures disable the endpoint, with a warning at five; a success resets the count', async () => {
    const { aWebhook, webhook, history, happens, until, client, key, world } = await aWebhookShop(database, oneRetry);
    let status = 500;
    const receiver = await aWebhookReceiver(() => status);
    const { id } = await aWebhook(receiver.url);
    let deliveries = 0;
    const nextIs = async (wanted: DeliveryStatus) => {
      deliveries += 1;
      await happens();
      await until(async () => {
        const all = await history(id);
        return all.length === deliveries && all[0]?.status === wanted;
      });
    };
    const fails = async (times: number) => {
      for (let count = 0; count < times; count += 1) await nextIs('failed');
    };
    await fails(4);
    expect(await webhook(id)).toMatchObject({ status: 'enabled', failedInARow: 4 });
    expect(world.logged()).not.toContain('a webhook endpoint is failing');
    await fails(1);
    expect(await webhook(id)).toMatchObject({ status: 'enabled', failedInARow: 5, isFailing: true });
    expect(world.logged()).toContain('a webhook endpoint is failing');
    await fails(4);
    status = 204;
    await nextIs('delivered');
    await expect.poll(() => webhook(id)).toMatchObject({ status: 'enabled', failedInARow: 0, isFailing: false });
    status = 302;
    await fails(9);
    expect(await webhook(id)).toMatchObject({ status: 'enabled', failedInARow: 9 });
    await fails(1);
    expect(await webhook(id)).toMatchObject({ status: 'disabled', failedInARow: 10 });
    expect(world.logged()).toContain('a webhook endpoint was disabled');

    const before = receiver.received.length;
    await nextIs('not_sent');
    world.clock.advance({ hours: 2 });
    expect(receiver.received).toHaveLength(before);
    const deliveryId = (await history(id))[0]?.id ?? '';
    expect(await client.call(redeliverWebhook, { params: { id, deliveryId } }, { key })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'webhook_disabled' } } },
    });
    // A disabled endpoint can be tested before it is enabled.
    status = 200;
    await client.call(testWebhook, { params: { id } }, { key });
    await receiver.has(before + 1);
    const enabled = await client.call(enableWebhook, { params: { id } }, { key });
    expect(enabled).toMatchObject({ status: 200, body: { status: 'enabled', failedInARow: 0, disabledAt: null } });
  });

  test('say at once that their endpoint fails, until it answers', async () => {
    const { aWebhook, webhook, happens, until, client, key } = await aWebhookShop(database);
    let status = 500;
    const receiver = await aWebhookReceiver(() => status);
    const { id } = await aWebhook(receiver.url);
    expect(await webhook(id)).toMatchObject({ isFailing: false, failingSince: null, lastFailure: null });
    await client.call(testWebhook, { params: { id } }, { key });
    await receiver.has(1);
    await happens();
    await receiver.has(2);
    await expect.poll(async () => (await webhook(id)).isFailing).toBe(true);
    const { failingSince, ...failing } = await webhook(id);
    expect(failing).toMatchObject({ failedInARow: 0, lastFailure: { outcome: 'refused', responseStatus: 500 } });
    status = 503;
    await until(async () => (await webhook(id)).lastFailure?.responseStatus === 503);
    expect(await webhook(id)).toMatchObject({ isFailing: true, failingSince });
    status = 200;
    await until(async () => !(await webhook(id)).isFailing);
    expect(await webhook(id)).toMatchObject({ failingSince: null, lastFailure: null });
  });

  test('are kept while a person has disabled their endpoint, and sent on request afterwards', async () => {
    const { aWebhook, webhook, history, happens, until, client, key } = await aWebhookShop(database);
    let status = 500;
    const receiver = await aWebhookReceiver(() => status);
    const { id } = await aWebhook(receiver.url);
    const call = { params: { id } };
    await happens();
    await until(async () => (await history(id))[0]?.nextAttemptAt != null, 0);
    const since = new Date(Date.parse((await history(id))[0]?.createdAt ?? '')).toISOString();
    const disabled = await client.call(disableWebhook, call, { key });
    expect(disabled).toMatchObject({ status: 200, body: { status: 'disabled', disabledReason: 'request' } });
    expect(await client.call(disableWebhook, call, { key })).toMatchObject({ status: 200, body: disabled.body });
    await happens();
    await until(async () => (await history(id)).length === 2);
    expect((await history(id)).map(({ status: state }) => state)).toEqual(['not_sent', 'not_sent']);
    expect(await client.call(listProblems, {}, { key })).toMatchObject({ body: { items: [] } });
    status = 200;
    await client.call(enableWebhook, call, { key });
    expect(await webhook(id)).toMatchObject({ status: 'enabled', disabledReason: null, isFailing: false });
    const recovered = await client.call(recoverWebhook, { ...call, query: { since } }, { key });
    expect(recovered.body).toEqual({ deliveries: 2 });
    await until(async () => (await history(id)).every(({ status: state }) => state === 'delivered'));
  });

  test('are not sent any more once their endpoint has changed to another event', async () => {
    const { aWebhook, history, happens, until, client, key } = await aWebhookShop(database);
    const held: (() => void)[] = [];
    const receiver = await aWebhookReceiver((_received, response) => {
      if (held.length === 0) return void held.push(() => response.writeHead(500).end());
      return 500;
    });
    const { id } = await aWebhook(receiver.url, 'payment.created');
    const params = { id };
    // One is being sent while the endpoint changes, another waits for its next attempt.
    await happens();
    await receiver.has(1);
    await happens();
    await receiver.has(2);
    await until(async () => (await history(id))[0]?.nextAttemptAt != null, 0);
    const body = { eventType: 'payment.completed' } as const;
    expect(await client.call(changeWebhook, { params, body }, { key })).toMatchObject({ status: 200, body });
    expect(await history(id)).toMatchObject([{ status: 'not_sent', nextAttemptAt: null }, { status: 'pending' }]);
    held[0]?.();
    await until(async () => (await history(id)).every(({ status }) => status === 'not_sent'));
    expect(receiver.received).toHaveLength(2);

    const [delivery] = await history(id);
    expect(
      await client.call(redeliverWebhook, { params: { id, deliveryId: delivery?.id ?? '' } }, { key }),
    ).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'webhook_event_changed' } } } });
    const query = { since: '2026-01-01T00:00:00Z' };
    expect(await client.call(recoverWebhook, { params, query }, { key })).toMatchObject({ body: { deliveries: 0 } });
    await client.call(changeWebhook, { params, body: { eventType: 'payment.created' } }, { key });
    expect(await client.call(recoverWebhook, { params, query }, { key })).toMatchObject({ body: { deliveries: 2 } });
    await receiver.has(4);
  });

  test('that wait for their next attempt are sent at once on request', async () => {
    const { aWebhook, history, happens, until, client, key } = await aWebhookShop(database);
    let status = 500;
    const receiver = await aWebhookReceiver(() => status);
    const { id } = await aWebhook(receiver.url);
    await happens();
    await until(async () => (await history(id))[0]?.attempts[0]?.outcome === 'refused');
    status = 200;
    const deliveryId = (await history(id))[0]?.id ?? '';
    const again = await client.call(redeliverWebhook, { params: { id, deliveryId } }, { key });
    expect(again).toMatchObject({ status: 200, body: { status: 'pending', series: 2, attemptCount: 0 } });
    await receiver.has(2);
    await until(async () => (await history(id))[0]?.status === 'delivered');
  });

  test('are resent on request, one or all since a time, in a new series', async () => {
    const { aWebhook, history, happens, until, client, key, world } = await aWebhookShop(database, oneRetry);
    let status = 500;
    const receiver = await aWebhookReceiver(() => status);
    const { id } = await aWebhook(receiver.url);
    const since = new Date(world.clock.now()).toISOString();
    for (const _ of [1, 2, 3]) await happens();
    const withStatus = async (wanted: DeliveryStatus) =>
      (await history(id)).filter(one => one.status === wanted).length;
    await until(async () => (await withStatus('failed')) === 3);
    status = 200;
    await happens();
    await until(async () => (await withStatus('delivered')) === 1);
    const [good, ...bad] = await history(id);
    const sentBefore = receiver.received.length;

    const first = bad.at(-1);
    const again = await client.call(redeliverWebhook, { params: { id, deliveryId: first?.id ?? '' } }, { key });
    expect(again).toMatchObject({
      status: 200,
      body: { id: first?.id, status: 'pending', series: 2, attemptCount: 0 },
    });
    await receiver.has(sentBefore + 1);
    expect(receiver.received.at(-1)?.headers['x-webhook-delivery']).toBe(first?.id);
    expect(receiver.received.at(-1)?.body).toBe(first?.body);
    await expect
      .poll(async () => (await history(id)).at(-1))
      .toMatchObject({
        status: 'delivered',
        attempts: [
          { series: 1, number: 1 },
          { series: 1, number: 2 },
          { series: 2, number: 1, outcome: 'delivered' },
        ],
      });

    const options = { key, idempotencyKey: 'recover-1' };
    for (const _ of [1, 2])
      expect(await client.call(recoverWebhook, { params: { id }, query: { since } }, options)).toMatchObject({
        status: 200,
        body: { deliveries: 2 },
      });
    await until(async () => (await withStatus('delivered')) === 4);
    expect(receiver.received).toHaveLength(sentBefore + 3);
    expect((await history(id)).map(({ series }) => series)).toEqual([1, 2, 2, 2]);
    expect(good?.series).toBe(1);

    // One waiting for its second attempt is sent without waiting.
    status = 500;
    await happens();
    await expect.poll(async () => (await history(id))[0]).toMatchObject({ status: 'pending', attemptCount: 1 });
    await expect.poll(async () => (await history(id))[0]?.attempts[0]?.outcome).toBe('refused');
    status = 200;
    expect(await client.call(recoverWebhook, { params: { id }, query: { since } }, { key })).toMatchObject({
      status: 200,
      body: { deliveries: 1 },
    });
    await expect.poll(async () => (await history(id))[0]).toMatchObject({ status: 'delivered', series: 2 });

    // A delivered one can be resent, too.
    await client.call(redeliverWebhook, { params: { id, deliveryId: good?.id ?? '' } }, { key });
    await receiver.has(sentBefore + 6);
  });

  test('the first attempt is made without delay, by any worker process', async () => {
    const { aWebhook, happens, world } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    await aWebhook(receiver.url);
    const other = await aBackend({ sharing: world, env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    for (let count = 1; count <= 10; count += 1) {
      await happens();
      await receiver.has(count);
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-delivery'])).size).toBe(10);
    expect(other.logged()).not.toContain('"level":50');
  });

  test('a test event and a redelivery requested from an API process are sent at once by the worker', async () => {
    const shop = await aWebhookShop(database, { ROLE: 'api' });
    const { aWebhook, history, until, client, key, world } = shop;
    const receiver = await aWebhookReceiver();
    const { id } = await aWebhook(receiver.url);
    await aBackend({ sharing: world, env: { ROLE: 'worker', OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    // The worker's start-up check is not tested here.
    world.clock.advance({ seconds: 1 });
    const isRecorded = async () => {
      const [delivery] = await history(id);
      return delivery?.status === 'delivered' && delivery.series === receiver.received.length;
    };
    const before = world.clock.elapsedMs();
    await client.call(testWebhook, { params: { id } }, { key });
    await until(isRecorded, 0.001);
    const [delivery] = await history(id);
    await client.call(redeliverWebhook, { params: { id, deliveryId: delivery?.id ?? '' } }, { key });
    await until(isRecorded, 0.001);
    expect(receiver.received).toHaveLength(2);
    expect(world.clock.elapsedMs() - before).toBeLessThan(1_000);
  });
});
