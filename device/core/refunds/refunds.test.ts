import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';

async function aWorld(options: { speed?: number } = {}): Promise<TerminalWorld> {
  world = await TerminalWorld.begin(options);
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  return world;
}

/** The number of times money moved, by request. */
const movements = () => [...world.service.moneyMoves.values()];
const enter = (typed: string) => world.send({ name: 'enter_password', password: typed });

async function aSettledSale(amountMinor = 2_000): Promise<string> {
  const saleId = await world.approvedSale(amountMinor);
  world.service.settleAll();
  return saleId;
}

test('a sale that has not settled is voided by a named staff member', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  await enter(password);
  const result = await world.screen('return_result');
  expect(result).toMatchObject({
    outcome: 'approved',
    notice: { message: 'Voided' },
    sale: { status: 'cancelled', action: 'none' },
  });
  expect(result.receipt).toContainEqual({ label: 'Authorised by', value: 'Staff 17 (17)' });
  expect(movements()).toEqual([1]);
});

test('a settled sale is refunded in part, and never beyond what is left', async () => {
  await aWorld();
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', sale: { remainingInCents: 1_500 } });
  await world.send({ name: 'back' });
  await world.openSale(saleId);
  // Stored with the sale, so it is known while offline too.
  expect(world.store.saleSeen(saleId)?.returns).toMatchObject([
    { kind: 'REFUND_SALE', status: 'approved', amountInCents: 500, staffName: 'Staff 17' },
  ]);
  await world.send({ name: 'return_money', saleId });
  await world.screen('refund_amount');
  await world.send({ name: 'enter_refund_amount', amountMinor: 1_501 });
  const refused = await world.screen('refund_amount', screen => screen.notice !== null);
  expect(refused.notice?.message).toBe('Refund exceeds original sale amount');
});

test('the first use of a temporary password requires a new one and continues with the refund', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '23', password: 'temporary!', temporary: true });
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 700, staffNumber: '23' });
  await enter('temporary!');
  await world.screen('new_password');
  // No message in between claimed that money was moving.
  expect(world.views.map(view => view.screen.name)).not.toContain('return_progress');
  const choose = (typed: string, repeated = typed) =>
    world.send({ name: 'choose_password', password: typed, repeated });
  await choose('short');
  await world.screen('new_password', screen => screen.notice?.message === 'Too short');
  await choose('x'.repeat(129));
  await world.screen('new_password', screen => screen.notice?.message === 'Too long');
  await choose(' spaces kept 🔑 ', ' spaces kept 🔑');
  await world.screen('new_password', screen => screen.notice?.message === 'The two passwords differ');
  await choose(' spaces kept 🔑 ');
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', returning: { amountMinor: 700 } });
  expect(world.service.staff('23').passwordIsTemporary).toBe(false);
  expect(movements()).toEqual([1]);
});

test('the temporary password is refused as the new one, and the terminal asks for another', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '23', password: 'temporary!', temporary: true });
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 700, staffNumber: '23' });
  await enter('temporary!');
  await world.screen('new_password');
  await world.send({ name: 'choose_password', password: 'temporary!', repeated: 'temporary!' });
  const refused = await world.screen('new_password', screen => screen.notice !== null);
  expect(refused.notice).toEqual({
    message: 'Choose another password',
    detail: 'The temporary password cannot stay. Choose one that only you know.',
  });
  expect(world.service.requests).not.toContain('changeStaffPassword');
  expect(world.service.staff('23').passwordIsTemporary).toBe(true);
  await world.send({ name: 'choose_password', password: 'my own one', repeated: 'my own one' });
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('a password change whose response was lost is detected as done, and the refund continues', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '23', password: 'temporary!', temporary: true });
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 700, staffNumber: '23' });
  await enter('temporary!');
  await world.screen('new_password');
  world.service.fault('changeStaffPassword', 'lose_reply');
  await world.send({ name: 'choose_password', password: 'my own one', repeated: 'my own one' });
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('five wrong passwords lock the staff member out, online, until the time on the screen', async () => {
  await aWorld({ speed: 10 });
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await enter(`wrong ${attempt}`);
    await world.until('the count', () => world.service.staff('17').failedAttempts === attempt);
    const screen = await world.screen('staff_password', shown => !shown.busy && shown.notice !== null);
    expect(screen.notice).toEqual({
      message: 'Incorrect password',
      detail: `No money moved. ${attempt === 4 ? '1 try' : `${5 - attempt} tries`} left.`,
    });
  }
  await enter('wrong 5');
  const locked = await world.screen('locked_out');
  expect(locked.notice.message).toMatch(/^Locked out until 12:0\d$/);
  expect(locked.notice.detail).toMatch(/^Staff 17 is locked out until 12:0\d: too many wrong passwords\./);
  // The correct password has no effect now, on this terminal or after a restart.
  await world.send({ name: 'show_keypad' });
  world.restart();
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  expect((await world.screen('locked_out')).notice.message).toMatch(/^Locked out/);
  expect(movements()).toEqual([]);
});

