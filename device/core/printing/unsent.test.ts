import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

test('a receipt that could not be fetched was not sent to the printer: it is printed, not printed again', async () => {
  world = await TerminalWorld.begin();
  world.printer.becomes('ready');
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  const sale = world.service.sales.get(saleId);
  if (sale) sale.record = { ...sale.record, receipt: { url: 'https://pay.example/r/9zRkW2mTnV0aQ8wLx1yB5c' } };
  await world.openSale(saleId);
  await world.service.stop();
  await world.send({ name: 'print_receipt' });
  const shown = await world.until('the reason', () => {
    const print = world.terminal.view().receipt?.print;
    return print?.notice ? print : undefined;
  });
  expect(shown).toMatchObject({ state: 'not_sent', notice: { message: 'Could not reach the server!' } });
  expect(world.printer.papers).toEqual([]);
});
