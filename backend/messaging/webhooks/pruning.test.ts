import type { Instant } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';
import { statement } from '../../foundation/database/database.ts';

const attemptsLeft = statement<object, { deliveryId: string }>(({ db }) =>
  db.selectFrom('webhookAttempts').select('deliveryId'),
);

type OldEvent = { type: string; paymentId: string | null };
const eventsUntil = statement<{ at: Instant }, OldEvent>(({ db }, arg) =>
  db.selectFrom('events').select(['type', 'paymentId']).where('createdAt', '<=', arg('at')),
);

eachDatabase('after their retention', database => {
  test('delivered webhooks, those that were given up, and handled events are deleted, except the history of payments', async () => {
    const { world, business, aWebhook, history, happens, until } = await aWebhookShop(database, {
      RETENTION_DAYS: '1',
    });
    const good = await aWebhookReceiver(() => 200);
    const bad = await aWebhookReceiver(() => 500);
    const delivered = await aWebhook(good.url);
    const failed = await aWebhook(bad.url);
    await happens();
    const { database: rows, services } = world.backend;
    const payload = { name: 'Till 2', mode: 'staff' } as const;
    const renamed = { type: 'terminal.profile_changed', businessId: business.id, subjectId: 'dev_1', payload } as const;
    await rows.write(async tx => services.events.announce(tx, renamed));
    const firstAt = world.clock.now();
    await until(async () => (await history(delivered.id))[0]?.status === 'delivered');
    await until(async () => (await history(failed.id))[0]?.status === 'failed', 60);
    expect(await history(delivered.id)).toHaveLength(1);

    await until(async () => (await history(delivered.id)).length === 0, 600);
    expect(world.clock.now() - firstAt).toBeGreaterThan(86_400_000);
    // It was given up more than an hour later.
    expect(await history(failed.id)).toMatchObject([{ status: 'failed', attemptCount: 5 }]);
    await until(async () => (await history(failed.id)).length === 0, 7_200);
    expect(world.clock.now() - firstAt).toBeLessThan(4 * 86_400_000);
    expect(await rows.all(attemptsLeft, {})).toEqual([]);

    await happens();
    await until(async () => (await history(delivered.id))[0]?.status === 'delivered');
    expect(good.received).toHaveLength(2);
    const oldEvents = () => rows.all(eventsUntil, { at: firstAt });
    const others = async () => {
      world.clock.advance({ minutes: 10 });
      return (await oldEvents()).filter(({ paymentId }) => paymentId === null);
    };
    await expect.poll(others, { interval: 5 }).toEqual([]);
    expect((await oldEvents()).map(({ type }) => type)).toEqual(['payment.started', 'payment.approved']);
  });
});