test('with one staff member locked out, a colleague continues with the same amount', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '23', password });
  const saleId = await aSettledSale();
  world.service.lock('17', 300_000);
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.send({ name: 'enter_refund_amount', amountMinor: 700 });
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  expect((await world.screen('locked_out')).notice.detail).toContain('Go back for a colleague to enter their staff ID');
  await world.send({ name: 'back' });
  await world.screen('staff_id');
  await world.send({ name: 'enter_staff_number', staffNumber: '23' });
  await world.screen('staff_password', screen => !screen.busy);
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', returning: { amountMinor: 700 } });
  expect(movements()).toEqual([1]);
});

test('a locked-out terminal says so, locks no staff member, and continues once a manager has unlocked it', async () => {
  await aWorld();
  const saleId = await aSettledSale();
  world.service.terminalLockedUntil = world.service.now() + 3_600_000;
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.send({ name: 'enter_refund_amount', amountMinor: 700 });
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  const { notice } = await world.screen('locked_out');
  expect(notice.message).toBe('Too many attempts, try again later!');
  expect(notice.detail).toMatch(
    /^This terminal is locked out until \d\d:\d\d, for everybody: .* ask a manager to unlock this one/,
  );
  world.service.terminalLockedUntil = 0;
  await world.send({ name: 'back' });
  await world.screen('staff_id');
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => !screen.busy);
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', returning: { amountMinor: 700 } });
});

test('a refund over a limit names the limit, and a colleague continues with the same amount', async () => {
  await aWorld();
  await world.service.addStaff({ staffNumber: '31', password, perTransaction: 500, daily: 800 });
  const saleId = await aSettledSale();
  const refused = async (amountMinor: number) => {
    await world.toPassword({ saleId, amountMinor, staffNumber: '31' });
    await enter(password);
    return world.screen('staff_id', screen => screen.notice !== null);
  };
  const tooLarge = await refused(501);
  expect(tooLarge.notice?.message).toBe('Too large transaction!');
  expect(tooLarge.notice?.detail).toMatch(/^Staff 31 may refund up to £5\.00 at once\. No money moved\./);
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => !screen.busy);
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', returning: { amountMinor: 501 } });
  await world.send({ name: 'back' });
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '31' });
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
  await world.send({ name: 'back' });
  const dailyLimit = await refused(301);
  expect(dailyLimit.notice?.message).toBe('Daily limit reached!');
  expect(dailyLimit.notice?.detail).toContain('up to £8.00 a day and has £3.00 left today');
  // Back also keeps the amount, so that it can be lowered.
  await world.send({ name: 'back' });
  expect(await world.screen('refund_amount')).toMatchObject({ amountMinor: 301 });
  expect(movements()).toEqual([1, 1]);
});

test('a refusal because of the payment’s state has the specified message and shows the current sale', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.cancelElsewhere(saleId);
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({
    outcome: 'refused',
    notice: { message: 'Payment has already been cancelled' },
    sale: { status: 'cancelled', action: 'none' },
  });
});

