import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

async function aWorld(): Promise<TerminalWorld> {
  world = await TerminalWorld.begin();
  await world.enrol();
  return world;
}

test('a card is read, the bank approves, the reader completes, and the service is told', async () => {
  await aWorld();
  await world.send({ name: 'start_sale', amountMinor: 1250 });
  const result = await world.screen('sale_result');
  expect(result).toMatchObject({ outcome: 'approved', notice: { message: 'Approved' } });
  expect(result.receipt).toContainEqual({ label: 'Amount', value: '£12.50' });
  expect(result.receipt).toContainEqual({ label: 'Card', value: 'Visa •••• 1111' });
  const saleId = result.sale?.saleId ?? '';
  await world.until('the completion', () => world.service.sales.get(saleId)?.completed);
  expect(world.service.bankCalls.get(saleId)).toBe(1);
  await world.send({ name: 'back' });
  await world.screen('keypad');
});
