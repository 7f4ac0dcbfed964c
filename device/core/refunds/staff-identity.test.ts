import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const passwords = { '101': 'ada has hers', '103': 'chloe has hers' } as const;

/** The staff ID step of a void, with two staff members at the counter. */
async function atStaffId(): Promise<void> {
  world = await TerminalWorld.begin({ speed: 20 });
  for (const [staffNumber, password] of Object.entries(passwords))
    await world.service.addStaff({ staffNumber, password });
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.screen('staff_id');
}

const enterStaff = (staffNumber: string) => world.send({ name: 'enter_staff_number', staffNumber });
const enterPassword = (password: string) => world.send({ name: 'enter_password', password });
const passwordOf = (staffName: string) =>
  world.screen('staff_password', screen => !screen.busy && screen.staffName === staffName);
const outbox = () => world.store.outbox(10) as StaffCheckEntry[];

test.each([
  ['online', async () => {}],
  ['offline', () => world.service.stop()],
] as const)('%s, after Back another staff ID asks the password of that other person', async (_, goThere) => {
  await atStaffId();
  await goThere();
  await enterStaff('103');
  await passwordOf('Staff 103');
  await world.send({ name: 'back' });
  await enterStaff('101');
  await passwordOf('Staff 101');
});

test('the second staff member’s password authorises, and only that staff member is named', async () => {
  await atStaffId();
  await enterStaff('103');
  await passwordOf('Staff 103');
  await world.send({ name: 'back' });
  await enterStaff('101');
  await passwordOf('Staff 101');
  await enterPassword(passwords['101']);
  const result = await world.screen('return_result');
  expect(result.receipt).toContainEqual({ label: 'Authorised by', value: 'Staff 101 (101)' });
  expect(world.service.staff('103').failedAttempts).toBe(0);
});

test('after Back an unknown number authorises nothing with the first person’s password', async () => {
  await atStaffId();
  await enterStaff('101');
  await passwordOf('Staff 101');
  await world.send({ name: 'back' });
  await enterStaff('999');
  const refused = await world.screen('staff_id', screen => screen.notice !== null);
  expect(refused.notice?.message).toBe('Incorrect staff ID');
  expect(await enterPassword(passwords['101'])).toBe('not_now');
  expect([...world.service.moneyMoves.values()]).toEqual([]);
});

