import { listWebhookDeliveries } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';
import { statement } from '../../foundation/database/database.ts';

const leaseOf = statement<{ webhookId: string }, { nextAttemptAt: number | null }>(({ db }, arg) =>
  db.selectFrom('webhookDeliveries').select('nextAttemptAt').where('webhookId', '=', arg('webhookId')),
);

const loopback = { OUTBOUND_ALLOW_LOOPBACK: 'true' };

eachDatabase('a webhook attempt', database => {
  test('whose process no longer runs is taken over by another one within 15 seconds', async () => {
    const { aWebhook, happens, world, key } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver(() => undefined);
    const { id } = await aWebhook(receiver.url);
    await happens();
    await receiver.has(1);
    receiver.answers(() => 200);
    // No time passes for the first process from here on.
    const clock = testClock(world.clock.now());
    const second = await aBackend({ sharing: world, clock, env: loopback });
    const deliveries = async () => {
      const listed = await second.client.call(listWebhookDeliveries, { params: { id }, query: {} }, { key });
      return listed.status === 200 ? listed.body.items : [];
    };
    const stoppedAt = clock.now();
    const later = async () => {
      clock.advance({ ms: 500 });
      const [delivery] = await deliveries();
      return delivery?.attempts.map(({ outcome }) => outcome);
    };
    await expect.poll(later).toEqual(['interrupted', 'delivered']);
    const [delivery] = await deliveries();
    const secondAt = Date.parse(delivery?.attempts[1]?.startedAt ?? '');
    expect(secondAt - stoppedAt).toBeGreaterThan(9_000);
    expect(secondAt - stoppedAt).toBeLessThanOrEqual(15_000);
    expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2']);
  });

  test('that takes almost as long as it may is not taken over by another process', async () => {
    const { aWebhook, happens, history, world } = await aWebhookShop(database);
    const held: (() => void)[] = [];
    const receiver = await aWebhookReceiver((_received, response) => {
      held.push(() => response.writeHead(200).end());
      return undefined;
    });
    const { id } = await aWebhook(receiver.url);
    await happens();
    await receiver.has(1);
    await aBackend({ sharing: world, env: loopback });
    for (let second = 0; second < 28; second += 2) {
      world.clock.advance({ seconds: 2 });
      const until = async () => (await world.backend.database.first(leaseOf, { webhookId: id }))?.nextAttemptAt;
      await expect.poll(until).toBeGreaterThan(world.clock.now() + 4_000);
    }
    for (const answer of held) answer();
    await expect.poll(async () => (await history(id))[0]?.status).toBe('delivered');
    expect(await history(id)).toMatchObject([{ attemptCount: 1, attempts: [{ outcome: 'delivered' }] }]);
    expect(receiver.received).toHaveLength(1);
  });
});
