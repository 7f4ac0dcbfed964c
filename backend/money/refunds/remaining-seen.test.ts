import {
  createBitcoinRefundOfPayment,
  createCardRefund,
  listRefunds,
} from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { insertPayment, paymentById } from '../payments/store.ts';

const changed = (remaining: number) => ({
  status: 409,
  body: { error: { metadata: { reason: 'remaining_changed', remaining } } },
});

eachDatabase('a refund that was decided on a remainder', database => {
  test('is made once, however many were decided on the same one at once', async () => {
    const { aLink, pay, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    sandbox.control.settle();
    const params = { id: link.id };
    const refund = (remainingSeen: number, amountInCents = 100) =>
      client.call(createCardRefund, { params, body: { kind: 'REFUND_SALE', amountInCents, remainingSeen } }, { key });
    expect(await refund(999)).toMatchObject(changed(1_000));
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(1_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(changed(900));
    const listed = await client.call(listRefunds, { query: { paymentId: paid.id } }, { key });
    expect(listed).toMatchObject({ body: { items: [{ amountInCents: 100, remainingInCents: 900 }] } });
    expect(await refund(900, 900)).toMatchObject({ status: 201, body: { remainingInCents: 0 } });
    expect(await refund(900, 900)).toMatchObject(changed(0));
  });

  test('is found again with its Idempotency-Key, whatever is left since', async () => {
    const { aLink, pay, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    const body = { kind: 'REFUND_SALE', amountInCents: 400, remainingSeen: 1_000 } as const;
    const again = () =>
      client.call(createCardRefund, { params: { id: link.id }, body }, { key, idempotencyKey: 'the-same-form' });
    const first = await again();
    expect(first).toMatchObject({ status: 201, body: { remainingInCents: 600 } });
    expect((await again()).body).toEqual(first.body);
  });

  test('in bitcoin is recorded once, however many were decided on the same one at once', async () => {
    const { aLink, pay, client, key, business, world } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    const { database: store } = world.backend;
    const card = await store.first(paymentById, { businessId: business.id, id: paid.id });
    if (!card) throw new Error('no payment');
    const id = 'pay_bitcoin0001';
    const bitcoin = { method: 'lightning', amountSats: 5_000, status: 'settled', gatewayReference: null } as const;
    const own = { id, clientRequestId: null, uniqueReference: null, nextPollAt: null };
    await store.write(tx => tx.run(insertPayment, { ...card, ...bitcoin, ...own }));
    const record = (remainingSeen: number) =>
      client.call(createBitcoinRefundOfPayment, { params: { id }, body: { amount: 1_000, remainingSeen } }, { key });
    const answers = await Promise.all(Array.from({ length: 8 }, () => record(5_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(changed(4_000));
    expect(await record(4_000)).toMatchObject({ status: 201, body: { remainingSats: 3_000 } });
  });
});
