import type { OutboxEntry, TamperReportEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import SqliteConnection from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';
const minuteMs = 60_000;
let saleId = '';

/** The staff ID step of a void, while offline. */
async function anOfflineTerminal(options: { speed?: number } = {}): Promise<void> {
  world = await TerminalWorld.begin({ speed: options.speed ?? 20 });
  await world.service.addStaff({ staffNumber: '17', password });
  await world.service.addStaff({ staffNumber: '31', password });
  await world.enrol();
  saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  await world.send({ name: 'show_keypad' });
  await world.service.stop();
}

async function identify(staffNumber: string): Promise<void> {
  await world.send({ name: 'show_recent_sales' });
  await world.screen('recent_sales', screen => !screen.busy);
  await world.send({ name: 'show_sale', saleId });
  await world.send({ name: 'return_money', saleId });
  await world.screen('staff_id');
  await world.send({ name: 'enter_staff_number', staffNumber });
}

async function wrongPasswords(count: number): Promise<void> {
  for (let attempt = 1; attempt <= count; attempt += 1) {
    await world.screen('staff_password', screen => !screen.busy);
    const before = world.store.outboxSize();
    await world.send({ name: 'enter_password', password: `wrong ${attempt}` });
    await world.until('the entry', () => world.store.outboxSize() === before + 1);
  }
}

function changeStorage(sql: string): void {
  world.kill();
  const db = new SqliteConnection(world.databaseFile);
  db.exec(sql);
  db.close();
}

const reports = () =>
  (world.service.entries as OutboxEntry[])
    .filter((entry): entry is TamperReportEntry => entry.kind === 'tamper_report')
    .map(({ found }) => found);

test.each([
  ['while the terminal runs', () => world.shiftClock(24 * 60 * minuteMs)],
  [
    'while the terminal is off',
    () => {
      world.kill();
      world.shiftClock(24 * 60 * minuteMs);
      world.start();
    },
  ],
])('a clock set forward %s ends no lockout', async (_, setForward) => {
  await anOfflineTerminal();
  await identify('17');
  await wrongPasswords(5);
  await world.screen('locked_out');
  await world.send({ name: 'back' });
  setForward();
  await identify('17');
  await world.screen('locked_out');
  expect(world.store.outbox(20).filter(entry => entry.kind === 'staff_check')).toHaveLength(5);
});

test('a lockout made offline lasts for its full time, also through a restart', async () => {
  await anOfflineTerminal({ speed: 400 });
  await identify('17');
  await wrongPasswords(5);
  const lockedAt = world.now();
  await world.screen('locked_out');
  world.restart();
  await identify('17');
  await world.screen('locked_out');
  await world.screen('staff_id');
  expect(world.now() - lockedAt).toBeGreaterThanOrEqual(5 * minuteMs);
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password');
});

test('a lockout of the service survives an offline restart, whatever the clock shows', async () => {
  await anOfflineTerminal();
  await world.service.start();
  world.service.lock('17', 30 * minuteMs);
  await world.until('the lockout', () =>
    world.store.configuration()?.staff.some(member => member.lockedUntil !== null),
  );
  await world.service.stop();
  world.kill();
  world.shiftClock(60 * minuteMs);
  world.start();
  await identify('17');
  await world.screen('locked_out');
});

test.each([
  ['deleted', `DELETE FROM secrets WHERE name = 'guard'`, 'rows_missing'],
  [
    'changed',
    `UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE name = 'deviceKey') WHERE name = 'guard'`,
    'lockouts_changed',
  ],
] as const)(
  'counts that were %s lock everybody out until the service is reached, and are reported to it',
  async (_, sql, found) => {
    await anOfflineTerminal();
    await identify('17');
    await wrongPasswords(5);
    changeStorage(sql);
    world.start();
    for (const staffNumber of ['17', '31']) {
      await identify(staffNumber);
      const locked = await world.screen('locked_out');
      expect(locked.notice.message).toBe('Locked out!');
      await world.send({ name: 'back' });
    }
    await world.service.start();
    await world.until('the report', () => reports().includes(found));
    await world.until('the count of the service', () => world.service.staff('17').lockedUntil !== null);
    await world.send({ name: 'show_keypad' });
    await identify('31');
    await world.screen('staff_password');
  },
);

test('a deleted entry is detected and reported to the service', async () => {
  await anOfflineTerminal();
  await identify('17');
  await wrongPasswords(3);
  changeStorage('DELETE FROM outbox WHERE position = 2');
  await world.service.start();
  world.start();
  await world.until('the report', () => reports().includes('rows_missing'));
  expect(world.service.entries).toHaveLength(3);
  expect(new Set((world.service.entries as OutboxEntry[]).map(entry => entry.sequence))).toEqual(new Set([1, 3, 4]));
});

test('an edited entry is detected, kept, shown and reported to the service', async () => {
  await anOfflineTerminal();
  await identify('17');
  await wrongPasswords(3);
  changeStorage(`UPDATE outbox SET entry = json_set(entry, '$.staffId', 'staff_00000031') WHERE position = 2`);
  await world.service.start();
  world.start();
  await world.until('the report', () => reports().includes('outbox_changed'));
  await world.until('the others', () => world.service.entries.length === 3);
  expect(world.service.staff('31').failedAttempts).toBe(0);
  expect(world.store.refusedEntries()).toMatchObject([{ refusal: 'was changed on this terminal' }]);
  expect(world.terminal.view().header.alerts).toHaveLength(1);
});

test('a clock that is changed while wrong passwords are counted is reported once', async () => {
  await anOfflineTerminal();
  await identify('17');
  await wrongPasswords(1);
  world.shiftClock(10 * minuteMs);
  await world.until('the report to be recorded', () =>
    world.store.outbox(10).some(entry => entry.kind === 'tamper_report' && entry.found === 'clock_moved'),
  );
  await world.service.start();
  await world.until('the report', () => reports().length === 1);
  await world.until('the outbox to be empty', () => world.store.outboxSize() === 0);
  expect(reports()).toEqual(['clock_moved']);
});
