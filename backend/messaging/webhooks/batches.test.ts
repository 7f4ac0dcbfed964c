import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';
import { statement } from '../../foundation/database/database.ts';

/** From here on, outcomes with status 418 cannot be recorded. */
const refuse418 = statement<object, unknown>(({ db, isPostgres }) => ({
  compile: () =>
    (isPostgres
      ? sql`ALTER TABLE "webhookAttempts" ADD CONSTRAINT "no_418" CHECK ("responseStatus" <> 418)`
      : sql`CREATE TRIGGER "no_418" BEFORE INSERT ON "webhookAttempts" WHEN NEW."responseStatus" = 418
          BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`
    ).compile(db),
}));

eachDatabase('webhook attempts that end together', database => {
  /** An endpoint with this many deliveries, whose attempts all wait for their responses. */
  async function anEndpoint(deliveries: number) {
    const shop = await aWebhookShop(database, { WEBHOOK_RETRY_SECONDS: '1' });
    const waiting: ServerResponse[] = [];
    const receiver = await aWebhookReceiver((_received, response) => {
      waiting.push(response);
      return undefined;
    });
    const { id } = await shop.aWebhook(receiver.url);
    for (let count = 0; count < deliveries; count += 1) await shop.happens();
    await receiver.has(deliveries);
    const answer = (count: number, statusOf: (index: number) => number) => {
      for (const [index, response] of waiting.splice(0, count).entries()) response.writeHead(statusOf(index)).end();
    };
    return { ...shop, id, receiver, answer };
  }

  test('an outcome that cannot be recorded does not affect others', async () => {
    const { id, answer, history, world, until, receiver } = await anEndpoint(8);
    await world.backend.database.write(tx => tx.run(refuse418, {}));
    answer(8, index => (index === 3 ? 418 : 200));
    const delivered = async () => (await history(id)).filter(({ status }) => status === 'delivered').length;
    await expect.poll(delivered).toBe(7);
    await expect.poll(() => world.logged()).toContain('could not record a webhook attempt');
    // As after a crash of the process.
    receiver.answers(() => 200);
    await until(async () => (await delivered()) === 8);
    const last = (await history(id)).find(({ attemptCount }) => attemptCount === 2);
    expect(last?.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'interrupted'],
      [2, 'delivered'],
    ]);
    expect(receiver.received).toHaveLength(9);
  });

  test('an endpoint is disabled once, and attempts in progress keep their outcome', async () => {
    const { id, answer, history, webhook, world, until, receiver, happens } = await anEndpoint(14);
    const withStatus = async (wanted: string) => (await history(id)).filter(({ status }) => status === wanted).length;
    answer(14, () => 500);
    await expect
      .poll(async () => (await history(id)).filter(({ nextAttemptAt }) => nextAttemptAt !== null).length)
      .toBe(14);
    await until(async () => (await history(id)).every(({ attemptCount }) => attemptCount === 2));
    await receiver.has(28);
    await happens();
    await receiver.has(29);
    answer(14, () => 500);
    await expect.poll(() => withStatus('failed')).toBe(14);
    expect(await webhook(id)).toMatchObject({ status: 'disabled', failedInARow: 10 });
    expect(world.logged().split('a webhook endpoint was disabled')).toHaveLength(2);
    answer(1, () => 200);
    await expect.poll(() => withStatus('delivered')).toBe(1);
    expect(await webhook(id)).toMatchObject({ status: 'disabled', failedInARow: 10 });
    world.clock.advance({ hours: 2 });
    expect(receiver.received).toHaveLength(29);
  });

  test('attempts waiting for an endpoint that stops responding are released, unsent and uncounted', async () => {
    const { id, answer, history, until, receiver, happens } = await anEndpoint(16);
    const withStatus = async (wanted: string) => (await history(id)).filter(({ status }) => status === wanted).length;
    const withAttempts = async (count: number) =>
      (await history(id)).filter(({ attemptCount, attempts }) => attemptCount === count && attempts.length === count)
        .length;
    for (let count = 0; count < 8; count += 1) await happens();
    answer(8, () => 200);
    await receiver.has(24);
    // Sixteen are being sent: the next are claimed for free slots, because eight responses were prompt.
    for (let count = 0; count < 4; count += 1) await happens();
    await expect.poll(() => withAttempts(1)).toBe(28);
    answer(1, () => 500);
    await receiver.has(25);
    await expect.poll(() => withAttempts(0)).toBe(3);
    receiver.answers(() => 200);
    answer(16, () => 200);
    await until(async () => (await withStatus('delivered')) === 28);
    expect(await withAttempts(1)).toBe(27);
    expect(await withAttempts(2)).toBe(1);
    const sent = receiver.received.map(({ headers }) => [headers['x-webhook-delivery'], headers['x-webhook-attempt']]);
    expect(new Set(sent.map(String)).size).toBe(29);
    expect(sent).toHaveLength(29);
  });

  test('claims are limited to what an endpoint accepts during a commit: a killed process has sent most counted attempts', async () => {
    const { id, answer, history, world, receiver, happens } = await anEndpoint(16);
    const places = 16;
    // Each response takes a twentieth of a second.
    for (let round = 1; round <= 2; round += 1) {
      for (let count = 0; count < places; count += 1) await happens();
      world.clock.advance({ ms: 50 });
      answer(places, () => 200);
      await receiver.has((round + 1) * places);
    }
    const attempts = async () => (await history(id)).filter(({ attemptCount }) => attemptCount === 1).length;
    // Ten may wait; a claim needs room for at least half of them.
    const ahead = 6;
    const claimed = 3 * places + ahead;
    for (let count = 1; count <= ahead; count += 1) {
      await happens();
      // One by one, because a slow commit would let two be claimed at once.
      await expect.poll(attempts).toBe(3 * places + count);
    }
    for (let count = ahead; count < 2 * places; count += 1) await happens();
    const all = 5 * places;
    await expect.poll(async () => (await history(id)).length).toBe(all);
    expect(await attempts()).toBe(claimed);
    receiver.answers(() => 200);
    answer(places, () => 200);
    await expect.poll(async () => (await history(id)).filter(({ status }) => status === 'delivered').length).toBe(all);
    expect(receiver.received).toHaveLength(all);
  });
});