test('a wrong password offline counts for the person on the screen alone', async () => {
  await atStaffId();
  await world.service.stop();
  await enterStaff('103');
  await passwordOf('Staff 103');
  await world.send({ name: 'back' });
  await enterStaff('101');
  await passwordOf('Staff 101');
  await enterPassword('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  expect(outbox().map(entry => entry.staffId)).toEqual(['staff_00000101']);
});

test('a check that was left while it was pending accepts no other staff member’s password', async () => {
  await atStaffId();
  await enterStaff('103');
  await passwordOf('Staff 103');
  // A wrong password uses up the challenge, and the next challenge takes long enough to step back meanwhile.
  await enterPassword('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  world.service.holdReplies('createStaffChallenge');
  await enterPassword(passwords['103']);
  await world.until('the challenge to be asked for', () => world.service.isHolding('createStaffChallenge'));
  await world.send({ name: 'back' });
  await world.send({ name: 'back' });
  await world.service.stop();
  await enterStaff('101');
  await passwordOf('Staff 101');
  await enterPassword('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  expect(
    outbox()
      .filter(entry => entry.reason === 'invalid_signature')
      .map(entry => entry.staffId),
  ).toEqual(['staff_00000101']);
});

test('a staff ID without a password writes no entry, whatever its permissions, online and offline', async () => {
  await atStaffId();
  await world.service.addStaff({ staffNumber: '99', password: 'may do nothing', may: false });
  await world.until('the new colleague', () => world.store.configuration()?.staff.length === 3);
  await world.service.stop();
  for (const staffNumber of ['99', '103', '4711']) {
    await enterStaff(staffNumber);
    await world.until('the answer', () => {
      const { screen } = world.terminal.view();
      return screen.name === 'staff_password' ? !screen.busy : screen.name === 'staff_id' && screen.notice !== null;
    });
    if (world.terminal.view().screen.name === 'staff_password') await world.send({ name: 'back' });
  }
  expect(outbox()).toEqual([]);
  expect(world.service.entries).toEqual([]);
});

const disabled = () =>
  world.screen('staff_id', screen => screen.notice?.message === 'This staff member is disabled' && !screen.busy);

test('the open password screen of a person who is disabled leads back to the staff ID and says so', async () => {
  await atStaffId();
  await enterStaff('103');
  await passwordOf('Staff 103');
  world.service.changeStaff('103', { isDisabled: true, mayRefundAndVoid: false });
  await disabled();
  await enterStaff('101');
  await passwordOf('Staff 101');
  expect(outbox()).toEqual([]);
});

test('a person who is disabled while their staff ID is asked about is not asked for a password', async () => {
  await atStaffId();
  world.service.holdReplies('createStaffChallenge');
  await enterStaff('103');
  await world.until('the challenge to be asked for', () => world.service.isHolding('createStaffChallenge'));
  world.service.changeStaff('103', { isDisabled: true });
  await world.until('the change', () => world.store.configuration()?.staff.some(({ isDisabled }) => isDisabled));
  await world.service.stop();
  await disabled();
});

test.each([
  ['online', async () => {}],
  ['offline', () => world.service.stop()],
] as const)('%s, the staff ID of a disabled person leads to no password', async (_, goThere) => {
  await atStaffId();
  world.service.changeStaff('103', { isDisabled: true });
  await world.until('the change', () => world.store.configuration()?.staff.some(({ isDisabled }) => isDisabled));
  await goThere();
  await enterStaff('103');
  await disabled();
  expect(world.views.some(({ screen }) => screen.name === 'staff_password')).toBe(false);
});

test('without the permission the password check is refused with this reason and logged, offline and online', async () => {
  await atStaffId();
  await world.service.addStaff({ staffNumber: '99', password: 'may do nothing', may: false });
  await world.until('the new colleague', () => world.store.configuration()?.staff.length === 3);
  const denied = () => world.screen('staff_id', screen => screen.notice?.message.includes('may not') ?? false);
  await enterStaff('99');
  await passwordOf('Staff 99');
  await enterPassword('may do nothing');
  await denied();
  await world.send({ name: 'back' });
  await world.service.stop();
  await enterStaff('99');
  await passwordOf('Staff 99');
  await enterPassword('may do nothing');
  await denied();
  expect(outbox()).toMatchObject([
    { staffId: 'staff_00000099', status: 'failed', reason: 'permission_denied', detail: null },
  ]);
});

test('offline, a correct password is logged with the reason of the refusal', async () => {
  await atStaffId();
  await world.service.addStaff({ staffNumber: '23', password: 'temporary!', temporary: true });
  await world.until('the new colleague', () => world.store.configuration()?.staff.length === 3);
  await world.service.stop();
  await enterStaff('101');
  await passwordOf('Staff 101');
  await enterPassword(passwords['101']);
  await world.screen('staff_password', screen => screen.notice?.message === 'Could not reach the server!');
  await world.send({ name: 'back' });
  await enterStaff('23');
  await passwordOf('Staff 23');
  await enterPassword('temporary!');
  await world.screen('staff_password', screen => screen.notice?.message === 'Could not reach the server!');
  expect(outbox()).toMatchObject([
    { staffId: 'staff_00000101', status: 'failed', reason: 'permission_denied', detail: 'service_unreachable' },
    { staffId: 'staff_00000023', status: 'failed', reason: 'permission_denied', detail: 'password_change_required' },
  ]);
});

test('offline, an unknown number is not reported as incorrect', async () => {
  await atStaffId();
  await world.service.stop();
  await enterStaff('4711');
  const screen = await world.screen('staff_id', shown => shown.notice !== null);
  expect(screen.notice?.message).toBe('Could not reach the server!');
});

test('a refused staff ID is cleared from the field', async () => {
  await atStaffId();
  const before = await world.screen('staff_id');
  await enterStaff('4711');
  const refused = await world.screen('staff_id', shown => shown.notice !== null);
  expect(refused.entry).not.toBe(before.entry);
});
