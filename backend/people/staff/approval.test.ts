import { listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { listStaff, updateStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog, listVoidLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const wrongKeys = keyPairOf(Buffer.alloc(32, 9));
const refusedWith = (reason: string) => ({ body: { error: { metadata: { reason } } } });

/** Ada (104) may refund up to £5.00 at once and £8.00 a day; Grace (105) up to £30.00 a day. */
async function aShopWithASupervisor(database: DatabaseKind) {
  const { world, business, client } = await aShop(database);
  const manager = await business.key('team:read', 'team:write', 'devices:write', 'sales:read');
  const till = await aTill(world, manager);
  const member = async (given: Parameters<typeof till.addStaff>[0]) => {
    const { staff, temporaryPassword } = await till.addStaff(given);
    const temporary = await till.keysOf(given.staffNumber, temporaryPassword ?? '');
    return { staff, keys: await till.changePassword(given.staffNumber, temporary, `the password of ${given.name}`) };
  };
  const limits = { perTransactionLimitInCents: 500, dailyLimitInCents: 800 };
  const ada = await member({ staffNumber: '104', name: 'Ada', ...limits });
  const grace = await member({ staffNumber: '105', name: 'Grace', dailyLimitInCents: 3_000 });
  const { paymentId } = await till.sell(5_000);
  world.sandbox?.control.settle();
  const refund = { paymentId: paymentId ?? '', kind: 'REFUND_SALE' as const, amountInCents: 2_000 };
  /** Ada signs and is refused; Grace signs the approval. */
  const asked = async (wanted: Parameters<typeof till.authorisation>[0] = refund) => {
    const authorisation = await till.authorisation(wanted, '104', ada.keys);
    return { authorisation, refused: await till.send(wanted, authorisation) };
  };
  const approved = async (wanted: Parameters<typeof till.authorisation>[0] = refund) => {
    const { authorisation } = await asked(wanted);
    return { authorisation, approval: await till.approval(wanted, authorisation, '105', grace.keys) };
  };
  const logOf = async (operation: typeof listRefundLog | typeof listVoidLog) => {
    const listed = await client.call(operation, { query: {} }, { key: manager });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items
      .map(({ staff, status, reason, requestedBy }) =>
        [staff.name, status, reason, requestedBy && `for ${requestedBy.name}`].filter(Boolean).join(' '),
      )
      .toReversed();
  };
  const refunded = async () => {
    const listed = await client.call(listStaff, { query: {} }, { key: manager });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return Object.fromEntries(listed.body.items.map(({ name, refundedTodayInCents }) => [name, refundedTodayInCents]));
  };
  const change = (id: string, body: { disabled?: boolean; mayRefundAndVoid?: boolean }) =>
    client.call(updateStaff, { params: { id }, body }, { key: manager });
  const refundLog = () => logOf(listRefundLog);
  const voidLog = () => logOf(listVoidLog);
  return { world, client, manager, till, ada, grace, refund, asked, approved, refundLog, voidLog, refunded, change };
}

eachDatabase('an approval', database => {
  test('by a second person makes the refund, which names both and counts against the approver', async () => {
    const { client, manager, till, refund, asked, grace, refundLog, refunded } = await aShopWithASupervisor(database);
    const { authorisation, refused } = await asked();
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'limit_exceeded', limit: 500, approvableUntil: expect.any(String) } } },
    });
    const approval = await till.approval(refund, authorisation, '105', grace.keys);
    const names = { staff: { name: 'Grace' }, requestedBy: { name: 'Ada' }, approvedBy: { name: 'Grace' } };
    expect(await till.send(refund, authorisation, approval)).toMatchObject({
      status: 201,
      body: { refund: { status: 'approved', ...names } },
    });
    const listed = await client.call(listRefunds, { query: {} }, { key: manager });
    expect(listed).toMatchObject({ body: { items: [names] } });
    expect(await refundLog()).toEqual(['Ada limit_exceeded limit_exceeded', 'Grace authorized for Ada']);
    expect(await refunded()).toEqual({ Ada: 0, Grace: 2_000 });
  });

  test('of a void by somebody without the permission', async () => {
    const { till, ada, grace, change, voidLog } = await aShopWithASupervisor(database);
    await change(ada.staff.id, { mayRefundAndVoid: false });
    const { paymentId } = await till.sell(1_000);
    const wanted = { paymentId: paymentId ?? '', kind: 'CANCEL' as const };
    const authorisation = await till.authorisation(wanted, '104', ada.keys);
    expect(await till.send(wanted, authorisation)).toMatchObject({
      status: 403,
      body: { error: { metadata: { reason: 'permission_denied', approvableUntil: expect.any(String) } } },
    });
    const approval = await till.approval(wanted, authorisation, '105', grace.keys);
    expect(await till.send(wanted, authorisation, approval)).toMatchObject({
      status: 201,
      body: { refund: { kind: 'CANCEL', requestedBy: { name: 'Ada' }, approvedBy: { name: 'Grace' } } },
    });
    expect(await voidLog()).toEqual(['Ada failed permission_denied', 'Grace authorized for Ada']);
  });

  test('is limited by what the approver may refund on that day', async () => {
    const { till, refund, approved, refundLog, refunded } = await aShopWithASupervisor(database);
    const first = await approved();
    expect(await till.send(refund, first.authorisation, first.approval)).toMatchObject({ status: 201 });
    const second = await approved();
    expect(await till.send(refund, second.authorisation, second.approval)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'daily_limit_exceeded', limit: 3_000, used: 2_000 } } },
    });
    expect((await refundLog()).at(-1)).toBe('Grace daily_limit_exceeded daily_limit_exceeded for Ada');
    expect(await refunded()).toEqual({ Ada: 0, Grace: 2_000 });
  });

  test('by the person who asked, or by somebody without permission, is refused', async () => {
    const { till, ada, grace, refund, asked, change, refundLog } = await aShopWithASupervisor(database);
    const { authorisation } = await asked();
    const own = await till.approval(refund, authorisation, '104', ada.keys);
    expect(await till.send(refund, authorisation, own)).toMatchObject({ status: 403, ...refusedWith('self_approval') });
    await change(grace.staff.id, { mayRefundAndVoid: false });
    const denied = await till.approval(refund, authorisation, '105', grace.keys);
    const refused = await till.send(refund, authorisation, denied);
    expect(refused).toMatchObject({ status: 403, ...refusedWith('permission_denied') });
    // Nobody can approve an approval.
    expect(JSON.stringify(refused.body)).not.toContain('approvableUntil');
    expect(await refundLog()).toEqual(['Ada limit_exceeded limit_exceeded', 'Grace failed permission_denied for Ada']);
  });

  test('with a wrong password counts, locks out, and stays refused while the approver is locked out', async () => {
    const { till, grace, refund, asked, refundLog } = await aShopWithASupervisor(database);
    const { authorisation } = await asked();
    const ready = await till.approval(refund, authorisation, '105', grace.keys);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const wrong = await till.approval(refund, authorisation, '105', wrongKeys);
      const reason = attempt === 5 ? 'staff_locked' : 'invalid_signature';
      expect(await till.send(refund, authorisation, wrong)).toMatchObject(refusedWith(reason));
    }
    expect(await till.send(refund, authorisation, ready)).toMatchObject({
      status: 429,
      ...refusedWith('too_many_attempts'),
    });
    expect((await refundLog()).slice(1)).toEqual([
      ...Array.from({ length: 5 }, () => 'Grace failed invalid_signature for Ada'),
      'Grace failed permission_denied for Ada',
    ]);
  });

  test('is for the very request that was refused: another amount, payment, terminal or time is not approved', async () => {
    const { world, manager, till, ada, grace, refund, asked, approved, refundLog } =
      await aShopWithASupervisor(database);
    const { authorisation, approval } = await approved();
    expect(await till.send({ ...refund, amountInCents: 2_001 }, authorisation, approval)).toMatchObject(
      refusedWith('approval_expired'),
    );
    const other = await till.sell(5_000);
    world.sandbox?.control.settle();
    expect(await till.send({ ...refund, paymentId: other.paymentId ?? '' }, authorisation, approval)).toMatchObject(
      refusedWith('approval_expired'),
    );
    const elsewhere = await aTill(world, manager, { keySeed: 4 });
    const there = await elsewhere.approval(refund, authorisation, '105', grace.keys);
    expect(await elsewhere.send(refund, authorisation, there)).toMatchObject(refusedWith('approval_expired'));
    // Grace signed an approval, not a request of her own, and Ada a request, not an approval.
    expect(await till.send(refund, approval)).toMatchObject(refusedWith('invalid_signature'));
    const small = { ...refund, amountInCents: 100 };
    const unasked = await till.authorisation(small, '104', ada.keys);
    const unaskedApproval = await till.approval(small, unasked, '105', grace.keys);
    expect(await till.send(small, unasked, unaskedApproval)).toMatchObject(refusedWith('approval_expired'));
    const late = await asked();
    world.clock.advance({ minutes: 5 });
    const lateApproval = await till.approval(refund, late.authorisation, '105', grace.keys);
    expect(await till.send(refund, late.authorisation, lateApproval)).toMatchObject(refusedWith('approval_expired'));
    // Only passwords that were checked are logged.
    expect(await refundLog()).toEqual([
      'Ada limit_exceeded limit_exceeded',
      'Grace failed invalid_signature',
      'Ada limit_exceeded limit_exceeded',
    ]);
  });

  test('ends when the one who asked is disabled, or has another password', async () => {
    const { till, ada, grace, refund, asked, change } = await aShopWithASupervisor(database);
    const first = await asked();
    await till.changePassword('104', ada.keys, 'another password');
    const approval = await till.approval(refund, first.authorisation, '105', grace.keys);
    expect(await till.send(refund, first.authorisation, approval)).toMatchObject(refusedWith('approval_expired'));
    const keys = await till.keysOf('104', 'another password');
    const authorisation = await till.authorisation(refund, '104', keys);
    await till.send(refund, authorisation);
    await change(ada.staff.id, { disabled: true });
    const second = await till.approval(refund, authorisation, '105', grace.keys);
    expect(await till.send(refund, authorisation, second)).toMatchObject(refusedWith('approval_expired'));
  });

  test('is used once: a repeated request returns its refund, and a replay under another id makes none', async () => {
    const { till, refund, grace, approved, refunded } = await aShopWithASupervisor(database);
    const { authorisation, approval } = await approved();
    const wanted = { ...refund, requestId: 'request-once' };
    const made = await Promise.all([1, 2].map(() => till.send(wanted, authorisation, approval)));
    const ids = made.map(({ body }) => ('refund' in body ? body.refund.id : JSON.stringify(body)));
    expect(new Set(ids).size).toBe(1);
    expect(await till.send(wanted, authorisation, approval)).toMatchObject({ body: { refund: { id: ids[0] } } });
    expect(await till.send(refund, authorisation, approval)).toMatchObject(refusedWith('approval_expired'));
    const again = await till.approval(refund, authorisation, '105', grace.keys);
    expect(await till.send(refund, authorisation, again)).toMatchObject(refusedWith('approval_expired'));
    expect(await refunded()).toEqual({ Ada: 0, Grace: 2_000 });
  });

  test('without the request that it approves is invalid', async () => {
    const { client, till, refund, approved } = await aShopWithASupervisor(database);
    const { approval } = await approved();
    const body = { requestId: 'request-bare', ...refund, approval };
    expect(await client.call(createTerminalRefund, { body }, { key: till.token })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('authorisation') } },
    });
  });
});
