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

eachDatabase('a gateway that does not answer polls', database => {
  test('is logged once for all payments of its account, and once when it answers again', async () => {
    const { world, business, client, sandbox } = await aShop(database, merchant);
    const till = await aTill(world, await business.key('devices:write'));
    for (const amountMinor of [1_000, 2_000, 3_000]) {
      const { saleId } = await till.sell(amountMinor);
      await client.call(completeSale, { params: { saleId } }, { key: till.token });
    }
    sandbox.control.addFault({ kind: 'dropRequest', action: 'QUERY', times: 9 });
    const about = /answers? polls|settlement state of a payment/;
    const lines = () =>
      world
        .logged()
        .split('\n')
        .filter(line => about.test(line));
    const linesLater = () => {
      world.clock.advance({ minutes: 6 });
      return lines().length;
    };
    await expect.poll(linesLater, { interval: 10, timeout: 30_000 }).toBe(2);
    expect(sandbox.control.faults()).toEqual([]);
    expect(lines().map(line => JSON.parse(line))).toMatchObject([
      { level: 40, gatewayAccountId: expect.any(String), cause: expect.any(String) },
      { level: 30, gatewayAccountId: expect.any(String), paymentsWaiting: 3, unansweredForMs: expect.any(Number) },
    ]);
  });
});
