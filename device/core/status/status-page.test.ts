import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import { coreWords } from '../words.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const header = () => world.terminal.view().header;

async function aTerminal(): Promise<void> {
  world = await TerminalWorld.begin({ speed: 20 });
  await world.service.addStaff({ staffNumber: '17', password: 'correct horse' });
  await world.enrol();
  await world.until('Online', () => header().service === 'online' && header().reader.connection === 'ready');
}

test('one action opens the status page, which names what is connected, and back leads to the keypad', async () => {
  await aTerminal();
  expect(await world.send({ name: 'show_status' })).toBe('accepted');
  const shown = await world.screen('terminal_status', screen => screen.clock.aheadMs !== null);
  expect(shown).toMatchObject({
    supportCode: 'K7MTQX',
    service: { level: 'fine', state: 'online', address: 'http://127.0.0.1:4100' },
    reader: { level: 'fine', connection: 'ready', test: { state: 'not_asked' } },
    outbox: { level: 'fine', waiting: 0, oldestAt: null },
    clock: { level: 'fine', aheadMs: 0 },
    alerts: { level: 'fine' },
    versions: { terminal: '1.2.3' },
  });
  await world.send({ name: 'back' });
  await world.screen('keypad');
});

test('what it needs is reported to the service with its status', async () => {
  await aTerminal();
  world.printer.becomes('out_of_paper');
  await world.send({ name: 'show_status' });
  const last = () => world.service.bodiesOf('reportTerminalStatus').at(-1);
  const health = {
    configurationVersion: world.store.configuration()?.version,
    printer: 'out_of_paper',
    waitingReports: 0,
    clockAheadMs: 0,
    problems: [],
  };
  await world.until('a report of it', () => isDeepStrictEqual((last() as { health?: unknown })?.health, health));
});

test('its log is sent to the service when the page is opened, under the code that it shows', async () => {
  await aTerminal();
  const sent = () => world.service.bodiesOf('sendDiagnostics');
  expect(sent()).toEqual([]);
  await world.send({ name: 'show_status' });
  await world.until('the log', () => sent().length > 0);
  expect(sent()).toEqual([
    { launchCode: 'K7MTQX', appVersion: '1.2.3', platform: 'Test', log: ['{"msg":"one line"}'] },
  ]);
});

test('the reader is asked something that changes nothing, and its answer is shown', async () => {
  await aTerminal();
  expect(await world.send({ name: 'test_reader' })).toBe('not_now');
  await world.send({ name: 'show_status' });
  await world.send({ name: 'test_reader' });
  await world.screen('terminal_status', screen => screen.reader.test.state === 'answered');
  expect(world.reader.known()).toEqual([]);
});

test('a reader that is unplugged is wrong, and does not answer', async () => {
  await aTerminal();
  world.reader.unplug();
  await world.send({ name: 'show_status' });
  await world.screen('terminal_status', screen => screen.reader.level === 'wrong');
  await world.send({ name: 'test_reader' });
  await world.screen('terminal_status', screen => screen.reader.test.state === 'silent');
});

test('without a network, that is what is wrong, and not where the service is unreachable beyond it', async () => {
  await aTerminal();
  await world.send({ name: 'show_status' });
  expect((await world.screen('terminal_status')).network).toEqual({ level: 'fine', addresses: ['192.0.2.10'] });
  await world.service.stop();
  const beyond = await world.screen('terminal_status', screen => screen.service.level === 'wrong');
  expect(beyond.network.level).toBe('fine');
  world.networkAddresses = [];
  await world.send({ name: 'back' });
  await world.send({ name: 'show_status' });
  expect((await world.screen('terminal_status')).network).toEqual({ level: 'wrong', addresses: [] });
  // A service on the same machine needs none.
  await world.service.start();
  await world.screen('terminal_status', screen => screen.service.level === 'fine' && screen.network.level === 'fine');
});

test('a printer without paper is wrong, and what to do is said until it has some', async () => {
  await aTerminal();
  await world.send({ name: 'show_status' });
  const none = await world.screen('terminal_status');
  expect(none.printer).toEqual({ level: 'fine', state: 'none' });
  world.printer.becomes('out_of_paper');
  const out = await world.screen('terminal_status', screen => screen.printer.level === 'wrong');
  const { message, remedy } = coreWords.en.printing.troubles.out_of_paper;
  expect(out.printer).toEqual({ level: 'wrong', state: 'trouble', message, remedy });
  world.printer.becomes('ready');
  await world.screen('terminal_status', screen => screen.printer.state === 'ready');
});

test('offline, what waits and since when is shown, and it goes once it was sent', async () => {
  await aTerminal();
  const saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  await world.service.stop();
  await world.send({ name: 'return_money', saleId });
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => !screen.busy);
  expect(await world.send({ name: 'show_status' })).toBe('not_now');
  await world.send({ name: 'enter_password', password: 'wrong' });
  await world.until('the entry', () => header().waitingToSync === 1);
  await world.send({ name: 'show_keypad' });
  await world.send({ name: 'show_status' });
  const since = world.now();
  const offline = await world.screen('terminal_status', screen => screen.service.level === 'wrong');
  expect(offline).toMatchObject({ service: { state: 'offline' }, outbox: { waiting: 1 } });
  expect(Math.abs((offline.outbox.oldestAt ?? 0) - since)).toBeLessThan(60_000);
  await world.service.start();
  await world.screen('terminal_status', screen => screen.service.level === 'fine' && screen.outbox.waiting === 0);
});

test('a clock that differs from the service’s is told', async () => {
  await aTerminal();
  world.shiftClock(7 * 60_000);
  await world.send({ name: 'show_status' });
  const shown = await world.screen('terminal_status', screen => screen.clock.level === 'wrong');
  expect(shown.clock.aheadMs).toBe(7 * 60_000);
});

test('it cannot be opened during a sale, and it can from the result', async () => {
  await aTerminal();
  world.reader.presentsByItself = false;
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  await world.screen('sale');
  expect(header().mayShowStatus).toBe(false);
  expect(await world.send({ name: 'show_status' })).toBe('not_now');
  world.reader.present();
  await world.screen('sale_result');
  expect(await world.send({ name: 'show_status' })).toBe('accepted');
});
