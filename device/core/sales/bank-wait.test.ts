import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const saleId = () => [...world.service.sales.keys()][0] ?? '';
const record = () => world.service.sales.get(saleId())?.record;
const nothingPending = () =>
  world.until('all reports to be delivered', () => world.store.pendingReports().length === 0);
const mayStop = () => world.screen('sale', screen => screen.stage === 'checking' && screen.cancellable);
const resultSaying = (words: string) =>
  world.screen('sale_result', screen => `${screen.notice.message} ${screen.notice.detail}`.includes(words));

/** A sale whose bank has not answered after the reader has ended its dialogue. */
async function anUnansweredSale(): Promise<void> {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.bankOutcome = 'pending';
  await world.send({ name: 'start_sale', amountMinor: 1_250 });
}

/** The next sale is an ordinary one. */
async function takesTheNextSale(): Promise<void> {
  world.service.bankOutcome = 'approved';
  await world.send({ name: 'start_sale', amountMinor: 700 });
  await world.screen('sale_result', screen => screen.outcome === 'approved');
}

test('staff can stop waiting for the bank: the terminal takes the next sale, and a late approval is reversed', async () => {
  await anUnansweredSale();
  const early = await world.screen('sale', screen => screen.stage === 'checking');
  expect(early.cancellable).toBe(false);
  const offered = await mayStop();
  expect(offered).toMatchObject({ whyNotCancellable: null, mayUseBitcoin: false });
  expect(world.now() - offered.since).toBeGreaterThanOrEqual(2_000);
  expect(await world.send({ name: 'cancel_sale' })).toBe('accepted');
  const result = await resultSaying('Not paid');
  expect(result).toMatchObject({ outcome: 'cancelled', customerOutcome: 'being_returned', again: 'no' });
  expect(result.notice.detail).toContain('Keep the goods.');
  expect(result.notice.detail).toContain('another card or in cash');
  expect(result.notice.detail).not.toMatch(/Nothing was charged|does not pay/);
  expect(record()?.reversal).toEqual({ reason: 'outcome_unknown', status: 'awaiting_outcome' });
  await takesTheNextSale();
  world.service.bankDecides(saleId(), 'unsettled');
  expect(record()?.status).toBe('cancelled');
  expect(world.service.sales.get(saleId())?.completed).toBe(false);
});

test.each([
  ['unsettled', 'was given back to the card. The customer does not pay.'],
  ['declined', 'Nothing was charged.'],
] as const)('the result follows what the bank says afterwards: %s', async (status, words) => {
  await anUnansweredSale();
  await mayStop();
  await world.send({ name: 'cancel_sale' });
  await resultSaying('not known yet');
  world.service.bankDecides(saleId(), status);
  const { notice } = await resultSaying(words);
  expect(notice.message).toBe('Not paid');
});

test('an approval that arrives after the reader has ended is reversed, and the record states that the bank was late', async () => {
  await anUnansweredSale();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.service.bankDecides(saleId(), 'unsettled');
  await resultSaying('was given back to the card');
  expect(record()).toMatchObject({ status: 'cancelled', reversal: { reason: 'outcome_unknown' } });
});

test('without the service the sale is cancelled on the terminal, the report waits, and no return is announced', async () => {
  await anUnansweredSale();
  await mayStop();
  await world.service.stop();
  await world.send({ name: 'cancel_sale' });
  const { notice } = await world.screen('sale_result');
  expect(notice.detail).toContain('once the service has confirmed it');
  expect(notice.detail).toContain('wait before you take the payment again');
  expect(world.store.pendingReports()).toMatchObject([{ kind: 'reverse', reason: 'outcome_unknown' }]);
  await world.send({ name: 'show_keypad' });
  world.restart();
  await world.screen('keypad');
  // Meanwhile the bank approved.
  world.service.bankDecides(saleId(), 'unsettled');
  await world.service.start();
  await nothingPending();
  expect(record()).toMatchObject({ status: 'cancelled', reversal: { status: 'voided' } });
});

test('the bank’s answer at the same moment as the cancellation is safe: one of the two is first', async () => {
  await anUnansweredSale();
  await mayStop();
  world.service.bankDecides(saleId(), 'unsettled');
  expect(await world.send({ name: 'cancel_sale' })).toBe('accepted');
  const { notice } = await resultSaying('was given back to the card');
  expect(notice.message).toBe('Not paid');
  await nothingPending();
  expect(record()?.status).toBe('cancelled');
  expect([...world.reader.completions.values()]).toEqual([]);
});

test('a reader that ends before the bank has answered ends the wait with it', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.bankOutcome = 'pending';
  await world.send({ name: 'start_sale', amountMinor: 1_250 });
  const { since } = await world.screen('sale', screen => screen.stage === 'authorising');
  await world.until('the bank to be asked', () => world.service.requests.includes('getSale'));
  world.reader.hostTimedOut();
  await mayStop();
  expect(world.now() - since).toBeLessThan(20_000);
  expect(await world.send({ name: 'cancel_sale' })).toBe('accepted');
  await resultSaying('Not paid');
  expect(record()?.reversal).toEqual({ reason: 'outcome_unknown', status: 'awaiting_outcome' });
  await takesTheNextSale();
});

test('staff cannot stop waiting while the service does not know the sale, or the reader still processes it', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.service.fault('authoriseSale', 'lose_reply', 'lose_request', 'lose_request', 'lose_request');
  world.service.fault('getSale', ...Array.from({ length: 40 }, () => 'fail' as const));
  world.service.bankOutcome = 'pending';
  await world.send({ name: 'start_sale', amountMinor: 1_250 });
  await world.screen('sale', screen => screen.stage === 'checking');
  const since = world.now();
  await world.until('ten seconds', () => world.now() > since + 10_000);
  expect(await world.screen('sale')).toMatchObject({ stage: 'checking', cancellable: false });
  expect(await world.send({ name: 'cancel_sale' })).toBe('not_now');
});

test('a kiosk stops waiting after 90 seconds, informs the customer, and is free for the next sale', async () => {
  await anUnansweredSale();
  world.service.enterKioskMode();
  await world.until('kiosk mode', () => world.terminal.view().header.mode === 'kiosk');
  const { bankSince } = await world.screen('sale', screen => screen.stage === 'checking');
  const result = await world.screen('sale_result');
  const waited = world.views.filter(({ screen }) => screen.name === 'sale' && screen.stage === 'checking');
  expect(waited.every(({ screen }) => screen.name === 'sale' && !screen.cancellable)).toBe(true);
  expect(world.now() - (bankSince ?? 0)).toBeGreaterThanOrEqual(90_000);
  expect(result.customerOutcome).toBe('being_returned');
  await world.screen('kiosk_idle');
  expect(record()?.reversal?.status).toBe('awaiting_outcome');
  world.service.bankDecides(saleId(), 'unsettled');
  expect(record()?.status).toBe('cancelled');
});
