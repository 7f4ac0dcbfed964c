import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createLinkPayment, createPaymentLink, getPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../test/support/backend.ts';
import { aShop } from '../../test/support/shop.ts';

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
  test('a payment the bank approved in part is voided in full, and the link is open again', async () => {
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
    // The gateway's callback says the same as its reply.
    await expect.poll(() => sandbox.control.callbacks().every(({ status }) => status !== 'waiting')).toBe(true);
    world.clock.advance({ minutes: 15 });
    expect(await discrepancies()).toEqual([]);
  });

  test('a link whose only payment was cancelled can be paid again', async () => {
    const { aLink, pay, refund, read } = await aLinkShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    expect(await read(link.id)).toMatchObject({ status: 'PAID', balanceInCents: 0 });
    await refund(link.id, { kind: 'CANCEL' });
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', balanceInCents: 1_000 });
    expect(await pay(link.id)).toMatchObject({ status: 'unsettled', amountInCents: 1_000 });
    expect(await read(link.id)).toMatchObject({ status: 'PAID', amountPaidInCents: 1_000 });
  });

  test('so can one whose payment the bank would not settle', async () => {
    const { aLink, pay, refund, sandbox, read } = await aLinkShop(database);
    const link = await aLink(2_600);
    await pay(link.id);
    sandbox.control.settle();
    await refund(link.id, { kind: 'CANCEL' });
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', balanceInCents: 2_600 });
  });

  test.each([
    ['an expiry that is past', { expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    ['an address with user info', { successUrl: 'https://shop.example@evil.example/' }, 'successUrl'],
    ['an address with a password', { successUrl: 'https://a:b@shop.example/' }, 'successUrl'],
  ])('refuses %s', async (_, given, field) => {
    const { client, key } = await aLinkShop(database);
    const body = { description: 'Invoice 7', amountInCents: 1_000, currency: 'GBP', ...given };
    expect(await client.call(createPaymentLink, { body }, { key })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(new RegExp(`^${field}: must`)) } },
    });
  });
});
