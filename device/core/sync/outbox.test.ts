import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import SqliteConnection from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';

/** A terminal that has lost the service and on which wrong passwords were typed. */
async function aTerminalWithEntries(count: number): Promise<void> {
  world = await TerminalWorld.begin({ speed: 50 });
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  await world.service.stop();
  await world.send({ name: 'return_money', saleId });
  await world.screen('staff_id');
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  for (let attempt = 1; attempt <= count; attempt += 1) {
    await world.screen('staff_password', screen => !screen.busy);
    await world.send({ name: 'enter_password', password: `wrong ${attempt}` });
    await world.until('the entry', () => world.store.outboxSize() === attempt);
  }
  await world.send({ name: 'show_keypad' });
}

const entries = () => world.service.entries as StaffCheckEntry[];
const header = () => world.terminal.view().header;
const alerts = () => header().alerts.map(alert => alert.message);

async function removeTerminal(): Promise<void> {
  world.service.revokeToken();
  await world.service.start();
  await world.screen('enrolment', screen => screen.notice?.message === 'This terminal is no longer enrolled');
}

async function enrolAgain(businessId?: string): Promise<void> {
  world.service.issueEnrolment(businessId);
  await world.send({ name: 'enrol', code: world.service.enrolmentCode });
}

test('failed checks survive the terminal’s removal and a new enrolment, and are delivered under the enrolment they were made with', async () => {
  await aTerminalWithEntries(3);
  await removeTerminal();
  await enrolAgain();
  await world.until('the entries', () => entries().length === 3);
  expect(new Set(entries().map(entry => entry.terminalId))).toEqual(new Set(['dev_0000000001']));
  expect(world.store.configuration()?.terminal.id).toBe('dev_0000000002');
  expect(world.service.staff('17').failedAttempts).toBe(3);
  await world.until('the outbox to be empty', () => header().waitingToSync === 0);
});

test('a pending reversal is delivered after the terminal was removed and enrolled again', async () => {
  world = await TerminalWorld.begin({ speed: 50 });
  await world.enrol();
  world.service.fault('reverseSale', ...Array.from({ length: 200 }, () => 'fail' as const));
  world.reader.afterApproval = 'declined';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  await world.screen('sale_result');
  world.service.revokeToken();
  await world.send({ name: 'show_keypad' });
  await world.screen('enrolment');
  world.service.clearFaults();
  expect(world.store.pendingReports()).toMatchObject([{ kind: 'reverse' }]);
  await enrolAgain();
  await world.until('the reversal', () => [...world.service.sales.values()][0]?.record.reversal?.status === 'voided');
  await world.until('the report to be gone', () => world.store.pendingReports().length === 0);
});

test('entries of one business wait while the terminal works for another, and the terminal shows this', async () => {
  await aTerminalWithEntries(2);
  await removeTerminal();
  await enrolAgain('biz_0000000002');
  await world.screen('keypad');
  await world.until('a sync', () => world.service.requests.includes('syncTerminal'));
  await world.until('the alert', () => alerts().includes('Records of another business are waiting'));
  expect(entries()).toEqual([]);
  expect(header().waitingToSync).toBe(0);
  world.service.revokeToken();
  await world.screen('enrolment');
  await enrolAgain('biz_0000000001');
  await world.until('the entries', () => entries().length === 2);
  await world.until('the alert to go', () => alerts().length === 0);
});

test('an entry that the service refuses is kept and shown, and not sent again', async () => {
  await aTerminalWithEntries(3);
  const [, second] = world.store.outbox(10);
  world.service.refusesEntries.add(second?.entryId ?? '');
  await world.service.start();
  await world.until('the others', () => entries().length === 2);
  await world.until('the alert', () => alerts().includes('The service refused a record of this terminal'));
  expect(header().waitingToSync).toBe(0);
  expect(world.store.refusedEntries()).toMatchObject([
    { entryId: second?.entryId, refusal: 'the entry is not accepted' },
  ]);
  world.restart();
  await world.until('the alert', () => alerts().length === 1);
  expect(world.store.refusedEntries()).toHaveLength(1);
});

test('a row that cannot be read is kept and shown, and does not delay others', async () => {
  await aTerminalWithEntries(3);
  world.kill();
  const db = new SqliteConnection(world.databaseFile);
  db.exec(`UPDATE outbox SET entry = '{"entryId":' WHERE position = 2`);
  db.close();
  await world.service.start();
  world.start();
  await world.until('the others', () => entries().filter(entry => entry.kind === 'staff_check').length === 2);
  await world.until('the alert', () => alerts().includes('A record of this terminal cannot be read'));
});

test('an entry that makes a sync fail delays no other entry', async () => {
  await aTerminalWithEntries(3);
  const [, second] = world.store.outbox(10);
  world.service.failsOver = second?.entryId;
  await world.service.start();
  await world.until('the others', () => entries().length === 2 && header().waitingToSync === 1);
  world.service.failsOver = undefined;
  await world.until('the last one', () => entries().length === 3);
});

test('a terminal removed while a sale is checked can be enrolled again, and learns the outcome of the sale', async () => {
  world = await TerminalWorld.begin({ speed: 50 });
  await world.enrol();
  world.service.fault('authoriseSale', 'lose_reply');
  world.service.fault('getSale', ...Array.from({ length: 8 }, () => 'fail' as const));
  world.reader.unplugsAt = 'answered';
  await world.send({ name: 'start_sale', amountMinor: 1_500 });
  await world.screen('sale', screen => screen.stage === 'checking');
  world.service.revokeToken();
  const removed = await world.screen('enrolment');
  expect(removed.notice?.detail).toContain('A sale is still being checked');
  world.reader.replug();
  await enrolAgain();
  const result = await world.screen('sale_result');
  expect(result.sale?.status).toBe(result.outcome === 'approved' ? 'unsettled' : 'cancelled');
});
