import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../test/support/terminal/terminal-world.ts';
import type { UserAction } from '../ipc/user-action.ts';
import type { Screen } from '../ipc/view.ts';
import { receiptCopy } from './sales/receipt-copy.ts';
import { coreWords } from './words.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const everyUserAction: UserAction[] = [
  { name: 'enrol', code: 'ABCD-EFGH-JKMN' },
  { name: 'start_sale', amountMinor: 100 },
  { name: 'cancel_sale' },
  { name: 'show_keypad' },
  { name: 'show_recent_sales' },
  { name: 'load_more_sales' },
  { name: 'show_find_sale' },
  { name: 'search_sales', text: '12.50' },
  { name: 'scan_code', code: 'INV-000001' },
  { name: 'show_day_report', scope: 'terminal' },
  { name: 'show_sale', saleId: 'sale_nothing00' },
  { name: 'return_money', saleId: 'sale_nothing00' },
  { name: 'enter_refund_amount', amountMinor: 1 },
  { name: 'confirm_return' },
  { name: 'enter_staff_number', staffNumber: '17' },
  { name: 'enter_password', password: 'x' },
  { name: 'choose_password', password: 'xxxxxxxx', repeated: 'xxxxxxxx' },
  { name: 'back' },
];

/** The actions each screen accepts; every other action is answered `not_now` and changes nothing. */
async function expectOnly(screenName: Screen['name'], taken: UserAction['name'][]): Promise<void> {
  const before = await world.screen(screenName);
  for (const action of everyUserAction) {
    if (taken.includes(action.name)) continue;
    expect([screenName, action.name, await world.send(action)]).toEqual([screenName, action.name, 'not_now']);
  }
  expect(world.terminal.view().screen).toEqual(before);
}

test('actions that the current screen does not offer are ignored, on every screen', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password: 'correct horse' });
  await expectOnly('enrolment', ['enrol']);
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  const lookUps = ['show_find_sale', 'search_sales', 'scan_code', 'show_day_report'] as const;
  await expectOnly('keypad', ['start_sale', 'show_keypad', 'show_recent_sales', ...lookUps]);

  world.reader.presentsByItself = false;
  await world.send({ name: 'start_sale', amountMinor: 100 });
  await world.screen('sale', screen => screen.stage === 'present_card');
  await expectOnly('sale', ['cancel_sale']);
  await world.send({ name: 'cancel_sale' });
  await expectOnly('sale_result', ['start_sale', 'show_keypad', 'show_recent_sales', 'back']);

  await world.openSale(saleId);
  await expectOnly('sale_detail', ['show_keypad', 'show_recent_sales', 'back', ...lookUps]);
  await world.send({ name: 'return_money', saleId });
  await expectOnly('staff_id', ['enter_staff_number', 'show_keypad', 'show_recent_sales', 'back']);
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => !screen.busy);
  await expectOnly('staff_password', ['enter_password', 'show_keypad', 'show_recent_sales', 'back']);
});

test('a past sale has its receipt again, with the terminal that took it and what was refunded; a declined one has none', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  const { receipt } = await world.screen('sale_detail');
  expect(receipt.map(({ label }) => label)).toEqual([
    'Business',
    'Terminal',
    'Date',
    'Invoice',
    'Amount',
    'Card',
    'Read by',
    'Authorisation',
  ]);
  const seen = world.store.saleSeen(saleId);
  if (!seen) throw new Error('the sale is not stored');
  const lines = (change: Partial<SaleRecord>) =>
    receiptCopy(
      { ...seen, ...change },
      { businessName: 'Shop', terminalName: 'Till', words: coreWords.en, locale: 'en-GB', timeZone: 'UTC' },
    ).map(({ label, value }) => `${label} ${value}`);
  expect(lines({ terminalName: 'Bar' })).toContain('Terminal Bar');
  expect(lines({ status: 'partly_refunded', refundedInCents: 500 })).toContain('Refunded −£5.00');
  expect(lines({ method: 'lightning', bitcoin: { amountSats: 40_000, txId: 'a' } })).toContain(
    'Paid with Bitcoin, Lightning',
  );
  expect(lines({ status: 'declined' })).toEqual([]);
});

test('a screen that could not be drawn is logged, whatever is in progress', async () => {
  world = await TerminalWorld.begin();
  await world.screen('enrolment');
  expect(await world.send({ name: 'report_screen_fault', sequence: 4, fault: 'x is not a function' })).toBe('accepted');
  expect(world.logged.map(line => JSON.parse(line))).toContainEqual({
    level: 'error',
    sequence: 4,
    fault: 'x is not a function',
    message: 'the screen could not be shown',
  });
});

test('enrolment works after a wrong code and an unreachable service, and the terminal stays enrolled', async () => {
  world = await TerminalWorld.begin();
  await world.screen('enrolment');
  await world.send({ name: 'enrol', code: 'WRONG-CODE-1' });
  const wrong = await world.screen('enrolment', screen => screen.notice !== null && !screen.busy);
  expect(wrong.notice?.message).toBe('This code is not valid');
  await world.service.stop();
  await world.send({ name: 'enrol', code: 'ABCD-EFGH-JKMN' });
  const gone = await world.screen('enrolment', screen => screen.notice?.message === 'Could not reach the server!');
  expect(gone.notice?.detail).toContain('It has not been used.');
  await world.service.start();
  await world.enrol();
  expect(world.terminal.view().header).toMatchObject({ businessName: 'Corner Café', terminalName: 'Till 1' });
  world.restart();
  await world.screen('keypad');
});

test('recent sales are paged, and offline the last loaded ones are shown with a note', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  for (let sale = 0; sale < 27; sale += 1) world.service.addSale(1_000 + sale);
  await world.send({ name: 'show_recent_sales' });
  const first = await world.screen('recent_sales', screen => !screen.busy);
  expect(first).toMatchObject({ moreAvailable: true, sales: { length: 25 } });
  await world.send({ name: 'load_more_sales' });
  await world.screen('recent_sales', screen => screen.sales.length === 27 && !screen.moreAvailable);
  await world.service.stop();
  await world.send({ name: 'show_keypad' });
  await world.send({ name: 'show_recent_sales' });
  const offline = await world.screen('recent_sales', screen => !screen.busy);
  expect(offline.notice?.message).toBe('Could not reach the server!');
  expect(offline.sales).toHaveLength(25);
  await world.service.start();
  await world.screen('recent_sales', screen => !screen.busy && screen.notice === null);
});

test('the sequence of Views only increases', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  await world.approvedSale(500);
  const sequences = world.views.map(view => view.sequence);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  expect(new Set(sequences).size).toBe(sequences.length);
});

test('the screen asks for a card left in the reader after a sale until it is removed', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  const attention = () => world.terminal.view().header.reader.attention;
  world.reader.leavesCard(true);
  await world.send({ name: 'start_sale', amountMinor: 500 });
  await world.screen('sale_result');
  expect(attention()).toBe('Remove card');
  expect(world.terminal.view().header.reader.isCardLeft).toBe(true);
  await world.send({ name: 'show_keypad' });
  expect(attention()).toBe('Remove card');
  world.reader.leavesCard(false);
  expect(attention()).toBeNull();
  expect(world.terminal.view().header.reader.isCardLeft).toBe(false);
});
