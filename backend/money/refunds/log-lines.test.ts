import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { linesOf } from '../../../test/support/log-lines.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('log lines', database => {
  test('an unknown outcome and each lookup of it are logged with their ids', async () => {
    const { world, business, aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: false });
    const made = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    if (made.status !== 202) throw new Error(JSON.stringify(made.body));
    const { id: refundId, paymentId } = made.body;
    const ids = { businessId: business.id, paymentId, refundId };
    const find = (message: string) => linesOf(world.logged()).filter(({ msg }) => msg.startsWith(message));
    const subject = { businessId: business.id, paymentId, subjectId: refundId };
    expect(find('the outcome of a refund is unknown')).toMatchObject([
      {
        level: 40,
        ...subject,
        by: { kind: 'system' },
        cause: 'connection_lost',
        requestId: made.headers['x-request-id'],
      },
    ]);
    const asked = () => {
      world.clock.advance({ seconds: 1 });
      return find('polled the gateway for the outcome of a refund');
    };
    await expect.poll(asked).toMatchObject([{ ...ids, job: 'refund-recovery', pollCount: 1, answer: 'approved' }]);
  });

  test('a lockout is logged with the staff member and the terminal', async () => {
    const { world, business, sandbox } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write', 'devices:read', 'team:write'));
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const sold = await till.sell(1_000);
    sandbox.control.settle();
    const wanted = { paymentId: sold.paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 100 } as const;
    const wrong = keyPairOf(Buffer.alloc(32, 9));
    for (let attempt = 1; attempt <= 5; attempt += 1) await till.request(wanted, '104', wrong);
    expect(linesOf(world.logged()).filter(({ msg }) => msg === 'staff member locked out')).toMatchObject([
      {
        level: 40,
        businessId: business.id,
        staffId: staff.id,
        terminalId: till.terminalId,
        by: { kind: 'terminal', id: till.terminalId },
        round: 1,
      },
    ]);
  });
});
