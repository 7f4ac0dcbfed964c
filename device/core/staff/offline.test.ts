import type { OutboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';

/** An enrolled terminal with one settled sale that has lost the service; time runs slowly enough for lockouts. */
async function anOfflineTerminal(options: { amountMinor?: number; speed?: number } = {}): Promise<string> {
  world = await TerminalWorld.begin({ speed: options.speed ?? 20 });
  await world.service.addStaff({ staffNumber: '17', password });
  await world.service.addStaff({ staffNumber: '31', password, perTransaction: 500, daily: 800 });
  await world.enrol();
  const saleId = await world.approvedSale(options.amountMinor ?? 2_000);
  world.service.settleAll();
  await world.openSale(saleId);
  await world.screen('sale_detail', screen => screen.sale.action === 'refund');
  await world.send({ name: 'show_keypad' });
  await world.service.stop();
  return saleId;
}

async function toStaffId(saleId: string, amountMinor: number): Promise<void> {
  await world.send({ name: 'show_recent_sales' });
  await world.screen('recent_sales', screen => !screen.busy);
  await world.send({ name: 'show_sale', saleId });
  await world.send({ name: 'return_money', saleId });
  await world.screen('refund_amount');
  await world.send({ name: 'enter_refund_amount', amountMinor });
  await world.screen('staff_id');
}

async function toPassword(saleId: string, amountMinor: number, staffNumber: string): Promise<void> {
  await toStaffId(saleId, amountMinor);
  await world.send({ name: 'enter_staff_number', staffNumber });
  await world.screen('staff_password', screen => !screen.busy);
}

const enter = (typed: string) => world.send({ name: 'enter_password', password: typed });
const noticed = () => world.screen('staff_password', screen => !screen.busy && screen.notice !== null);
const entries = () => world.service.entries as OutboxEntry[];

async function wrongPasswords(count: number): Promise<void> {
  for (let attempt = 1; attempt <= count; attempt += 1) {
    const before = world.store.outboxSize();
    await enter(`wrong ${attempt}`);
    await world.until('the entry', () => world.store.outboxSize() === before + 1);
    await world.until('the result of the check', () => {
      const { screen } = world.terminal.view();
      return screen.name === 'locked_out' || (screen.name === 'staff_password' && !screen.busy);
    });
  }
}

test('offline, a correct password shows that the service is unreachable, and a wrong one that it is wrong', async () => {
  const saleId = await anOfflineTerminal();
  await toPassword(saleId, 500, '17');
  await enter('wrong');
  expect((await noticed()).notice?.message).toBe('Incorrect password');
  await enter(password);
  await world.screen('staff_password', screen => screen.notice?.message === 'Could not reach the server!');
});

test('once the service is back, the same screen succeeds', async () => {
  const saleId = await anOfflineTerminal();
  await toPassword(saleId, 500, '17');
  await enter(password);
  await noticed();
  await world.service.start();
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('five wrong passwords offline lock out across restarts, and setting the clock back unlocks no staff member', async () => {
  const saleId = await anOfflineTerminal();
  await toPassword(saleId, 500, '17');
  await wrongPasswords(5);
  expect((await world.screen('locked_out')).notice.message).toMatch(/^Locked out until \d\d:\d\d$/);
  const lockedUntil = world.store.lockout('staff_00000017')?.lockedUntil ?? 0;
  world.kill();
  world.shiftClock(-3_600_000);
  world.start();
  await toStaffId(saleId, 500);
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  expect(await world.screen('locked_out')).toMatchObject({ lockedUntil });
});

test('the service counts wrong passwords typed offline, and its lockout applies once the terminal is back', async () => {
  const saleId = await anOfflineTerminal();
  await toPassword(saleId, 500, '17');
  await wrongPasswords(5);
  await world.service.start();
  await world.until('the entries', () => entries().length === 5 && world.store.outboxSize() === 0);
  expect(world.service.staff('17').lockedUntil).not.toBeNull();
  await world.until('the service’s count', () =>
    world.store.configuration()?.staff.some(member => member.staffNumber === '17' && member.lockedUntil !== null),
  );
  // A manager unlocks the staff member in the portal; the terminal receives the change and lets them in.
  world.service.changeStaff('17', { failedAttempts: 0, lockoutRound: 0, lockedUntil: null });
  await world.send({ name: 'show_keypad' });
  await world.until('the unlock', () =>
    world.store.configuration()?.staff.some(member => member.staffNumber === '17' && member.lockedUntil === null),
  );
  expect(world.store.lockout('staff_00000017')).toBeUndefined();
  await toPassword(saleId, 500, '17');
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('limits hold offline, are logged, and do not touch voids', async () => {
  const saleId = await anOfflineTerminal();
  await toPassword(saleId, 501, '31');
  await enter(password);
  const refused = await world.screen('staff_id', screen => screen.notice !== null);
  expect(refused.notice?.message).toBe('Too large transaction!');
  expect(refused.notice?.detail).toContain('£5.00');
  expect(world.store.outbox(10)).toMatchObject([
    { status: 'limit_exceeded', reason: 'limit_exceeded', amountInCents: 501 },
  ]);
});

test('today’s refunds count towards the daily limit offline', async () => {
  const saleId = await anOfflineTerminal();
  await world.service.start();
  await world.until('the connection', () => world.terminal.view().header.service === 'online');
  await toPassword(saleId, 400, '31');
  await enter(password);
  await world.screen('return_result', screen => screen.outcome === 'approved');
  await world.send({ name: 'back' });
  await world.service.stop();
  await toPassword(saleId, 401, '31');
  await enter(password);
  const refused = await world.screen('staff_id', screen => screen.notice !== null);
  expect(refused.notice?.message).toBe('Daily limit reached!');
  expect(refused.notice?.detail).toContain('£4.00 left today');
});

test('entries reach the service once each and in order, whatever messages are lost', async () => {
  const saleId = await anOfflineTerminal({ speed: 50 });
  await toPassword(saleId, 500, '17');
  await wrongPasswords(4);
  const written = world.store.outbox(10).map(entry => entry.entryId);
  expect(world.terminal.view().header.waitingToSync).toBe(4);
  world.service.fault('syncTerminal', 'lose_reply', 'fail', 'lose_request', 'proxy_page', 'lose_reply');
  await world.service.start();
  await world.until('the outbox to empty', () => world.store.outboxSize() === 0);
  expect(entries().map(entry => entry.entryId)).toEqual(written);
  // The responses were lost, so the same ids were sent again and recognised.
  const outcomes = world.service.acknowledgements.map(each => each.outcome);
  expect(outcomes).toContain('known');
  expect(outcomes.filter(outcome => outcome === 'accepted')).toHaveLength(4);
});

test('a kill before the acknowledgement was stored sends the same ids again', async () => {
  const saleId = await anOfflineTerminal({ speed: 50 });
  await toPassword(saleId, 500, '17');
  await wrongPasswords(2);
  const written = world.store.outbox(10).map(entry => entry.entryId);
  world.service.fault('syncTerminal', 'lose_reply');
  await world.service.start();
  await world.until('the first hand-over', () => world.service.acknowledgements.length === 2);
  world.restart();
  await world.until('the outbox to empty', () => world.store.outboxSize() === 0);
  expect(entries().map(entry => entry.entryId)).toEqual(written);
});

test('a clock that is days ahead is corrected when the service is reached', async () => {
  const saleId = await anOfflineTerminal({ speed: 50 });
  world.shiftClock(3 * 86_400_000);
  await world.service.start();
  await world.until('the connection', () => world.terminal.view().header.service === 'online');
  await world.until('the offset', () => world.store.serverOffsetMs() < -2.9 * 86_400_000);
  // Screens count down by it.
  expect(world.terminal.view().header.clockAheadMs).toBeGreaterThan(2.9 * 86_400_000);
  await world.service.stop();
  await toPassword(saleId, 500, '17');
  await wrongPasswords(1);
  expect(world.store.outbox(1)).toMatchObject([{ attemptedAt: expect.stringMatching(/^2026-11-21T/) }]);
});
