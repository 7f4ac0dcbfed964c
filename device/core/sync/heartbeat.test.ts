import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

async function anIdleTerminal(): Promise<void> {
  world = await TerminalWorld.begin({ speed: 20 });
  await world.enrol();
}

const service = () => world.terminal.view().header.service;
const start = () => world.send({ name: 'start_sale', amountMinor: 300 });

test('an idle terminal detects within three seconds that the service is unreachable, and that it is back', async () => {
  await anIdleTerminal();
  await world.service.stop();
  const goneAt = world.now();
  await world.until('Offline', () => service() === 'offline');
  expect(world.now() - goneAt).toBeLessThan(3_000);
  await world.service.start();
  const backAt = world.now();
  await world.until('Online', () => service() === 'online');
  expect(world.now() - backAt).toBeLessThan(3_000);
});

test('a service that accepts connections and does not answer is shown as offline', async () => {
  await anIdleTerminal();
  world.service.holdReplies('pingTerminal');
  world.service.holdReplies('syncTerminal');
  const silentAt = world.now();
  await world.until('Offline', () => service() === 'offline');
  expect(world.now() - silentAt).toBeLessThan(3_000);
});

test('a service that stops answering is shown as offline within three seconds', async () => {
  await anIdleTerminal();
  const pings = () => world.service.requests.filter(name => name === 'pingTerminal').length;
  const expected = pings() + 1;
  await world.until('a sign of life', () => pings() === expected);
  await world.send({ name: 'show_recent_sales' });
  await world.screen('recent_sales', screen => !screen.busy);
  world.service.holdReplies('pingTerminal');
  world.service.holdReplies('syncTerminal');
  const silentAt = world.now();
  await world.until('Offline', () => service() === 'offline');
  expect(world.now() - silentAt).toBeLessThan(3_000);
});

test('offline, Charge shows this before a card is read, and the text disappears once the connection is back', async () => {
  await anIdleTerminal();
  await world.service.stop();
  await world.until('Offline', () => service() === 'offline');
  await start();
  const refused = await world.screen('keypad', screen => screen.notice?.message === 'Could not reach the server!');
  expect(refused.notice?.detail).toContain('No card was asked for');
  expect(world.reader.known()).toEqual([]);
  await world.service.start();
  await world.screen('keypad', screen => screen.notice === null);
  await start();
  await world.screen('sale_result', screen => screen.outcome === 'approved');
});

test('Charge checks the connection before it refuses: a service that is back takes the sale', async () => {
  await anIdleTerminal();
  await world.service.stop();
  await world.until('Offline', () => service() === 'offline');
  await world.service.start();
  await start();
  await world.screen('sale_result', screen => screen.outcome === 'approved');
});

test('a terminal that is not enrolled sends no heartbeat', async () => {
  world = await TerminalWorld.begin({ speed: 100 });
  const startedAt = world.now();
  await world.until('some time', () => world.now() - startedAt > 10_000);
  expect(world.service.requests).toEqual([]);
});
