import { expect, onTestFinished, test, vi } from 'vitest';
import { seededNumbers } from '../simulation/seeded.ts';
import { clientOf } from '../support/client.ts';
import { Cluster } from './cluster.ts';
import { aPlace } from './kill-suite.ts';
import { type Answer, apiRefund, make, type Operation, tillRefund } from './operations.ts';
import { startBackend } from './process.ts';
import { passive } from './wire-tap.ts';

vi.setConfig({ testTimeout: 120_000 });

async function aCluster(processes: number, dailyLimitsMinor?: readonly (number | null)[]): Promise<Cluster> {
  const place = await aPlace('postgres', onTestFinished);
  const limits = dailyLimitsMinor ? { dailyLimitsMinor } : {};
  return Cluster.start({ place, processes, ...limits, atTheEnd: onTestFinished });
}

async function onePayment(cluster: Cluster) {
  const [payment] = await cluster.linkPayments(1, 1_000);
  if (!payment) throw new Error('no payment was taken');
  return payment;
}

const approved = async (cluster: Cluster) =>
  (await cluster.records()).refunds.filter(({ status }) => status === 'approved').length;

test('exactly ten of fifty refunds of 100 on a payment of 1000 are approved, spread over three processes', async () => {
  const cluster = await aCluster(3);
  const payment = await onePayment(cluster);
  const refunds = Array.from({ length: 50 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100));
  await Promise.all(refunds.map((refund, index) => make(refund, cluster.url(index))));
  await cluster.repeatUntilAnswered(refunds);
  expect(await approved(cluster)).toBe(10);
  expect(await cluster.returnedMinor(payment.paymentId)).toBe(1_000);
  expect(await cluster.violations(refunds)).toEqual([]);
});

test('while processes are killed, released amounts are refunded again, and never more than was paid', async () => {
  const cluster = await aCluster(3);
  const payment = await onePayment(cluster);
  const refunds: Operation[] = [];
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  console.log(`processes killed under load: CRASH_SEED=${seed}`);
  const numbers = seededNumbers(seed);
  for (let kill = 0; kill < 4; kill += 1) {
    const batch = Array.from({ length: 12 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100));
    refunds.push(...batch);
    const made = batch.map((refund, index) => make(refund, cluster.url(index)));
    await new Promise(resolve => setTimeout(resolve, numbers.between(1, 40)));
    const replaced = cluster.killAndReplace(numbers.between(0, 2));
    await Promise.all([...made, replaced]);
  }
  await cluster.repeatUntilAnswered(refunds);
  // Refunds whose request was lost have failed and released their reservation.
  const last = Array.from({ length: 12 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100));
  await cluster.repeatUntilAnswered(last);
  expect(await approved(cluster)).toBe(10);
  expect(await cluster.returnedMinor(payment.paymentId)).toBe(1_000);
  expect(await cluster.violations([...refunds, ...last])).toEqual([]);
});

test('two processes that find the same pending refunds record each outcome once', async () => {
  const cluster = await aCluster(2);
  const payments = await cluster.linkPayments(4, 1_000);
  // Every reply and every callback is lost: both processes must look the outcomes up, and both poll every tenth of a second.
  cluster.tap.listener = {
    ...passive,
    applied: message => (message.movesMoney ? 'drop' : 'pass'),
    callback: () => 'drop',
  };
  const refunds = payments.flatMap(payment =>
    Array.from({ length: 6 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100)),
  );
  const responses = await Promise.all(refunds.map((refund, index) => make(refund, cluster.url(index))));
  expect(responses.map(answer => answer?.status)).toEqual(refunds.map(() => 202));
  await cluster.repeatUntilAnswered(refunds);
  expect(await approved(cluster)).toBe(24);
  expect(await cluster.violations(refunds)).toEqual([]);
});

test('a daily limit allows exactly one refund of each staff member over two processes and two terminals at once', async () => {
  const pairs = 6;
  const cluster = await aCluster(
    2,
    Array.from({ length: pairs }, () => 1_000),
  );
  const { shop } = cluster;
  const payments = await cluster.tillPayments(pairs * 2, 900);
  const refunds = await Promise.all(
    payments.map((payment, index) => {
      const [terminal, staff] = [shop.terminals[index % 2], shop.staff[Math.floor(index / 2)]];
      if (!terminal || !staff) throw new Error('the shop is too small');
      const at = { client: clientOf(cluster.url(index)), terminal, staff };
      return tillRefund(at, { payment, kind: 'REFUND_SALE', amountMinor: 600, rightPassword: true });
    }),
  );
  const responses = await Promise.all(refunds.map((refund, index) => make(refund, cluster.url(index))));
  await cluster.repeatUntilAnswered([]);
  const records = await cluster.records();
  for (const { id } of shop.staff) {
    expect(records.refunds.filter(({ actorId }) => actorId === id).map(({ status }) => status)).toEqual(['approved']);
    const log = records.auditEntries.filter(({ kind, staffId }) => kind === 'refund_check' && staffId === id);
    expect(log).toHaveLength(2);
    expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['authorized', 'daily_limit_exceeded']));
  }
  expect(reasons(responses)).toEqual(Array.from({ length: pairs }, () => 'daily_limit_exceeded'));
  expect(await cluster.violations(refunds)).toEqual([]);
});

test('one Idempotency-Key at three processes at once makes one refund with one answer', async () => {
  const cluster = await aCluster(3);
  const payment = await onePayment(cluster);
  const keys = 6;
  const refunds = Array.from({ length: keys }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100));
  await Promise.all(
    refunds.flatMap(refund => Array.from({ length: 6 }, (_, index) => make(refund, cluster.url(index)))),
  );
  expect(refunds.map(({ answers }) => answers.length)).toEqual(refunds.map(() => 6));
  await cluster.repeatUntilAnswered(refunds);
  expect(await approved(cluster)).toBe(keys);
  expect(await cluster.returnedMinor(payment.paymentId)).toBe(keys * 100);
  expect(await cluster.violations(refunds)).toEqual([]);
});

test('three processes that start at once on an empty database migrate it once', async () => {
  const place = await aPlace('emptyPostgres', onTestFinished);
  const processes = await Promise.all(Array.from({ length: 3 }, () => startBackend(place.env)));
  onTestFinished(async () => {
    for (const one of processes) one.kill();
    await Promise.all(processes.map(({ gone }) => gone));
    await place.reader.close();
  });
  for (const { url } of processes) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await place.reader.pending()).toBe(0);
});

function reasons(responses: readonly (Answer | undefined)[]): (string | undefined)[] {
  return responses.flatMap(answer => {
    if (!answer || answer.status < 400) return [];
    return [(answer.body as { error: { metadata?: { reason?: string } } }).error.metadata?.reason];
  });
}
