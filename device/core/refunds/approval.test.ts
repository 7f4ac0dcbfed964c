import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';
const supervisor = 'battery staple';

/** Number 17 may refund up to £5.00 at once, number 23 £30.00 a day. */
async function aWorld(options: { speed?: number } = {}): Promise<void> {
  world = await TerminalWorld.begin(options);
  await world.service.addStaff({ staffNumber: '17', password, perTransaction: 500 });
  await world.service.addStaff({ staffNumber: '23', password: supervisor, daily: 3_000 });
  await world.enrol();
}

const movements = () => [...world.service.moneyMoves.values()];
const enter = (typed: string) => world.send({ name: 'enter_password', password: typed });
const staffNumber = (typed: string) => world.send({ name: 'enter_staff_number', staffNumber: typed });

/** A refund of £20.00 that number 17 may not authorise alone: a colleague's staff ID is asked for. */
async function anAskedRefund(): Promise<string> {
  const saleId = await world.approvedSale(5_000);
  world.service.settleAll();
  await world.toPassword({ saleId, amountMinor: 2_000, staffNumber: '17' });
  await enter(password);
  await world.screen('staff_id', screen => 'sale' in screen.authorised && screen.authorised.approvesFor === 'Staff 17');
  return saleId;
}

async function approve(): Promise<void> {
  await staffNumber('23');
  await world.screen('staff_password', screen => screen.staffName === 'Staff 23' && !screen.busy);
  await enter(supervisor);
}

test('a colleague approves what is above the limit; amount and first person stay', async () => {
  await aWorld();
  await anAskedRefund();
  const asked = await world.screen('staff_id');
  expect(asked).toMatchObject({
    notice: {
      message: 'Too large transaction!',
      detail:
        'Staff 17 may refund up to £5.00 at once. No money moved. A colleague with a higher limit can approve it now.',
    },
    authorised: { amountMinor: 2_000, approvesFor: 'Staff 17' },
  });
  await approve();
  const result = await world.screen('return_result');
  expect(result).toMatchObject({ outcome: 'approved', returning: { amountMinor: 2_000, approvesFor: 'Staff 17' } });
  expect(result.receipt).toEqual(
    expect.arrayContaining([
      { label: 'Requested by', value: 'Staff 17 (17)' },
      { label: 'Approved by', value: 'Staff 23 (23)' },
    ]),
  );
  expect(movements()).toEqual([1]);
  // The terminal counts it for the approver too.
  expect(world.store.refundTotal('staff_00000023', '2026-11-21')).toBe(2_000);
  expect(world.store.refundTotal('staff_00000017', '2026-11-21') ?? 0).toBe(0);
});

test('a colleague approves the void of somebody without the permission', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '31', password, may: false });
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '31' });
  await enter(password);
  const asked = await world.screen('staff_id', screen => screen.notice !== null);
  expect(asked.notice?.detail).toContain('can approve it now.');
  await approve();
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', notice: { message: 'Voided' } });
});

test('nobody approves their own request, and the colleague is asked again', async () => {
  await aWorld();
  await anAskedRefund();
  await staffNumber('17');
  const refused = await world.screen('staff_id', screen => screen.notice?.message.startsWith('Another') === true);
  expect(refused.notice?.message).toBe('Another staff member has to approve this');
  expect(world.service.requests.filter(name => name === 'createStaffChallenge')).toHaveLength(1);
  await approve();
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('a wrong password, and a colleague who may not approve it either, keep the request', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '31', password: supervisor, perTransaction: 1_000 });
  await anAskedRefund();
  await staffNumber('31');
  await world.screen('staff_password', screen => !screen.busy);
  await enter('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  await enter(supervisor);
  const refused = await world.screen('staff_id', screen => screen.notice?.detail?.startsWith('Staff 31') === true);
  expect(refused.authorised).toMatchObject({ amountMinor: 2_000, approvesFor: 'Staff 17' });
  await approve();
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
  expect(movements()).toEqual([1]);
});

test('offline, the checks of the colleague are recorded with who asked for approval', async () => {
  await aWorld();
  await anAskedRefund();
  await world.service.stop();
  await staffNumber('23');
  await world.screen('staff_password', screen => screen.staffName === 'Staff 23' && !screen.busy);
  await enter('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  await enter(supervisor);
  await world.screen('staff_password', screen => screen.notice?.message === 'Could not reach the server!');
  await world.service.start();
  await world.until('the entries to arrive', () => world.service.entries.length === 2);
  const asked = { staffId: 'staff_00000023', requestedBy: 'staff_00000017' };
  expect(world.service.entries).toMatchObject([
    { ...asked, reason: 'invalid_signature' },
    { ...asked, reason: 'permission_denied', detail: 'service_unreachable' },
  ]);
  await enter(supervisor);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('a colleague with a temporary password chooses their own and then approves', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '31', password: 'temporary!', temporary: true });
  await anAskedRefund();
  await staffNumber('31');
  await world.screen('staff_password', screen => !screen.busy);
  await enter('temporary!');
  await world.screen('new_password');
  await world.send({ name: 'choose_password', password: 'my own one', repeated: 'my own one' });
  const result = await world.screen('return_result');
  expect(result.receipt).toContainEqual({ label: 'Approved by', value: 'Staff 31 (31)' });
});

test('back from the colleague’s staff ID leads to the amount, for a smaller one by the first person', async () => {
  await aWorld();
  await anAskedRefund();
  await world.send({ name: 'back' });
  await world.screen('refund_amount', screen => screen.amountMinor === 2_000);
  await world.send({ name: 'enter_refund_amount', amountMinor: 400 });
  await staffNumber('17');
  await world.screen('staff_password', screen => !screen.busy);
  await enter(password);
  const result = await world.screen('return_result');
  expect(result.receipt).toContainEqual({ label: 'Authorised by', value: 'Staff 17 (17)' });
});

test('back from the colleague’s staff ID of a void leads to the first person’s', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '31', password, may: false });
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '31' });
  await enter(password);
  await world.screen('staff_id', screen => screen.notice !== null);
  await world.send({ name: 'back' });
  const alone = await world.screen('staff_id', screen => screen.notice === null);
  expect(alone.authorised).toMatchObject({ kind: 'CANCEL', approvesFor: null });
});

test('once the time to approve is over, the first person has to ask again', async () => {
  await aWorld({ speed: 5 });
  world.service.approvals.forMs = 5_000;
  await anAskedRefund();
  const since = world.now();
  await world.until('the end of that time', () => world.now() - since > 5_000);
  await staffNumber('23');
  const over = await world.screen('staff_id', screen => screen.notice?.message.startsWith('The time') === true);
  expect(over.authorised).toMatchObject({ amountMinor: 2_000, approvesFor: null });
  expect(movements()).toEqual([]);
});

test.each(['lose_reply', 'lose_request'] as const)('an approval with a fault (%s) makes one refund', async fault => {
  await aWorld({ speed: 20 });
  await anAskedRefund();
  world.service.fault('createTerminalRefund', fault);
  await approve();
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
  expect(movements()).toEqual([1]);
});
