import { expect, test } from 'vitest';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import { aWorld, gbp, outcomeOf } from './world.ts';

test('a settled payment is refunded in parts until nothing is left', async () => {
  const world = await aWorld({ seed: 1 });
  const payment = await world.settledCardPayment(gbp(20_00));
  expect(outcomeOf(await world.merchant.refunds(payment, gbp(5_00)))).toBe('approved');
  expect(outcomeOf(await world.merchant.refunds(payment, gbp(15_00)))).toBe('approved');
  expect(await world.merchant.refunds(payment, gbp(1))).toMatchObject({
    refusal: { kind: 'refund_exceeds_payment', remaining: 0 },
  });
  expect(world.gateway.returnedMinor(payment.gatewayReference ?? '')).toBe(20_00);
});

test('a refund whose reply is lost is looked up, never sent twice', async () => {
  const world = await aWorld({ seed: 7 });
  const payment = await world.settledCardPayment(gbp(20_00));
  world.gateway.next({ replyLost: true });
  expect(outcomeOf(await world.merchant.refunds(payment, gbp(5_00)))).toBe('pending');
  await world.clock.advance({ minutes: 5 });
  const [refund] = await world.rows<RefundRow>('refunds');
  expect(refund?.status).toBe('approved');
  expect(world.gateway.sendsOf(refund?.uniqueReference ?? '')).toBe(1);
  expect(world.gateway.returnedMinor(payment.gatewayReference ?? '')).toBe(5_00);
});

test('a staff member can refund at the till with their password', async () => {
  const world = await aWorld({ seed: 3 });
  const staff = await world.aStaffMember();
  const payment = await world.settledCardPayment(gbp(20_00));
  expect(outcomeOf(await world.staff.refunds(payment, gbp(5_00), { staff }))).toBe('approved');
  expect(outcomeOf(await world.staff.refunds(payment, gbp(5_00), { staff, password: 'wrong' }))).toBe(
    'invalid_signature',
  );
  const log = await world.rows<{ status: string; reason: string | null }>('auditEntries');
  expect(log.map(({ status, reason }) => [status, reason])).toEqual([
    ['authorized', null],
    ['failed', 'invalid_signature'],
  ]);
});