test('a void that comes too late is refunded instead with one tap, by the same person', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.settleAll();
  await enter(password);
  const late = await world.screen('return_result');
  expect(late).toMatchObject({
    outcome: 'refused',
    notice: { message: 'Too late to void' },
    sale: { action: 'refund' },
  });
  await world.send({ name: 'return_money', saleId });
  const again = await world.screen('staff_password');
  expect(again).toMatchObject({ staffName: 'Staff 17', authorised: { kind: 'REFUND_SALE', amountMinor: 2_000 } });
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved', notice: { message: 'Refunded' } });
  expect(movements()).toEqual([1]);
});

test('a sale handed to the bank meanwhile shows this, and when to try again', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.block(saleId, 'payment_settling', '2026-11-21T23:30:00.000Z');
  await enter(password);
  const { notice, outcome, sale } = await world.screen('return_result');
  expect(outcome).toBe('refused');
  expect(notice.message).toBe('Being settled');
  expect(notice.detail).toContain('Look again at 23:30');
  expect(sale).toMatchObject({ action: 'none', blocked: { reason: 'payment_settling' } });
  expect(movements()).toEqual([]);
});

test('a time to try again that has passed is not shown', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.block(saleId, 'payment_settling', new Date(world.now() - 60_000).toISOString());
  await enter(password);
  const { notice } = await world.screen('return_result');
  expect(notice.detail).toContain('Look again in a minute.');
});

test('a sale that the bank refused to settle shows why it cannot be refunded', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.block(saleId, 'settlement_rejected');
  await enter(password);
  const { notice } = await world.screen('return_result');
  expect(notice.message).toBe('Not settled');
  expect(notice.detail).toContain('No money moved');
});

test('a sale that is being settled offers no refund until it is settled, and then offers one by itself', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  world.service.block(saleId, 'payment_settling', '2026-11-21T23:30:00.000Z');
  await world.openSale(saleId);
  const reads = () => world.service.requests.filter(name => name === 'getSale').length;
  const before = reads();
  await world.screen('sale_detail', screen => screen.sale.blocked?.reason === 'payment_settling');
  await world.until('it to be read again', () => reads() > before);
  expect(await world.send({ name: 'return_money', saleId })).toBe('not_now');
  world.service.settleAll();
  await world.screen('sale_detail', screen => screen.sale.action === 'refund');
});

test('without password protection there is one confirmation and no staff member is named', async () => {
  await aWorld();
  world.service.setProtection(false);
  await world.until(
    'the setting',
    () => world.store.configuration()?.business.passwordProtectRefundsAndVoids === false,
  );
  const saleId = await world.approvedSale(2_000);
  await world.openSale(saleId);
  await world.send({ name: 'return_money', saleId });
  await world.screen('confirm_return');
  expect(movements()).toEqual([]);
  await world.send({ name: 'confirm_return' });
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('that asks for a password while protection is switched off asks for a confirmation, and names nobody', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.setProtection(false);
  await world.screen('confirm_return');
  expect(await world.send({ name: 'enter_password', password: 'a wrong one' })).toBe('not_now');
  expect(movements()).toEqual([]);
  await world.send({ name: 'confirm_return' });
  const { outcome, receipt } = await world.screen('return_result');
  expect(outcome).toBe('approved');
  expect(receipt.map(({ label }) => label)).not.toContain('Authorised by');
});

test('names nobody if protection was switched off before this terminal knew of it: no password was checked', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.setProtection(false);
  await enter(password);
  const { outcome, receipt } = await world.screen('return_result');
  expect(outcome).toBe('approved');
  expect(receipt.map(({ label }) => label)).not.toContain('Authorised by');
});

test.each([
  ['the request was lost', ['lose_request']],
  ['the reply was lost', ['lose_reply']],
  ['the service failed', ['fail']],
  ['the reply was lost twice', ['lose_reply', 'lose_reply']],
] as const)('%s: the outcome is looked up, and the money moves once', async (_, faults) => {
  await aWorld();
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  world.service.fault('createTerminalRefund', ...faults);
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
  expect(movements()).toEqual([1]);
});

test('a refund whose record cannot be read is never reported as not made', async () => {
  await aWorld();
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  world.service.fault('createTerminalRefund', 'lose_reply');
  world.service.fault('getTerminalRefund', 'proxy_page', 'fail', 'lose_reply', 'proxy_page');
  await enter(password);
  const checking = await world.screen('return_progress', screen => screen.stage === 'checking');
  expect(checking.notice?.detail).toContain('sends nothing twice');
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
  expect(movements()).toEqual([1]);
});

