import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

test('that the server was not reached is no longer said once it is reached again', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  await world.send({ name: 'change_mode' });
  await world.screen('staff_id');
  await world.service.stop();
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  const { notice } = await world.screen('staff_id', screen => screen.notice !== null);
  expect(notice?.message).toBe('Could not reach the server!');
  await world.until('it to be offline', () => world.terminal.view().header.service === 'offline');
  await world.service.start();
  await world.until('it to be online', () => world.terminal.view().header.service === 'online');
  expect(await world.screen('staff_id')).toMatchObject({ notice: null, busy: false });
  // A notice about something else stays.
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  const { notice: unknown } = await world.screen('staff_id', screen => screen.notice !== null);
  expect(unknown?.message).toBe('Incorrect staff ID');
});

test('kiosk mode asks no password of a person who was disabled', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password: 'ada has hers' });
  await world.enrol();
  await world.send({ name: 'change_mode' });
  await world.screen('staff_id');
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => !screen.busy);
  world.service.changeStaff('17', { isDisabled: true });
  const { notice } = await world.screen('staff_id', screen => screen.notice !== null);
  expect(notice).toEqual({
    message: 'This staff member is disabled',
    detail: 'A colleague can enter their staff ID; a manager can enable this person in the portal.',
  });
});
