import type { SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

/** A sale that the bank approves and the card then refuses, so that the terminal reverses it. */
async function aReversedSale(becomes: SaleReversal['status']): Promise<void> {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.reversalBecomes = becomes;
  world.reader.afterApproval = 'declined';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
}

const saleId = () => [...world.service.sales.keys()][0] ?? '';
const reversalShown = (words: string) =>
  world.screen('sale_result', screen => `${screen.notice.message} ${screen.notice.detail}`.includes(words));
const customerIsNotCharged = /does not pay|given back to the card|Nothing was charged/;

test('a void that succeeded is shown as done', async () => {
  await aReversedSale('voided');
  const { outcome, notice } = await reversalShown('given back to the card');
  expect(outcome).toBe('declined');
  expect(notice.detail).toContain('The customer does not pay.');
  expect(notice.detail).toContain('try again');
});

test.each([
  ['void_pending', 'Giving the money back', 'not certain yet'],
  ['awaiting_outcome', 'Not paid', 'not known yet'],
  ['awaiting_settlement', 'Charged, refund to come', 'as soon as it has settled'],
  ['refund_pending', 'Charged, refund to come', 'has not answered'],
  ['declined', 'The card was charged', 'refused'],
] as const)('a reversal that is %s is not said to be done', async (status, message, words) => {
  await aReversedSale(status);
  const { notice } = await reversalShown(words);
  expect(notice.message).toBe(message);
  expect(notice.detail).not.toMatch(customerIsNotCharged);
  expect(notice.detail).not.toContain('try again');
  expect(world.store.pendingReports()).toEqual([]);
});

test('a reversal that the gateway declined is shown as failed, also in the sale’s detail', async () => {
  await aReversedSale('declined');
  expect(await reversalShown('refused')).toMatchObject({ outcome: 'failed' });
  await world.send({ name: 'show_keypad' });
  await world.openSale(saleId());
  const detail = await world.screen('sale_detail', screen => screen.notice !== null);
  expect(detail.notice).toMatchObject({ message: 'The card was charged' });
});

test('a sale refunded instead of voided shows that the customer was charged first', async () => {
  await aReversedSale('refunded');
  const { notice } = await reversalShown('Charged and refunded');
  expect(notice.detail).toContain('£15.00 was charged and refunded in full');
});

test('the text of a result follows the record while it is on the screen', async () => {
  await aReversedSale('void_pending');
  await reversalShown('not certain yet');
  world.service.reversalTurns(saleId(), 'voided');
  await reversalShown('given back to the card');
});

test('while the service has not acknowledged a reversal, no return is announced', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.fault('reverseSale', ...Array.from({ length: 6 }, () => 'fail' as const));
  world.reader.afterApproval = 'declined';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  const { notice } = await world.screen('sale_result');
  expect(notice.message).toBe('Not paid');
  expect(notice.detail).toContain('Keep the goods.');
  expect(notice.detail).not.toMatch(customerIsNotCharged);
  expect(notice.detail).not.toContain('try again');
  expect(world.store.pendingReports()).toMatchObject([{ kind: 'reverse' }]);
  await reversalShown('given back to the card');
  expect(world.store.pendingReports()).toEqual([]);
});

test('the reversal of a sale killed during the authorisation and settled meanwhile becomes a refund, and the screen shows that', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.fault('authoriseSale', 'lose_reply');
  world.service.fault('getSale', ...Array.from({ length: 3 }, () => 'fail' as const));
  world.service.reversalBecomes = 'refund_pending';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  await world.until('the bank to be asked', () => world.service.sales.size === 1);
  world.kill();
  world.service.settleAll();
  world.reader.givesUp();
  world.start();
  const { notice } = await reversalShown('Charged, refund to come');
  expect(notice.detail).not.toMatch(customerIsNotCharged);
  world.service.reversalTurns(saleId(), 'refunded');
  await reversalShown('Charged and refunded');
});

test('a sale that was completed before it could be reversed stays completed, and the screen shows that', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.fault('reverseSale', ...Array.from({ length: 6 }, () => 'fail' as const));
  world.reader.afterApproval = 'declined';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  await world.screen('sale_result');
  world.service.completeElsewhere(saleId());
  const { outcome, notice } = await reversalShown('The card was charged');
  expect(outcome).toBe('failed');
  expect(notice.detail).toContain('Recent sales');
  expect(world.store.pendingReports()).toEqual([]);
});
