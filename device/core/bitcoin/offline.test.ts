import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

/** A terminal of a business that takes bitcoin, on its keypad. */
async function aTerminal() {
  world = await TerminalWorld.begin();
  const { business, ...rest } = world.service.configuration;
  world.service.configuration = { ...rest, business: { ...business, takesBitcoin: true } };
  world.reader.presentsByItself = false;
  await world.enrol();
}

const offline = () => world.until('it to be offline', () => world.terminal.view().header.service === 'offline');

test('a customer who is asked for a card cannot change to bitcoin while offline, and can once it is back', async () => {
  await aTerminal();
  await world.send({ name: 'start_sale', amountMinor: 700 });
  await world.screen('sale', screen => screen.stage === 'present_card' && screen.mayUseBitcoin);
  await world.service.stop();
  await offline();
  expect(await world.send({ name: 'pay_in_bitcoin' })).toBe('not_now');
  await world.screen('sale', screen => screen.stage === 'present_card' && !screen.cancelling);
  await world.service.start();
  await world.until('it to be online', () => world.terminal.view().header.service === 'online');
  expect(await world.send({ name: 'pay_in_bitcoin' })).toBe('accepted');
  await world.screen('bitcoin_sale');
});

test.each([
  ['cancelled', { name: 'cancel_sale' }, 'sale_result'],
  ['paid by card', { name: 'pay_by_card' }, 'sale'],
] as const)('a sale in bitcoin can be %s at once if no request for a code was ever sent', async (_, action, shown) => {
  await aTerminal();
  await world.send({ name: 'start_sale', amountMinor: 700 });
  await world.screen('sale', screen => screen.stage === 'present_card');
  // The terminal does not know yet that the service is gone.
  await world.service.stop();
  if ((await world.send({ name: 'pay_in_bitcoin' })) !== 'accepted') throw new Error('the loss was noticed too soon');
  await world.screen('bitcoin_sale', screen => screen.stage === 'requesting' && screen.problem === 'not_reached');
  await offline();
  await world.send(action);
  await world.screen(shown);
  expect(world.terminal.view().header.service).toBe('offline');
  // The sale that was cancelled is found later; the one that goes on with the card is not over.
  const listed = world.store.unchargedSales().map(({ why, amountMinor }) => [why, amountMinor]);
  expect(listed).toEqual(action.name === 'cancel_sale' ? [['bitcoin_cancelled', 700]] : []);
  expect(world.service.requests.filter(name => /Bitcoin/.test(name))).toEqual([]);
});

test('a request for a code that may have arrived is withdrawn first, once the connection is back', async () => {
  await aTerminal();
  world.service.fault('openBitcoinSale', ...Array<'lose_request'>(50).fill('lose_request'));
  await world.send({ name: 'start_bitcoin_sale', amountMinor: 700 });
  await world.until('the request', () => world.service.requests.includes('openBitcoinSale'));
  await world.service.stop();
  await offline();
  await world.send({ name: 'cancel_sale' });
  await world.screen('bitcoin_sale', screen => screen.stage === 'cancelling' && screen.problem === 'not_reached');
  await world.service.start();
  await world.screen('sale_result', screen => screen.outcome === 'cancelled');
  expect(world.service.requests).toContain('withdrawBitcoinSale');
});

test('after a restart it is not known whether a request was sent: it is withdrawn first', async () => {
  await aTerminal();
  await world.service.stop();
  await world.send({ name: 'start_bitcoin_sale', amountMinor: 700 });
  await world.screen('bitcoin_sale');
  await offline();
  world.restart();
  await offline();
  await world.send({ name: 'cancel_sale' });
  await world.screen('bitcoin_sale', screen => screen.stage === 'cancelling');
  await world.service.start();
  await world.screen('sale_result', screen => screen.outcome === 'cancelled');
  expect(world.service.requests).toContain('withdrawBitcoinSale');
});
