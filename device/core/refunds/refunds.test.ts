import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';

async function aWorld(options: { speed?: number } = {}): Promise<TerminalWorld> {
  world = await TerminalWorld.begin(options);
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  return world;
}

/** Money that moved for all requests together: one entry per void or refund the bank was asked for. */
const movements = () => [...world.service.moneyMoves.values()];

test('a sale that has not settled is voided by a named staff member', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  await world.send({ name: 'enter_password', password });
  const result = await world.screen('return_result');
  expect(result).toMatchObject({
    outcome: 'approved',
    notice: { message: 'Voided' },
    sale: { status: 'cancelled', action: 'none' },
  });
  expect(result.receipt).toContainEqual({ label: 'Authorised by', value: 'Staff 17 (17)' });
  expect(movements()).toEqual([1]);
});

test('a settled sale is refunded in part, twice, and never beyond what is left', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  world.service.settleAll();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  await world.send({ name: 'enter_password', password });
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', sale: { remainingInCents: 1_500 } });
  await world.send({ name: 'back' });
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.screen('refund_amount');
  await world.send({ name: 'enter_refund_amount', amountMinor: 1_501 });
  const refused = await world.screen('refund_amount', screen => screen.notice !== null);
  expect(refused.notice?.message).toBe('Refund exceeds original sale amount');
});

test('the first use of a temporary password asks for an own one and goes on with the refund', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '23', password: 'temporary!', temporary: true });
  const saleId = await world.approvedSale(2_000);
  world.service.settleAll();
  await world.toPassword({ saleId, amountMinor: 700, staffNumber: '23' });
  await world.send({ name: 'enter_password', password: 'temporary!' });
  await world.screen('new_password');
  await world.send({ name: 'choose_password', password: 'short', repeated: 'short' });
  expect((await world.screen('new_password', screen => screen.notice !== null)).notice?.message).toBe('Too short');
  await world.send({ name: 'choose_password', password: ' spaces kept 🔑 ', repeated: ' spaces kept 🔑' });
  await world.screen('new_password', screen => screen.notice?.message === 'The two passwords differ');
  await world.send({ name: 'choose_password', password: ' spaces kept 🔑 ', repeated: ' spaces kept 🔑 ' });
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', returning: { amountMinor: 700 } });
  expect(world.service.staff('23').passwordIsTemporary).toBe(false);
  expect(movements()).toEqual([1]);
});
