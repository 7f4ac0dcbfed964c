import { rotateWebhookSecret } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aWebhookReceiver, type ReceivedWebhook } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop, isAuthentic } from '../../../test/support/webhook-shop.ts';

eachDatabase('a rotation of a webhook’s secret', database => {
  test('during deliveries leaves none without a signature by a valid secret', async () => {
    const { aWebhook, happens, history, until, client, key, world } = await aWebhookShop(database);
    const held: { answer: (status: number) => void }[] = [];
    const receiver = await aWebhookReceiver((_received, response) => {
      held.push({ answer: status => void response.writeHead(status).end() });
      return undefined;
    });
    const { id, secret: first } = await aWebhook(receiver.url);
    const rotate = async () => {
      const body = { keepPreviousSecret: true };
      const rotated = await client.call(rotateWebhookSecret, { params: { id }, body }, { key });
      if (rotated.status !== 200) throw new Error(JSON.stringify(rotated.body));
      return rotated.body.secret ?? '';
    };
    const sentAt = ({ headers }: ReceivedWebhook) => Number(headers['x-webhook-timestamp']);
    const signedBy = (received: ReceivedWebhook | undefined, ...secrets: string[]) =>
      secrets.map(secret => received !== undefined && isAuthentic(received, secret, sentAt(received)));

    // One delivery is awaiting its response during the rotation.
    await happens();
    await receiver.has(1);
    const second = await rotate();
    expect(signedBy(receiver.received[0], first, second)).toEqual([true, false]);
    held[0]?.answer(500);
    await until(async () => (await history(id))[0]?.attemptCount === 2);
    await receiver.has(2);
    expect(receiver.received[1]?.headers['x-webhook-delivery']).toBe(
      receiver.received[0]?.headers['x-webhook-delivery'],
    );
    expect(signedBy(receiver.received[1], first, second)).toEqual([true, true]);
    held[1]?.answer(200);

    // Others start concurrently with the next rotation.
    const [third] = await Promise.all([rotate(), happens(), happens(), happens(), happens()]);
    await receiver.has(6);
    for (const received of receiver.received.slice(2)) {
      const [byFirst, bySecond, byThird] = signedBy(received, first, second, third);
      expect(bySecond).toBe(true);
      // Before the rotation the first secret signs too, afterwards the third.
      expect([byFirst, byThird].filter(Boolean)).toHaveLength(1);
    }
    await happens();
    await receiver.has(7);
    expect(signedBy(receiver.received[6], first, second, third)).toEqual([false, true, true]);
    for (const { answer } of held.slice(2)) answer(200);
    const states = async () => (await history(id)).map(({ status }) => status);
    await expect.poll(states).toEqual(Array.from({ length: 6 }, () => 'delivered'));
    expect(world.logged()).not.toContain(third);
  });

  test('without the previous secret: deliveries that can no longer be verified are resent with the new signature only', async () => {
    const { aWebhook, happens, history, until, client, key } = await aWebhookShop(database);
    const sentAt = ({ headers }: ReceivedWebhook) => Number(headers['x-webhook-timestamp']);
    let inForce = '';
    /** Accepts signatures by the one secret that the receiver has at that time. */
    const answerTo = (received: ReceivedWebhook) => (isAuthentic(received, inForce, sentAt(received)) ? 200 : 401);
    const held: (() => void)[] = [];
    const receiver = await aWebhookReceiver((received, response) => {
      held.push(() => void response.writeHead(answerTo(received)).end());
      return undefined;
    });
    const { id, secret } = await aWebhook(receiver.url);
    await happens();
    await receiver.has(1);
    const body = { keepPreviousSecret: false };
    const rotated = await client.call(rotateWebhookSecret, { params: { id }, body }, { key });
    inForce = rotated.status === 200 ? (rotated.body.secret ?? '') : '';
    await happens();
    await receiver.has(2);
    receiver.answers(answerTo);
    for (const answer of held) answer();
    await until(async () => (await history(id)).length < receiver.received.length);
    const results = async () =>
      (await history(id)).map(({ attempts }) => attempts.map(({ responseStatus }) => responseStatus));
    await expect.poll(results).toEqual([[200], [401, 200]]);
    for (const received of receiver.received.slice(1))
      expect(isAuthentic(received, secret, sentAt(received))).toBe(false);
  });
});
