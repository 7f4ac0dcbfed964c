import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

async function aWorld(): Promise<TerminalWorld> {
  world = await TerminalWorld.begin();
  await world.enrol();
  return world;
}

const start = (amountMinor = 1_250) => world.send({ name: 'start_sale', amountMinor });
const onlySale = () => [...world.service.sales.values()][0];
const bankCalls = () => [...world.service.bankCalls.values()];
const nothingPending = () =>
  world.until('all reports to be delivered', () => world.store.pendingReports().length === 0);

test('a card is read, the bank approves, the reader completes, and the service gets the completion', async () => {
  await aWorld();
  await start();
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'approved', notice: { message: 'Approved' }, again: 'no' });
  expect(result.receipt).toContainEqual({ label: 'Amount', value: '£12.50' });
  expect(result.receipt).toContainEqual({ label: 'Card', value: 'Visa •••• 1111' });
  const saleId = result.sale?.saleId ?? '';
  await world.until('the completion', () => world.service.sales.get(saleId)?.completed);
  expect(bankCalls()).toEqual([1]);
  expect(world.reader.confirmed).toContain(saleId);
  await world.send({ name: 'back' });
  await world.screen('keypad');
});

test('a decline by the bank is shown in plain words, and the bank’s own message is kept with the sale', async () => {
  await aWorld();
  world.service.bankOutcome = 'declined';
  await start();
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'declined', notice: { message: 'Declined' }, receipt: [] });
  expect(result.notice.detail).toBe(
    'The bank declined the card. Nothing was charged. Ask for another card, then try again.',
  );
  expect(result.sale?.declineMessage).toBe('Do not honour');
  expect(result.again).toBe('suggested');
});

test.each([
  ['partly', 'Declined', 'The part that the bank approved was given back to the card. The customer does not pay.'],
  ['partlyUnvoided', 'Giving the money back', 'It is not certain yet that the part'],
] as const)(
  'the bank approves only a part (%s): reader and screen say declined, nothing is sold',
  async (outcome, message, words) => {
    await aWorld();
    world.service.bankOutcome = outcome;
    await start();
    const result = await world.screen('sale_result');
    expect(result).toMatchObject({ outcome: 'declined', receipt: [] });
    expect(result.notice.message).toBe(message);
    expect(result.notice.detail).toContain('The bank would not pay all of £12.50 with this card.');
    expect(result.notice.detail).toContain(words);
    expect(world.reader.hostAnswers).toEqual(['declined']);
    expect([...world.reader.completions.values()]).toEqual([]);
    await nothingPending();
    expect(onlySale()?.completed).toBe(false);
    world.service.bankOutcome = 'approved';
    await start();
    await world.screen('sale_result', screen => screen.outcome === 'approved');
  },
);

test('a partial approval while the terminal was off is not a sale either', async () => {
  await aWorld();
  world.service.bankOutcome = 'partlyUnvoided';
  world.service.fault('authoriseSale', 'lose_reply');
  world.service.fault('getSale', ...Array.from({ length: 4 }, () => 'fail' as const));
  await start();
  await world.until('the bank to be asked', () => onlySale());
  world.restart();
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'declined', notice: { message: 'Giving the money back' } });
  expect(onlySale()?.completed).toBe(false);
});

test('the card refuses after the bank approved: the approval is reversed', async () => {
  await aWorld();
  world.reader.afterApproval = 'declined';
  await start();
  const result = await world.screen('sale_result', screen => screen.notice.detail?.includes('given back') ?? false);
  expect(result.outcome).toBe('declined');
  expect(result.notice.detail).toContain('The customer does not pay.');
  expect(onlySale()?.record.status).toBe('cancelled');
});

test('the reversal is sent as soon as the service is back, and the result shows meanwhile that it is pending', async () => {
  await aWorld();
  world.reader.afterApproval = 'cancelled';
  world.service.fault('reverseSale', 'fail', 'lose_reply', 'lose_request');
  await start();
  const meanwhile = await world.screen('sale_result');
  expect(meanwhile).toMatchObject({ outcome: 'cancelled' });
  expect(meanwhile.notice.detail).toContain('once the service has confirmed it');
  await nothingPending();
  expect(onlySale()?.record.status).toBe('cancelled');
  await world.screen('sale_result', screen => screen.notice.detail?.includes('given back to the card') ?? false);
});

test('staff can cancel while the terminal waits for the card', async () => {
  await aWorld();
  world.reader.presentsByItself = false;
  await start();
  await world.screen('sale', screen => screen.stage === 'present_card' && screen.cancellable);
  await world.send({ name: 'cancel_sale' });
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'cancelled' });
  expect(bankCalls()).toEqual([]);
});

