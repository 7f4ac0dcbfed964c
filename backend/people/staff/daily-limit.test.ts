import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('the daily limit of a staff member', database => {
  test('counts what was returned and what may have been, and neither a declined nor a failed refund', async () => {
    const { world, business, sandbox } = await aShop(database);
    const till = await aTill(world, await business.key('team:read', 'team:write', 'devices:write'));
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104', dailyLimitInCents: 900 });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
    const { paymentId } = await till.sell(5_000);
    const voided = await till.sell(700);
    await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    sandbox.control.settle();
    const refund = (amountInCents: number) =>
      till.request({ paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents }, '104', keys);

    sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE' });
    expect(await refund(800)).toMatchObject({ status: 201, body: { refund: { status: 'declined' } } });
    expect(await refund(300)).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
    sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: false });
    expect(await refund(500)).toMatchObject({ status: 202, body: { refund: { status: 'pending' } } });

    expect(await refund(101)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'daily_limit_exceeded' } } },
    });
    expect(await refund(100)).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
  });
});
