import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { completeSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('a payment of which the gateway has no record any more', database => {
  test('is a discrepancy and does not count as settled', async () => {
    const { world, business, client, sandbox, key } = await aShop(database, merchant);
    const till = await aTill(world, await business.key('devices:write'));
    const { saleId, paymentId } = await till.sell(1_500);
    await client.call(completeSale, { params: { saleId } }, { key: till.token });
    sandbox.control.reset();
    const found = async () => {
      world.clock.advance({ minutes: 30 });
      const listed = await client.call(listDiscrepancies, { query: {} }, { key });
      if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
      return listed.body.items;
    };
    await expect
      .poll(found, { interval: 10, timeout: 30_000 })
      .toMatchObject([{ kind: 'payment_unconfirmed', paymentId, recorded: { status: 'unsettled' } }]);
  });
});
