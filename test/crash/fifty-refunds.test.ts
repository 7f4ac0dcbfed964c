import { expect, onTestFinished, test, vi } from 'vitest';
import { Cluster } from './cluster.ts';
import { aPlace } from './kill-suite.ts';
import { apiRefund, make } from './operations.ts';

vi.setConfig({ testTimeout: 120_000 });

test('exactly ten of fifty parallel refunds of 100 on a payment of 1000 are approved (SQLite, over HTTP)', async () => {
  const place = await aPlace('sqlite', onTestFinished);
  const cluster = await Cluster.start({ place, processes: 1, atTheEnd: onTestFinished });
  const [payment] = await cluster.linkPayments(1, 1_000);
  if (!payment) throw new Error('no payment was taken');
  const refunds = Array.from({ length: 50 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 100));
  const responses = await Promise.all(refunds.map(refund => make(refund, cluster.url(0))));
  await cluster.repeatUntilAnswered(refunds);
  const records = await cluster.records();
  expect(records.refunds.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'approved'));
  expect(await cluster.returnedMinor(payment.paymentId)).toBe(1_000);
  const refused = responses.filter(answer => answer?.status === 409);
  expect(refused).toHaveLength(40);
  for (const { body } of refused as { body: unknown }[])
    expect(body).toMatchObject({
      error: { code: 409, message: expect.stringMatching(/^(Refund exceeds|Payment has already)/) },
    });
  expect(await cluster.violations(refunds)).toEqual([]);
});
