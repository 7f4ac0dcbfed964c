import { getSale, listSales } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('a terminal’s sale', database => {
  test('says which terminal took it, and what was returned of it, by whom and when', async () => {
    const { world, client, business, sandbox } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write', 'team:write', 'team:read'));
    const { temporaryPassword } = await till.addStaff({ staffNumber: '101' });
    const old = await till.keysOf('101', temporaryPassword ?? '');
    const keys = await till.changePassword('101', old, 'harbour lights');
    const voided = await till.sell(900);
    await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '101', keys);
    const refunded = await till.sell(1_000);
    const untouched = await till.sell(1_100);
    sandbox.control.settle();
    for (const amountInCents of [400, 250]) {
      const wanted = { paymentId: refunded.paymentId ?? '', kind: 'REFUND_SALE', amountInCents } as const;
      const { body } = await till.request(wanted, '101', keys);
      expect(body).toMatchObject({
        sale: { returns: expect.arrayContaining([expect.objectContaining({ amountInCents })]) },
      });
    }
    const createdAt = new Date(world.clock.now()).toISOString();
    const byAda = { status: 'approved', source: 'terminal', staffName: 'Ada', createdAt };
    const read = async (saleId: string) =>
      (await client.call(getSale, { params: { saleId } }, { key: till.token })).body;
    expect(await read(refunded.saleId)).toMatchObject({
      terminalName: 'Till 1',
      returns: [
        { ...byAda, kind: 'REFUND_SALE', amountInCents: 400 },
        { ...byAda, kind: 'REFUND_SALE', amountInCents: 250 },
      ],
    });
    const listed = await client.call(listSales, {}, { key: till.token });
    expect(listed.body).toMatchObject({
      items: [
        { saleId: untouched.saleId, returns: [], terminalName: 'Till 1' },
        { saleId: refunded.saleId, returns: [{ amountInCents: 400 }, { amountInCents: 250 }] },
        { saleId: voided.saleId, returns: [{ ...byAda, kind: 'CANCEL', amountInCents: 900 }] },
      ],
    });
  });
});