test('while a refund’s delivery is unknown, its screen stays; later it can be left with a warning', async () => {
  await aWorld({ speed: 60 });
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  world.service.fault('createTerminalRefund', 'lose_reply');
  const startedAt = world.now();
  world.service.fault('getTerminalRefund', ...Array.from({ length: 200 }, () => 'fail' as const));
  await enter(password);
  await world.screen('return_progress', screen => screen.stage === 'checking');
  expect(await world.send({ name: 'back' })).toBe('not_now');
  await world.until('the request to be past doing anything', () => world.now() > startedAt + 200_000);
  expect(await world.send({ name: 'back' })).toBe('accepted');
  const left = await world.screen('return_result');
  expect(left).toMatchObject({ outcome: 'pending', notice: { message: 'Not known yet' } });
  expect(movements()).toEqual([1]);
});

test('a pending refund can be left; the sale shows it until the bank has answered', async () => {
  await aWorld();
  world.service.refundOutcome = 'pending';
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  await enter(password);
  await world.screen('return_progress', screen => screen.stage === 'checking');
  await world.send({ name: 'back' });
  const left = await world.screen('return_result');
  expect(left).toMatchObject({ outcome: 'pending', notice: { message: 'Not decided yet' } });
  await world.send({ name: 'back' });
  await world.screen('keypad');
  await world.openSale(saleId);
  await world.screen('sale_detail', screen => screen.sale.pendingInCents === 500 && screen.sale.action === 'none');
  world.service.decideRefunds('approved');
  await world.send({ name: 'show_recent_sales' });
  await world.screen('recent_sales', ({ sales: [sale] }) => sale?.kind === 'recorded' && sale.refundedInCents === 500);
});

test('the result of a pending refund that was left shows the bank’s answer once there is one', async () => {
  await aWorld();
  world.service.refundOutcome = 'pending';
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  await enter(password);
  await world.screen('return_progress', screen => screen.stage === 'checking');
  await world.send({ name: 'back' });
  await world.screen('return_result', screen => screen.outcome === 'pending');
  world.service.decideRefunds('approved');
  const result = await world.screen('return_result', screen => screen.outcome === 'approved');
  expect(result.notice.message).toBe('Refunded');
  expect(result.receipt.length).toBeGreaterThan(0);
});

test('a pending refund that is waited for ends in the bank’s answer', async () => {
  await aWorld();
  world.service.refundOutcome = 'pending';
  const saleId = await aSettledSale();
  await world.toPassword({ saleId, amountMinor: 500, staffNumber: '17' });
  await enter(password);
  await world.screen('return_progress', screen => screen.stage === 'checking');
  world.service.decideRefunds('declined');
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'declined' });
});

test('a password is stored nowhere after its use: not on disk, in the log, in a View, or on the wire', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  await enter('a wrong secret');
  await world.screen('staff_password', screen => screen.notice !== null);
  await enter(password);
  await world.screen('return_result');
  world.kill();
  const everything = [
    readFileSync(world.databaseFile, 'latin1'),
    world.logged.join('\n'),
    JSON.stringify(world.views),
    world.service.received.join('\n'),
  ].join('\n');
  expect(everything).not.toContain('a wrong secret');
  expect(everything).not.toContain(password);
});

test('typing faster than the rate limit of challenges only delays the person', async () => {
  await aWorld();
  const saleId = await world.approvedSale(2_000);
  world.service.fault('createStaffChallenge', 'too_many');
  await world.toPassword({ saleId, staffNumber: '17' });
  await enter('wrong');
  await world.screen('staff_password', screen => screen.notice?.message === 'Incorrect password');
  world.service.fault('createStaffChallenge', 'too_many', 'too_many');
  await enter(password);
  expect(await world.screen('return_result')).toMatchObject({ outcome: 'approved' });
});

test('a terminal removed in the portal goes back to enrolment once nothing is under way', async () => {
  await aWorld();
  world.service.revokeToken();
  const screen = await world.screen('enrolment');
  expect(screen.notice?.message).toBe('This terminal is no longer enrolled');
});
