import { cancelTerminalSale, startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testStatus,
  testWebhook,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import { completeSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { linesOf } from '../../../test/support/log-lines.ts';
import { aTill } from '../../../test/support/till.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop, isAuthentic } from '../../../test/support/webhook-shop.ts';

eachDatabase('webhooks', database => {
  test('a payment of a link is sent to the endpoints of its events, signed, with the nine fields', async () => {
    const { aWebhook, history, aLink, pay, world } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    const created = await aWebhook(receiver.url, 'payment.created');
    const completed = await aWebhook(receiver.url, 'payment.completed');
    const link = await aLink(1_250);
    await pay(link.id);
    await receiver.has(2);
    const nowSeconds = world.clock.now() / 1_000;
    for (const { id, secret, eventType } of [created, completed]) {
      const received = receiver.received.find(({ headers }) => headers['x-webhook-event'] === eventType);
      if (!received) throw new Error(`no ${eventType}`);
      expect(isAuthentic(received, secret, nowSeconds)).toBe(true);
      expect(isAuthentic(received, `${secret}x`, nowSeconds)).toBe(false);
      expect(isAuthentic(received, secret, nowSeconds + 301)).toBe(false);
      expect(isAuthentic({ ...received, body: `${received.body} ` }, secret, nowSeconds)).toBe(false);
      expect(received.headers['x-webhook-timestamp']).toBe(String(Math.floor(nowSeconds)));
      expect(Object.entries(JSON.parse(received.body))).toEqual([
        ['eventType', eventType],
        ['checkoutId', link.id],
        ['externalId', null],
        ['status', eventType === 'payment.created' ? 'PENDING' : 'COMPLETE'],
        ['amount', 1_250],
        ['currency', 'GBP'],
        ['network', null],
        ['txIds', []],
        ['createdAt', new Date(world.clock.now()).toISOString()],
      ]);
      await expect
        .poll(() => history(id))
        .toMatchObject([
          {
            id: received.headers['x-webhook-delivery'],
            status: 'delivered',
            body: received.body,
            sequence: 1,
            attemptCount: 1,
            attempts: [{ number: 1, outcome: 'delivered', responseStatus: 200, responseExcerpt: 'answer 200' }],
          },
        ]);
      expect(world.logged()).not.toContain(secret);
      const lines = linesOf(world.logged()).filter(
        ({ msg, webhookId }) => msg === 'webhooks were delivered' && webhookId === id,
      );
      expect(lines).toMatchObject([{ job: 'webhooks', deliveryIds: [expect.any(String)] }]);
      expect(lines[0]).not.toHaveProperty('requestId');
    }
    expect(world.logged()).not.toContain('txIds');
  });

  test('a terminal sale is sent when it is completed or failed', async () => {
    const { aWebhook, world, business, client, sandbox } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    await aWebhook(receiver.url, 'terminal.sale.completed');
    await aWebhook(receiver.url, 'terminal.sale.failed');
    await aWebhook(receiver.url, 'payment.completed');
    const till = await aTill(world, await business.key('devices:write'));
    const token = { key: till.token };
    const good = await till.sell(1_000);
    await client.call(completeSale, { params: { saleId: good.saleId } }, token);
    const reversed = await till.sell(2_000);
    const body = { reason: 'card_refused' as const };
    for (const _twice of [1, 2]) await client.call(reverseSale, { params: { saleId: reversed.saleId }, body }, token);
    sandbox.control.addFault({ kind: 'decline', action: 'SALE' });
    const declined = await till.sell(3_000);
    await client.call(reverseSale, { params: { saleId: declined.saleId }, body }, token);
    await receiver.has(3);
    const bodies = receiver.received.map(each => JSON.parse(each.body));
    const inOrder = bodies.toSorted((a, b) => a.amount - b.amount);
    expect(inOrder.map(({ eventType, checkoutId, amount }) => [eventType, checkoutId, amount])).toEqual([
      ['terminal.sale.completed', good.saleId, 1_000],
      ['terminal.sale.failed', reversed.saleId, 2_000],
      ['terminal.sale.failed', declined.saleId, 3_000],
    ]);
  });

  test('a terminal sale started over the API is sent once, at its end, with its reference, unless it was cancelled', async () => {
    const { aWebhook, world, business, client, key, sandbox } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    await aWebhook(receiver.url, 'terminal.sale.completed');
    await aWebhook(receiver.url, 'terminal.sale.failed');
    const till = await aTill(world, await business.key('devices:write'));
    const token = { key: till.token };
    const start = async (reference: string) => {
      const body = { serial: 'SN-1', amountInCents: 1_000, currency: 'GBP', reference } as const;
      const started = await client.call(startTerminalSale, { body }, { key });
      if (started.status !== 201) throw new Error(JSON.stringify(started.body));
      return started.body.saleId;
    };
    const paid = await start('order 1');
    await till.sell(1_000, paid);
    await client.call(completeSale, { params: { saleId: paid } }, token);
    await receiver.has(1);
    const given = await start('order 2');
    await client.call(cancelTerminalSale, { params: { saleId: given } }, { key });
    const declined = await start('order 3');
    sandbox.control.addFault({ kind: 'decline', action: 'CARD_PRESENT' });
    await till.sell(1_000, declined);
    // Events keep their order: one for the cancellation would arrive before this one.
    await receiver.has(2);
    expect(receiver.received.map(each => JSON.parse(each.body))).toMatchObject([
      { eventType: 'terminal.sale.completed', checkoutId: paid, externalId: 'order 1', status: 'COMPLETE' },
      { eventType: 'terminal.sale.failed', checkoutId: declined, externalId: 'order 3', status: 'ERROR' },
    ]);
  });

  test('events are numbered in their order, for each endpoint without gaps', async () => {
    const { aWebhook, happens, history } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    const created = await aWebhook(receiver.url, 'payment.created');
    const completed = await aWebhook(receiver.url, 'payment.completed');
    for (const _ of [1, 2, 3]) await happens();
    await receiver.has(6);
    const numbers = async (id: string) =>
      (await history(id)).map(({ sequence, eventNumber }) => [sequence, eventNumber]).toReversed();
    expect(await numbers(created.id)).toEqual([
      [1, 1],
      [2, 3],
      [3, 5],
    ]);
    expect(await numbers(completed.id)).toEqual([
      [1, 2],
      [2, 4],
      [3, 6],
    ]);
    const sent = receiver.received.map(({ headers }) => [
      headers['x-webhook-event'],
      headers['x-webhook-sequence'],
      headers['x-webhook-event-number'],
    ]);
    expect(sent.toSorted((a, b) => Number(a[2]) - Number(b[2]))).toEqual([
      ['payment.created', '1', '1'],
      ['payment.completed', '1', '2'],
      ['payment.created', '2', '3'],
      ['payment.completed', '2', '4'],
      ['payment.created', '3', '5'],
      ['payment.completed', '3', '6'],
    ]);
  });

  test('a rotated secret signs from now on; the previous one also signs for a day, if requested', async () => {
    const { aWebhook, happens, client, key, world, business } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    const { id, secret: first } = await aWebhook(receiver.url);
    const rotate = async (keepPreviousSecret: boolean) => {
      const rotated = await client.call(rotateWebhookSecret, { params: { id }, body: { keepPreviousSecret } }, { key });
      if (rotated.status !== 200) throw new Error(JSON.stringify(rotated.body));
      return { ...rotated.body, secret: rotated.body.secret ?? '' };
    };
    const validNow = async (...secrets: string[]) => {
      const before = receiver.received.length;
      await happens();
      await receiver.has(before + 1);
      const received = receiver.received.at(-1);
      return secrets.map(secret => received && isAuthentic(received, secret, world.clock.now() / 1_000));
    };
    // No field of the body is required, so the body may be omitted.
    const other = await aWebhook(receiver.url, 'terminal.sale.failed');
    const bare = await fetch(`${world.url}/api/v1/webhooks/${other.id}/rotate-secret`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(bare.status).toBe(200);
    const second = await rotate(true);
    expect(second.secret).toMatch(/^whsec_[0-9A-Za-z]{49}$/);
    expect(second.previousSecretUntil).toBe(new Date(world.clock.now() + 86_400_000).toISOString());
    expect(await validNow(first, second.secret)).toEqual([true, true]);
    world.clock.advance({ hours: 24 });
    expect(await validNow(first, second.secret)).toEqual([false, true]);
    const third = await rotate(false);
    expect(third.previousSecretUntil).toBeNull();
    expect(await validNow(second.secret, third.secret)).toEqual([false, true]);
    const stored = await everythingIn(world.backend.database);
    for (const { secret } of [{ secret: first }, second, third]) {
      expect(stored).not.toContain(secret);
      expect(world.logged()).not.toContain(secret);
    }
    expect(await world.backend.services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
  });

  test('a test event is sent once, is marked as a test, and is not counted', async () => {
    const { aWebhook, webhook, history, client, key, world } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver(() => 500);
    const { id, secret } = await aWebhook(receiver.url, 'terminal.sale.failed');
    const sent = await client.call(testWebhook, { params: { id } }, { key });
    expect(sent).toMatchObject({ status: 201, body: { isTest: true, sequence: null, status: 'pending' } });
    await receiver.has(1);
    const [received] = receiver.received;
    if (!received) throw new Error('nothing was sent');
    expect(isAuthentic(received, secret, world.clock.now() / 1_000)).toBe(true);
    expect(received.headers).toMatchObject({ 'x-webhook-test': 'true', 'x-webhook-event': 'terminal.sale.failed' });
    expect(Object.keys(JSON.parse(received.body))).toHaveLength(9);
    expect(JSON.parse(received.body)).toMatchObject({ status: testStatus, checkoutId: 'chk_test', externalId: 'test' });
    await expect.poll(() => history(id)).toMatchObject([{ status: 'failed', attemptCount: 1, isTest: true }]);
    world.clock.advance({ hours: 2 });
    expect(await webhook(id)).toMatchObject({ failedInARow: 0 });
    expect(receiver.received).toHaveLength(1);
  });

  test('nothing is sent to the old URL of a changed or removed endpoint', async () => {
    const { aWebhook, happens, client, key, history, until } = await aWebhookShop(database);
    const old = await aWebhookReceiver(() => 503);
    const next = await aWebhookReceiver();
    const { id } = await aWebhook(old.url);
    await happens();
    await until(async () => (await history(id))[0]?.attempts[0]?.outcome === 'refused');
    const moved = await client.call(changeWebhook, { params: { id }, body: { url: next.url } }, { key });
    expect(moved).toMatchObject({ status: 200, body: { url: next.url, eventType: 'payment.completed' } });
    await until(async () => (await history(id))[0]?.status === 'delivered');
    expect(old.received).toHaveLength(1);
    const [delivery] = await history(id);
    expect(delivery?.attempts.map(({ url }) => url)).toEqual([old.url, next.url]);
    expect(await client.call(deleteWebhook, { params: { id } }, { key })).toMatchObject({ status: 200 });
    await happens();
    expect(await client.call(deleteWebhook, { params: { id } }, { key })).toMatchObject({ status: 404 });
    expect(await client.call(listWebhooks, { query: {} }, { key })).toMatchObject({ body: { items: [] } });
    expect(next.received).toHaveLength(1);
  });

  test('a business has at most a hundred endpoints', async () => {
    const { client, key } = await aWebhookShop(database);
    const create = () =>
      client.call(createWebhook, { body: { url: 'https://shop.example/', eventType: 'payment.created' } }, { key });
    const made = await Promise.all(Array.from({ length: 100 }, create));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await create()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'too_many_webhooks', limit: 100 } } },
    });
  });
});
