import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type SeededNumbers, seededNumbers } from '../simulation/seeded.ts';
import { eachDatabase } from '../support/backend.ts';
import { clientOf } from '../support/client.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import { Cluster } from './cluster.ts';
import { aPlace } from './kill-suite.ts';
import type { DatabaseRecords } from './records.ts';
import { takeLinkPayment } from './shop.ts';
import { pause, until } from './until.ts';

const api = 0;
const worker = 1;
/** Short for a test. */
const times = { WEBHOOK_TIMEOUT_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1,1,1,1' };
const maxAttempts = 5;
type Receiver = Awaited<ReturnType<typeof aWebhookReceiver>>;

eachDatabase('a process that serves and one that delivers webhooks', kind => {
  async function aShopWithEndpoints(env: Readonly<Record<string, string>> = times) {
    const place = await aPlace(kind, onTestFinished);
    const cluster = await Cluster.start({
      place,
      processes: 2,
      roles: ['api', 'worker'],
      env: { ...env, OUTBOUND_ALLOW_LOOPBACK: 'true' },
      atTheEnd: onTestFinished,
    });
    const client = clientOf(cluster.url(api));
    const receiver = await aWebhookReceiver();
    for (const eventType of ['payment.created', 'payment.completed'] as const) {
      const made = await client.call(
        createWebhook,
        { body: { url: receiver.url, eventType } },
        { key: cluster.shop.apiKey },
      );
      expect(made.status).toBe(201);
    }
    const earlier = (await cluster.records()).payments.length;
    /** Two events each. A payment that the bank does not answer in time is followed by another one. */
    const pay = (count: number) => {
      const at = { client, shop: cluster.shop, tokenUrl: cluster.sandbox.tokenUrl };
      return Promise.all(Array.from({ length: count }, () => takeLinkPayment(at, 1_000)));
    };
    /** Waits for both events of each payment; returns how many payments there are, at least `count`. */
    const allDelivered = async (count: number) => {
      let paid = 0;
      await until('all deliveries are over', async () => {
        const { payments, webhookDeliveries: all } = await cluster.records();
        paid = payments.length - earlier;
        return paid >= count && all.length === 2 * paid && all.every(({ status }) => status !== 'pending');
      });
      return paid;
    };
    return { cluster, receiver, pay, allDelivered };
  }

  test('an attempt whose worker is killed before it is recorded is sent again under the next number, and counted once', async () => {
    // On a busy machine the timeout must not end the attempt.
    const patient = { ...times, WEBHOOK_TIMEOUT_SECONDS: '30' };
    const { cluster, receiver, pay, allDelivered } = await aShopWithEndpoints(patient);
    // The worker claimed the delivery and got no answer.
    receiver.answers(() => undefined);
    await pay(1);
    await receiver.has(2);
    await cluster.killAndReplace(worker);
    receiver.answers(() => 200);
    await allDelivered(1);
    const records = await cluster.records();
    expect(records.webhookDeliveries.map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
      ['delivered', 2],
      ['delivered', 2],
    ]);
    expect(records.webhookAttempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'interrupted'],
      [1, 'interrupted'],
      [2, 'delivered'],
      [2, 'delivered'],
    ]);
    expect(faultsOf(records, receiver)).toEqual([]);
  });

  test('every event arrives, attempts are counted correctly and no endpoint is disabled while workers are killed at random', async () => {
    const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
    console.log(`webhook workers killed on ${kind}: CRASH_SEED=${seed}`);
    const numbers = seededNumbers(seed);
    const { cluster, receiver, pay, allDelivered } = await aShopWithEndpoints();
    receiver.answers((_received, response) => answerOf(numbers, response));
    const kills = 5;
    const paymentsEach = 4;
    for (let kill = 0; kill < kills; kill += 1) {
      const paid = pay(paymentsEach);
      await pause(numbers.between(0, 400));
      await Promise.all([paid, cluster.killAndReplace(worker)]);
    }
    receiver.answers(() => 200);
    const paid = await allDelivered(kills * paymentsEach);
    const records = await cluster.records();
    expect(faultsOf(records, receiver)).toEqual([]);
    expect(records.webhooks.map(({ disabledAt }) => disabledAt)).toEqual([null, null]);
    for (const { id: webhookId } of records.webhooks) {
      const events = records.webhookDeliveries.filter(one => one.webhookId === webhookId);
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
      expect(events.map(({ sequence }) => sequence).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: paid }, (_, at) => at + 1),
      );
    }
  });
});

/** Answers with success, with an error, late, or not at all. */
function answerOf(numbers: SeededNumbers, response: { writeHead(status: number): { end(): unknown } }) {
  const drawn = numbers.unit();
  if (drawn < 0.5) return 200;
  if (drawn < 0.6) return 500;
  if (drawn < 0.9) setTimeout(() => response.writeHead(200).end(), numbers.between(1, 1_500));
  return undefined;
}

/** Compares the recorded deliveries with what the endpoint received. */
function faultsOf({ webhookDeliveries, webhookAttempts, webhooks }: DatabaseRecords, { received }: Receiver): string[] {
  const faults: string[] = [];
  const seen = received.map(
    ({ headers }) => `${String(headers['x-webhook-delivery'])} ${String(headers['x-webhook-attempt'])}`,
  );
  for (const one of seen.filter((name, at) => seen.indexOf(name) !== at)) faults.push(`${one} was sent twice`);
  for (const { id, status, attemptCount, attemptStartedAt, nextAttemptAt } of webhookDeliveries) {
    const attempts = webhookAttempts.filter(({ deliveryId }) => deliveryId === id);
    const fault = (what: string) => faults.push(`${id}, ${status} after ${attemptCount}: ${what}`);
    const numbers = attempts.map(({ number }) => number).join();
    if (numbers !== Array.from({ length: attemptCount }, (_, at) => at + 1).join()) fault(`attempts ${numbers}`);
    if (attemptCount > maxAttempts) fault('too many attempts');
    if (attempts.some(({ outcome }) => outcome === null)) fault('an attempt without an outcome');
    if (attemptStartedAt !== null || nextAttemptAt !== null) fault('still in progress');
    const delivered = attempts.filter(({ outcome }) => outcome === 'delivered');
    if (delivered.length !== (status === 'delivered' ? 1 : 0)) fault(`${delivered.length} attempts succeeded`);
    if (status === 'failed' && attemptCount !== maxAttempts) fault('failed too early');
    for (const { number } of delivered) if (!seen.includes(`${id} ${number}`)) fault('the endpoint did not receive it');
    for (const name of seen.filter(name => name.startsWith(`${id} `)))
      if (Number(name.split(' ')[1]) > attemptCount) fault('an attempt that is not counted');
  }
  for (const { id, failedInARow } of webhooks)
    if (
      failedInARow > webhookDeliveries.filter(({ webhookId, status }) => webhookId === id && status === 'failed').length
    )
      faults.push(`${id} counts ${failedInARow} failures`);
  return faults;
}