test('a sale ends uncharged if the customer cancels, or presents no card', async () => {
  await aWorld();
  world.reader.presentsByItself = false;
  await start();
  await world.screen('sale', screen => screen.stage === 'present_card');
  world.reader.customerCancels();
  const cancelled = await world.screen('sale_result');
  expect(cancelled.notice.detail).toBe('The customer cancelled, or took the card out. Nothing was charged.');
  await world.send({ name: 'start_sale', amountMinor: 500 });
  await world.screen('sale', screen => screen.stage === 'present_card');
  world.reader.timesOut();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'timed_out', notice: { message: 'Timed out' } });
});

test('without a reader a sale waits, can be cancelled, and ends by itself', async () => {
  await aWorld();
  world.reader.unplug();
  await start();
  await world.screen('sale', screen => screen.stage === 'waiting_for_reader' && screen.cancellable);
  await world.send({ name: 'cancel_sale' });
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'cancelled' });
  await start();
  const failed = await world.screen('sale_result', screen => screen.outcome === 'failed');
  expect(failed.notice.message).toBe('No card reader');
});

test('a reader plugged in while a sale waits for it takes the card', async () => {
  await aWorld();
  world.reader.unplug();
  await start();
  await world.screen('sale', screen => screen.stage === 'waiting_for_reader');
  world.reader.replug();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'approved' });
});

test('unplugged with the card in it and replugged: nothing was asked of the bank, and the next sale works', async () => {
  await aWorld();
  world.reader.unplugsAt = 'card_read';
  await start();
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({
    outcome: 'failed',
    notice: { message: 'Reader disconnected', detail: 'Nothing was charged. Check the cable, then try again.' },
  });
  expect(bankCalls()).toEqual([]);
  world.reader.replug();
  const isCableBack = ({ notice }: typeof result) => notice.detail === 'Nothing was charged. Try again.';
  expect(await world.screen('sale_result', isCableBack)).toMatchObject({ again: 'suggested' });
  await start();
  expect(await world.screen('sale_result', screen => screen.outcome === 'approved')).toBeDefined();
  expect(bankCalls()).toEqual([1]);
});

test('unplugged after the bank approved and replugged: the reader’s own result decides, the card is charged once', async () => {
  await aWorld();
  world.reader.unplugsAt = 'answered';
  await start();
  const checking = await world.screen('sale', screen => screen.stage === 'checking');
  expect(checking.whyNotCancellable).toContain('The bank approved');
  world.reader.replug();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'approved', notice: { detail: null } });
  expect(bankCalls()).toEqual([1]);
  expect([...world.reader.completions.values()]).toEqual([1]);
});

test('unplugged while the bank was asked: once replugged the reader gets the answer and completes', async () => {
  await aWorld();
  world.service.fault('authoriseSale', 'lose_request');
  world.reader.presentsByItself = false;
  await start();
  await world.screen('sale', screen => screen.stage === 'present_card');
  world.reader.present();
  await world.screen('sale', screen => screen.stage === 'authorising');
  world.reader.unplug();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.reader.replug();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'approved', notice: { detail: null } });
  expect(bankCalls()).toEqual([1]);
  expect([...world.reader.completions.values()]).toEqual([1]);
});

test('a reader that is never reconnected does not undo the bank’s approval, and the screen explains this', async () => {
  await aWorld();
  world.reader.unplugsAt = 'answered';
  await start();
  const result = await world.screen('sale_result');
  expect(result.outcome).toBe('approved');
  expect(result.notice.detail).toContain('The card was charged');
  await nothingPending();
  expect(onlySale()?.completed).toBe(true);
});

test('an approval is reversed if the reader declined while disconnected', async () => {
  await aWorld();
  world.reader.unplugsAt = 'answered';
  world.reader.afterApproval = 'declined';
  await start();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.reader.replug();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'declined' });
  await nothingPending();
  expect(onlySale()?.record.status).toBe('cancelled');
});

test.each([
  ['the request was lost', ['lose_request']],
  ['the reply was lost', ['lose_reply']],
  ['the service failed, then the reply was lost', ['fail', 'lose_reply']],
] as const)('%s: the bank is asked once and its answer is found', async (_, faults) => {
  await aWorld();
  world.service.fault('authoriseSale', ...faults);
  await start();
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'approved' });
  expect(bankCalls()).toEqual([1]);
});

