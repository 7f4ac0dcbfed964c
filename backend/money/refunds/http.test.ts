import { deletePaymentLink, getPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createBitcoinRefund, listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { statement } from '../../foundation/database/database.ts';

const receiptsOfRefunds = statement<object, { subjectId: string }>(({ db }) =>
  db.selectFrom('receipts').select('subjectId').where('subjectId', 'like', 'ref%'),
);

eachDatabase('refunds over HTTP', database => {
  test('an unsettled payment is cancelled and a settled one refunded, with the messages of the specification', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    expect(paid).toMatchObject({ status: 'unsettled', invoiceNumber: 'INV-000001', cardLastFour: '0821' });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      status: 409,
      body: { error: { code: 409, metadata: { reason: 'payment_not_settled' } } },
    });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 201,
      body: {
        kind: 'CANCEL',
        status: 'approved',
        amountInCents: 1_000,
        remainingInCents: 0,
        paymentStatus: 'cancelled',
      },
    });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: 'Payment has already been cancelled',
          metadata: { reason: 'payment_already_cancelled' },
        },
      },
    });

    const second = await aLink(1_000);
    await pay(second.id);
    sandbox.control.settle();
    expect(await refund(second.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_already_settled' } } },
    });
    expect(await refund(second.id, { kind: 'REFUND_SALE', amountInCents: 300, reason: 'torn' })).toMatchObject({
      status: 201,
      body: { status: 'approved', reason: 'torn', remainingInCents: 700, paymentStatus: 'partly_refunded' },
    });
    expect(await refund(second.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { message: 'Payment has already been refunded' } },
    });
    expect(await refund(second.id, { kind: 'REFUND_SALE', amountInCents: 701 })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: 'Refund exceeds original sale amount',
          metadata: { reason: 'refund_exceeds_payment', remaining: 700 },
        },
      },
    });
  });

  test('a key without refunds:write gets 403 for REFUND and works for the other kinds', async () => {
    const { aLink, pay, refund, business, sandbox } = await aShop(database);
    const key = await business.key('take-payments:write');
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 2_000 }, { key })).toMatchObject({
      status: 403,
      body: { error: { metadata: { missingPermissions: ['refunds:write'] } } },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 }, { key })).toMatchObject({ status: 201 });
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 2_000 })).toMatchObject({
      status: 201,
      body: { kind: 'REFUND', status: 'approved', amountInCents: 2_000 },
    });
  });

  test('an approved REFUND counts against what a REFUND_SALE may still return, and in the status', async () => {
    const { aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 700 })).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 300, paymentStatus: 'partly_refunded' },
    });
    expect(await client.call(getPaymentLink, { params: { id: link.id } }, { key })).toMatchObject({
      body: { payments: [{ status: 'partly_refunded' }] },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 301 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 300 } } },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      status: 201,
      body: { remainingInCents: 200, paymentStatus: 'partly_refunded' },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 200 })).toMatchObject({
      status: 201,
      body: { remainingInCents: 0, paymentStatus: 'refunded' },
    });
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 5_000 })).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 0, paymentStatus: 'refunded' },
    });
    expect(await client.call(getPaymentLink, { params: { id: link.id } }, { key })).toMatchObject({
      body: { payments: [{ status: 'refunded' }] },
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000, returnedMinor: 6_000 }]);
  });

  test('a REFUND of an unsettled payment excludes its void, and the rest can be refunded after the settlement', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const body = { status: 'approved', remainingInCents: 700, paymentStatus: 'partly_refunded' };
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 300 })).toMatchObject({ status: 201, body });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_already_refunded' } } },
    });
    const rest = { kind: 'REFUND_SALE', amountInCents: 700 } as const;
    expect(await refund(link.id, rest)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_settling', retryAfter: expect.stringMatching(/Z$/) } } },
    });
    sandbox.control.settle();
    expect(await refund(link.id, rest)).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 0, paymentStatus: 'refunded' },
    });
  });

  test('R11: invalid input is refused with 400, and nothing is written', async () => {
    const { world, aLink, pay, sandbox, key, client } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const send = async (body: string) =>
      (
        await fetch(`${world.url}/api/v1/payment-links/${link.id}/refunds/card`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body,
        })
      ).status;
    for (const amount of ['0', '-1', '0.5', '"100"', 'null', '[100]', '9007199254740993', '1e400'])
      expect(await send(`{"kind":"REFUND_SALE","amountInCents":${amount}}`), amount).toBe(400);
    expect(await send('{"kind":"REFUND_SALE","amountInCents":1,"amountInCents":100}')).toBe(400);
    expect(await send('{"kind":"CANCEL","amountInCents":1000}')).toBe(400);
    expect(await send('{"kind":"REFUND_SALE"}')).toBe(400);
    expect(await send('{"kind":"VOID"}')).toBe(400);
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 0 }]);
    expect(await client.call(listRefunds, { query: {} }, { key })).toMatchObject({ body: { items: [] } });
  });

  test('a link paid in parts has a balance and refusals, and a refund of it must name its payment', async () => {
    const { aLink, pay, refund, client, key, sandbox } = await aShop(database);
    const link = await aLink(1_000, { allowPartPayment: true });
    const first = await pay(link.id, 400);
    const read = () => client.call(getPaymentLink, { params: { id: link.id } }, { key });
    expect(await read()).toMatchObject({ body: { status: 'PARTIALLY_PAID', balanceInCents: 600 } });
    await expect(pay(link.id, 601)).rejects.toThrow('amount_exceeds_balance');
    const second = await pay(link.id);
    expect(await read()).toMatchObject({ body: { status: 'PAID', balanceInCents: 0 } });
    await expect(pay(link.id, 100)).rejects.toThrow('payment_link_paid');
    expect(await client.call(deletePaymentLink, { params: { id: link.id } }, { key })).toMatchObject({ status: 409 });
    sandbox.control.settle();
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    expect(asked).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'payment_not_identified' } } } });
    if (asked.status === 409) {
      const { paymentIds } = asked.body.error.metadata as { paymentIds?: string[] };
      expect(new Set(paymentIds)).toEqual(new Set([first.id, second.id]));
    }
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100, paymentId: first.id })).toMatchObject({
      status: 201,
      body: { paymentId: first.id, remainingInCents: 300 },
    });
    const unpaid = await aLink(1_000);
    const notPaid = {
      status: 409,
      body: {
        error: {
          message: 'This link has not been paid, so there is nothing to refund',
          metadata: { reason: 'payment_link_not_paid' },
        },
      },
    };
    expect(await refund(unpaid.id, { kind: 'CANCEL' })).toMatchObject(notPaid);
    const unpaidBitcoin = { params: { id: unpaid.id }, body: { amount: 5 } };
    expect(await client.call(createBitcoinRefund, unpaidBitcoin, { key })).toMatchObject(notPaid);
    const bitcoin = await client.call(createBitcoinRefund, { params: { id: link.id }, body: { amount: 5 } }, { key });
    expect(bitcoin).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'not_a_bitcoin_payment' } } } });
  });
});

test('on SQLite a refund pays for no commit of event consumers: those of 20 ms share one', async () => {
  const { aLink, pay, refund, sandbox, world } = await aShop('sqlite');
  const { id } = await aLink(1_000);
  await pay(id);
  sandbox.control.settle();
  const receipts = async () => (await world.backend.database.all(receiptsOfRefunds, {})).length;
  for (let times = 0; times < 5; times += 1)
    expect((await refund(id, { kind: 'REFUND_SALE', amountInCents: 1 })).status).toBe(201);
  expect(await receipts()).toBe(0);
  world.clock.advance({ ms: 20 });
  await expect.poll(receipts).toBe(5);
});
