import { operator } from '@florin/shared/actor.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import {
  createLinkPayment,
  createPaymentLink,
  deletePaymentLink,
  getPaymentLink,
  listPaymentLinks,
} from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createCardRefund, createCardRefundOfLink } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';

async function aLinkShop(database: DatabaseKind) {
  const shop = await aShop(database);
  const { client, key } = shop;
  const read = async (id: string) => {
    const found = await client.call(getPaymentLink, { params: { id } }, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  const discrepancies = async () => {
    const listed = await client.call(listDiscrepancies, { query: {} }, { key });
    return listed.status === 200 ? listed.body.items.map(({ kind }) => kind) : [];
  };
  return { ...shop, read, discrepancies };
}

eachDatabase('payment links', database => {
  test('a partially approved payment is voided in full, and the link is open again', async () => {
    const { aLink, refund, sandbox, paymentToken, client, key, read, discrepancies, world } = await aLinkShop(database);
    const link = await aLink(1_000);
    sandbox.control.addFault({ kind: 'approvePartly', action: 'SALE', amountMinor: 400 });
    const body = { paymentToken: await paymentToken() };
    const paid = await client.call(createLinkPayment, { params: { id: link.id }, body }, { key });
    expect(paid).toMatchObject({ status: 201, body: { status: 'unsettled', amountInCents: 400 } });
    expect(await read(link.id)).toMatchObject({ status: 'PARTIALLY_PAID', balanceInCents: 600 });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 201,
      body: { status: 'approved', amountInCents: 400, paymentStatus: 'cancelled' },
    });
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', amountPaidInCents: 0, balanceInCents: 1_000 });
    // The gateway's callback agrees with its reply.
    await expect.poll(() => sandbox.control.callbacks().every(({ status }) => status !== 'waiting')).toBe(true);
    world.clock.advance({ minutes: 15 });
    expect(await discrepancies()).toEqual([]);
  });

  test('a paid link stays paid, and takes no other payment, when its payment is voided', async () => {
    const { aLink, pay, tryToPay, refund, read, client, key } = await aLinkShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const payments = [{ status: 'unsettled', amountInCents: 1_000, countedInCents: 1_000 }];
    const paid = { status: 'PAID', balanceInCents: 0 };
    expect(await read(link.id)).toMatchObject({ ...paid, amountPaidInCents: 1_000, payments });
    await refund(link.id, { kind: 'CANCEL' });
    const closed = {
      ...paid,
      amountPaidInCents: 0,
      payments: [{ status: 'cancelled', amountInCents: 1_000, countedInCents: 0 }],
    };
    expect(await read(link.id)).toMatchObject(closed);
    const isPaid = { status: 409, body: { error: { metadata: { reason: 'payment_link_paid' } } } };
    expect(await tryToPay(link.id)).toMatchObject(isPaid);
    expect(await client.call(deletePaymentLink, { params: { id: link.id } }, { key })).toMatchObject(isPaid);
    for (const [status, items] of [
      ['PAID', [{ id: link.id }]],
      ['ACTIVE', []],
    ] as const)
      expect(await client.call(listPaymentLinks, { query: { status } }, { key })).toMatchObject({ body: { items } });
  });

  test('a link whose payment the bank did not settle is unpaid and can be paid again', async () => {
    const { aLink, pay, refund, sandbox, read } = await aLinkShop(database);
    const link = await aLink(2_600);
    await pay(link.id);
    sandbox.control.settle();
    await refund(link.id, { kind: 'CANCEL' });
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', balanceInCents: 2_600 });
  });

  test('a link with a payment of unknown outcome refuses payments and deletion, with the reason', async () => {
    const { aLink, tryToPay, sandbox, read, client, key, world } = await aLinkShop(database);
    const link = await aLink(1_000);
    sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', callback: false });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 2 });
    expect((await tryToPay(link.id)).status).toBe(202);
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', balanceInCents: 1_000 });
    const remove = () => client.call(deletePaymentLink, { params: { id: link.id } }, { key });
    const unknown = { status: 409, body: { error: { metadata: { reason: 'payment_outcome_unknown' } } } };
    expect(await tryToPay(link.id)).toMatchObject(unknown);
    expect(await tryToPay(link.id, 1_000)).toMatchObject(unknown);
    expect(await tryToPay(link.id, 1_001)).toMatchObject({
      body: { error: { metadata: { reason: 'amount_exceeds_balance' } } },
    });
    expect(await remove()).toMatchObject(unknown);
    for (let turn = 0; turn < 100 && (await read(link.id)).status === 'ACTIVE'; turn += 1)
      world.clock.advance({ seconds: 2 });
    expect(await tryToPay(link.id)).toMatchObject({ body: { error: { metadata: { reason: 'payment_link_paid' } } } });
    expect(await remove()).toMatchObject({ body: { error: { metadata: { reason: 'payment_link_paid' } } } });
  });

  test('a link with a payment in progress refuses others with the reason', async () => {
    const { aLink, tryToPay, sandbox, read, client, key } = await aLinkShop(database);
    const link = await aLink(1_000);
    sandbox.control.addFault({ kind: 'delay', delayMs: 1_000, action: 'SALE', callback: false });
    const first = tryToPay(link.id);
    await expect.poll(async () => (await read(link.id)).payments.length).toBe(1);
    const underWay = { status: 409, body: { error: { metadata: { reason: 'payment_in_progress' } } } };
    expect(await tryToPay(link.id)).toMatchObject(underWay);
    expect(await client.call(deletePaymentLink, { params: { id: link.id } }, { key })).toMatchObject(underWay);
    expect(await first).toMatchObject({ status: 201 });
  });

  test.each([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    ['an address with user info', { successUrl: 'https://shop.example@evil.example/' }, 'successUrl'],
    ['a minimum without part payments', { minimumAmountInCents: 100 }, 'minimumAmountInCents'],
    ['an invisible description', { description: '\u200b\u2060' }, 'description'],
    ['a description of direction marks', { description: '\u200e\u200f' }, 'description'],
    ['an amount beyond 2^53', { amountInCents: 2 ** 53 }, 'amountInCents'],
    ['an address with a password', { successUrl: 'https://a:b@shop.example/' }, 'successUrl'],
  ])('refuses %s', async (_, given, field) => {
    const { client, key } = await aLinkShop(database);
    const body = { description: 'Invoice 7', amountInCents: 1_000, currency: 'GBP', ...given };
    expect(await client.call(createPaymentLink, { body }, { key })).toMatchObject({
      status: 400,
      body: {
        error: {
          message: expect.stringMatching(new RegExp(`^${field}: must`)),
          metadata: { issues: [{ path: field }] },
        },
      },
    });
  });

  test('are created only if enabled and payable, and the error states which is missing', async () => {
    const { client, key, world, business } = await aLinkShop(database);
    const { businesses, gatewayAccounts } = world.backend.services;
    const body = { description: 'Invoice 7', amountInCents: 1_000, currency: 'GBP' };
    const refused = async () => {
      const made = await client.call(createPaymentLink, { body }, { key });
      return made.status === 409 ? made.body.error.metadata?.reason : made.status;
    };
    expect(await refused()).toBe(201);
    await businesses.switchSetting(business.id, 'paymentLinksEnabled', false, operator);
    expect(await refused()).toBe('payment_links_disabled');
    await businesses.switchSetting(business.id, 'paymentLinksEnabled', true, operator);
    const accountId = (await gatewayAccounts.accountForNewPayments(business.id)) ?? '';
    await gatewayAccounts.disable(business.id, accountId, operator);
    expect(await refused()).toBe('no_payment_method');
  });

  test('are listed by status; expired takes precedence over paid', async () => {
    const { aLink, pay, sandbox, world, client, key } = await aLinkShop(database);
    const day = 86_400_000;
    const expiresAt = new Date(world.clock.now() + day).toISOString();
    const [paid, expired, part, active] = [
      await aLink(1_000),
      await aLink(1_000, { expiresAt }),
      await aLink(1_000),
      await aLink(1_000),
    ];
    await pay(paid.id);
    await pay(expired.id);
    sandbox.control.addFault({ kind: 'approvePartly', action: 'SALE', amountMinor: 400 });
    await pay(part.id);
    const listed = async (status: string, page: Record<string, string> = {}) => {
      const read = await client.call(listPaymentLinks, { query: { status, ...page } as never }, { key });
      return read.status === 200 ? read.body.items.map(link => [link.id, link.status]) : read.status;
    };
    expect(await listed('PAID')).toEqual([
      [expired.id, 'PAID'],
      [paid.id, 'PAID'],
    ]);
    expect(await listed('PAID', { limit: '1' })).toEqual([[expired.id, 'PAID']]);
    world.clock.advance({ ms: day });
    expect(await listed('EXPIRED')).toEqual([[expired.id, 'EXPIRED']]);
    expect(await listed('PAID')).toEqual([[paid.id, 'PAID']]);
    expect(await listed('PARTIALLY_PAID')).toEqual([[part.id, 'PARTIALLY_PAID']]);
    expect(await listed('ACTIVE')).toEqual([[active.id, 'ACTIVE']]);
    expect(await listed('paid')).toBe(400);
  });

  test('have refunds under both paths', async () => {
    const { client, key, aLink, pay, sandbox } = await aLinkShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    const body = { kind: 'REFUND_SALE', amountInCents: 600 } as const;
    const params = { id: link.id };
    const first = await client.call(createCardRefund, { params, body }, { key });
    expect(first).toMatchObject({ status: 201, body: { status: 'approved', remainingInCents: 400 } });
    expect(await client.call(createCardRefundOfLink, { params, body }, { key })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 400 } } },
    });
  });
});
