import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const token = '3kTnV0aQ8wLx1yB5cD7eF9';

/** A terminal on its keypad, after two sales; the first has a receipt with `token`. */
async function afterTwoSales() {
  world = await TerminalWorld.begin();
  await world.enrol();
  const first = await world.approvedSale(2_000);
  const second = await world.approvedSale(900);
  world.service.receiptTokens.set(first, token);
  return { first, second, invoice: world.service.sales.get(first)?.record.invoiceNumber ?? '' };
}

test.each([
  ['the address of its receipt', `https://pay.example/r/${token}`],
  ['that with a query', `https://pay.example/r/${token}?language=de`],
  ['the token alone', token],
  ['its invoice number', 'inv-000001'],
])('a sale is opened by %s, scanned on the keypad or among the sales, or typed', async (_, code) => {
  const { first, second } = await afterTwoSales();
  await world.send({ name: 'scan_code', code });
  expect((await world.screen('sale_detail')).sale.saleId).toBe(first);
  await world.openSale(second);
  await world.send({ name: 'scan_code', code });
  await world.screen('sale_detail', screen => screen.sale.saleId === first);
  await world.send({ name: 'back' });
  await world.screen('recent_sales', screen => screen.search === null && screen.sales.length === 2);
  await world.send({ name: 'show_find_sale' });
  await world.send({ name: 'search_sales', text: code });
  await world.screen('sale_detail', screen => screen.sale.saleId === first);
});

test('a code of no sale here says so, and one that is of no receipt leaves the keypad', async () => {
  await afterTwoSales();
  await world.send({ name: 'scan_code', code: '4006381333931' });
  const { notice } = await world.screen('keypad');
  expect(notice?.message).toBe('This code is not of a receipt');
  const foreign = '0000000000000000000000';
  await world.send({ name: 'scan_code', code: `https://pay.example/r/${foreign}` });
  const { search } = await world.screen('recent_sales', screen => !screen.busy);
  expect(search).toEqual({ text: foreign, terms: [{ field: 'receipt', value: foreign }] });
  await world.send({ name: 'back' });
  await world.screen('recent_sales', screen => screen.search === null);
  await world.send({ name: 'scan_code', code: 'Order 4711' });
  await world.screen('recent_sales', screen => screen.search?.text === 'Order 4711' && !screen.busy);
});

test('a scanned code is refused while staff authorise a refund, and while a sale is in progress', async () => {
  const { first } = await afterTwoSales();
  await world.service.addStaff({ staffNumber: '17', password: 'correct horse' });
  await world.toPassword({ saleId: first, staffNumber: '17' });
  expect(await world.send({ name: 'scan_code', code: token })).toBe('not_now');
  await world.screen('staff_password');
  await world.send({ name: 'show_keypad' });
  world.reader.presentsByItself = false;
  await world.send({ name: 'start_sale', amountMinor: 100 });
  await world.screen('sale', screen => screen.stage === 'present_card');
  expect(await world.send({ name: 'scan_code', code: token })).toBe('not_now');
  await world.screen('sale');
});

test('offline a search says that it needs the connection, and runs once it is back', async () => {
  const { first, invoice } = await afterTwoSales();
  await world.service.stop();
  await world.send({ name: 'search_sales', text: invoice });
  const { notice, sales } = await world.screen('recent_sales', screen => screen.notice !== null);
  expect(notice?.detail).toContain('Sales can be searched only with a connection');
  expect(sales).toEqual([]);
  await world.service.start();
  await world.screen('sale_detail', screen => screen.sale.saleId === first);
});

test('a search while the service is known not to answer is not sent, and says so at once', async () => {
  const { invoice } = await afterTwoSales();
  for (const operation of ['pingTerminal', 'syncTerminal', 'listSales'] as const) world.service.holdReplies(operation);
  await world.until('Offline', () => world.terminal.view().header.service === 'offline');
  const asked = world.service.requests.filter(name => name === 'listSales').length;
  await world.send({ name: 'search_sales', text: invoice });
  await world.screen('recent_sales', screen => !screen.busy && screen.notice !== null);
  expect(world.service.requests.filter(name => name === 'listSales')).toHaveLength(asked);
});

test('a sale on the screen that settles meanwhile offers a refund instead of the void', async () => {
  const { first } = await afterTwoSales();
  const reads = () => world.service.requests.filter(name => name === 'getSale').length;
  const before = reads();
  await world.openSale(first);
  await world.until('it to be read', () => reads() > before);
  await world.screen('sale_detail', screen => screen.sale.action === 'void');
  world.service.settleAll();
  await world.screen('sale_detail', screen => screen.sale.saleId === first && screen.sale.action === 'refund');
});
