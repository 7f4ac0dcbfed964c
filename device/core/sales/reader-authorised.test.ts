import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

/** A terminal with a reader that authorises by itself. */
async function aWorld(): Promise<void> {
  world = await TerminalWorld.begin();
  world.reader.authorisation = 'reader';
  await world.enrol();
}

const start = () => world.send({ name: 'start_sale', amountMinor: 1_250 });
const sentAboutSales = () =>
  world.service.requests.filter(name => ['authoriseSale', 'completeSale', 'reverseSale'].includes(name));

test('the reader’s approval counts as the bank’s: the service is not called, and its code is on the receipt', async () => {
  await aWorld();
  await start();
  const { receipt } = await world.screen('sale_result', screen => screen.outcome === 'approved');
  expect(receipt).toContainEqual({ label: 'Authorisation', value: 'P54321' });
  expect(receipt).toContainEqual({ label: 'Card', value: 'Visa •••• 1111' });
  expect(world.reader.hostAnswers).toEqual(['approved']);
  expect(sentAboutSales()).toEqual([]);
});

test('the reader’s decline counts as the bank’s', async () => {
  await aWorld();
  world.reader.processorOutcome = { kind: 'declined', hostCode: '05' };
  await start();
  const { outcome, notice } = await world.screen('sale_result');
  expect(outcome).toBe('declined');
  expect(notice.detail).toContain('The bank declined the card. Nothing was charged.');
});

test('unplugged after its processor approved, it is queried for the sale’s outcome, and charged once', async () => {
  await aWorld();
  world.reader.unplugsAt = 'answered';
  await start();
  const checking = await world.screen('sale', screen => screen.stage === 'checking');
  expect(checking.whyNotCancellable).toContain('may have been charged');
  world.reader.replug();
  await world.screen('sale_result', screen => screen.outcome === 'approved');
  expect([...world.reader.completions.values()]).toEqual([1]);
});

test('after a restart of the terminal the reader’s memory decides', async () => {
  await aWorld();
  world.reader.unplugsAt = 'answered';
  await start();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.kill();
  world.reader.replug();
  world.start();
  await world.screen('sale_result', screen => screen.outcome === 'approved');
});

test('a sale that the reader forgot and may have charged is never reported as uncharged', async () => {
  await aWorld();
  world.reader.unplugsAt = 'card_read';
  await start();
  await world.screen('sale', screen => screen.stage === 'checking');
  world.reader.forgets();
  world.reader.replug();
  const { outcome, notice, again } = await world.screen('sale_result');
  expect([outcome, again]).toEqual(['failed', 'no']);
  expect(notice.detail).toContain('The card may have been charged');
  const [report, ...others] = world.store.pendingReports();
  expect(others).toEqual([]);
  expect(report).toMatchObject({ kind: 'unknown', until: null });
  expect(JSON.parse(report?.recordJson ?? '')).toMatchObject({ amountInCents: 1_250, currency: 'GBP' });
});