test('a page of a proxy does not count as an answer, neither as a refusal nor as the absence of a sale', async () => {
  await aWorld();
  world.service.fault('authoriseSale', 'lose_reply', 'lose_request', 'lose_request', 'lose_request');
  world.service.fault('getSale', 'proxy_page', 'proxy_page', 'proxy_page', 'proxy_page', 'proxy_page', 'proxy_page');
  await start();
  const checking = await world.screen('sale', screen => screen.stage === 'checking');
  expect(checking.whyNotCancellable).toContain('may have been charged');
  // The reader got no approval and ended its dialogue, so the bank's approval is reversed.
  await world.screen('sale_result');
  await nothingPending();
  expect(bankCalls()).toEqual([1]);
  expect(onlySale()?.record.status).toBe('cancelled');
  expect([...world.reader.completions.values()]).toEqual([]);
});

test('an unreachable service is shown at once, with the specified message, and nothing is charged', async () => {
  await aWorld();
  world.reader.presentsByItself = false;
  await start();
  await world.screen('sale', screen => screen.stage === 'present_card');
  await world.service.stop();
  world.reader.presentsByItself = true;
  world.reader.present();
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'failed', notice: { message: 'Could not reach the server!' } });
  expect(world.terminal.view().header.service).toBe('offline');
  await world.service.start();
  await world.until('the connection', () => world.terminal.view().header.service === 'online');
  await start();
  expect(await world.screen('sale_result', screen => screen.outcome === 'approved')).toBeDefined();
});

test('a slow bank is polled while the card waits', async () => {
  await aWorld();
  world.service.bankOutcome = 'pending';
  await start();
  await world.until('the bank to be asked', () => onlySale());
  world.service.bankDecides([...world.service.sales.keys()][0] ?? '', 'unsettled');
  expect(await world.screen('sale_result')).toMatchObject({ outcome: 'approved' });
  expect(bankCalls()).toEqual([1]);
});

test('an approval that arrives after the reader timed out is reversed', async () => {
  await aWorld();
  world.service.bankOutcome = 'pending';
  await start();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.service.bankDecides([...world.service.sales.keys()][0] ?? '', 'unsettled');
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'failed', notice: { message: 'Not completed' } });
  await nothingPending();
  expect(onlySale()?.record.status).toBe('cancelled');
});

test('a completion that gets lost is sent again until it is acknowledged', async () => {
  await aWorld();
  world.service.fault('completeSale', 'lose_request', 'lose_reply', 'fail');
  await start();
  await world.screen('sale_result');
  await nothingPending();
  expect(onlySale()?.completed).toBe(true);
  const [saleId] = world.service.sales.keys();
  expect(world.logged.join('\n')).toMatch(
    new RegExp(`"operation":"completeSale","saleId":"${saleId}".*the service did not respond`),
  );
});

test('a lost request that arrives after the sale was reversed is reversed', async () => {
  await aWorld();
  world.service.fault('authoriseSale', 'lose_request', 'lose_request', 'lose_request', 'lose_request');
  await start();
  const result = await world.screen('sale_result');
  expect(result.outcome).not.toBe('approved');
  expect(bankCalls()).toEqual([]);
  const [report] = world.store.pendingReports();
  expect(report?.kind).toBe('watch');
  const requestedAgain = world.logged.filter(line => line.includes('is requested again'));
  expect(requestedAgain).toHaveLength(3);
  expect(requestedAgain[0]).toContain(`"saleId":"${report?.saleId}"`);
  // The request was only delayed: the network delivers it now.
  world.service.deliverLate(report?.saleId ?? '', 1_250);
  await world.until('the late approval to be reversed', () => onlySale()?.record.status === 'cancelled');
  await nothingPending();
});

test('a result stays on the screen through a restart until it is dismissed', async () => {
  await aWorld();
  await start();
  const before = await world.screen('sale_result');
  world.restart();
  const after = await world.screen('sale_result');
  expect(after.sale?.saleId).toBe(before.sale?.saleId);
  await world.send({ name: 'show_keypad' });
  world.restart();
  await world.screen('keypad');
});

test('only the last four digits of a card are stored, in the database, the log and Views', async () => {
  await aWorld();
  await start();
  await world.screen('sale_result');
  const block = Buffer.from('sealed card block').toString('base64');
  expect(world.service.received.join('\n')).toContain(block);
  world.kill();
  const everything = [
    readFileSync(world.databaseFile, 'latin1'),
    world.logged.join('\n'),
    JSON.stringify(world.views),
  ].join('\n');
  expect(everything).toContain('1111');
  expect(everything).not.toContain(block);
  expect(everything).not.toMatch(/\d{13,}.{0,3}1111|4111111111111111/);
});
