import { getPaymentTimeline } from '@florin/shared/contracts/api-v1/payments.ts';
import { createCardRefund, createCardRefundOfPayment } from '@florin/shared/contracts/api-v1/refunds.ts';
import { recordSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser } from '../../../test/support/portal.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const refused = (reason: string) => ({ status: 409, body: { error: { metadata: { reason } } } });

eachDatabase('a card refund of a payment', database => {
  test('is made as one of its link is, and names the amount that was left when it was decided on', async () => {
    const { aLink, pay, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    sandbox.control.settle();
    const refund = (body: Parameters<typeof client.call<typeof createCardRefundOfPayment>>[1]['body']) =>
      client.call(createCardRefundOfPayment, { params: { id: paid.id }, body }, { key });
    expect(await refund({ kind: 'REFUND_SALE', amountInCents: 400, remainingSeen: 1_000 })).toMatchObject({
      status: 201,
      body: { status: 'approved', paymentLinkId: link.id, remainingInCents: 600 },
    });
    expect(await refund({ kind: 'REFUND_SALE', amountInCents: 400, remainingSeen: 1_000 })).toMatchObject(
      refused('remaining_changed'),
    );
    expect(await refund({ kind: 'REFUND_SALE', amountInCents: 601 })).toMatchObject(refused('refund_exceeds_payment'));
    expect(await refund({ kind: 'REFUND' as 'CANCEL', amountInCents: 100 })).toMatchObject({ status: 400 });
  });

  test('that is a void is called one, by its timeline too', async () => {
    const { aLink, pay, client, key } = await aShop(database);
    const link = await aLink(1_000);
    const params = { id: (await pay(link.id)).id };
    await client.call(createCardRefundOfPayment, { params, body: { kind: 'CANCEL' } }, { key });
    const { body } = await client.call(getPaymentTimeline, { params }, { key });
    const messages = (body as { items: { message: string }[] }).items.map(({ message }) => message);
    expect(messages.slice(-2)).toEqual(['A void of £10.00 was asked for', 'The gateway approved the void']);
  });

  test('is refused where a reader authorised the payment, which alone can return it', async () => {
    const { world, business, client, key } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write'));
    const body = {
      amountInCents: 500,
      currency: 'GBP',
      takenAt: new Date(0).toISOString(),
      processorReference: 'R1',
      authorisationCode: '1',
      card: { scheme: 'visa', lastFour: '0821', entryMode: 'chip' as const },
    };
    const sold = await client.call(recordSale, { params: { saleId: 'sale_atreader1' }, body }, { key: till.token });
    const id = sold.status === 200 ? (sold.body.paymentId ?? '') : '';
    const cancel = { params: { id }, body: { kind: 'CANCEL' } } as const;
    expect(await client.call(createCardRefundOfPayment, cancel, { key })).toMatchObject(refused('payment_at_reader'));
  });
});

eachDatabase('a user of the portal', database => {
  test('never issues REFUND, whatever their permissions, and refunds the sale instead', async () => {
    const { world, business, aLink, pay, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    const browser = await (await aPortalUser(world, business.id, 'owner')).signIn();
    const path = `/portal/api/${business.id}/payment-links/${link.id}/refunds/card`;
    const asked = (kind: string) => browser.post(path, { kind, amountInCents: 100 });
    expect(await asked('REFUND')).toMatchObject({
      status: 400,
      json: { error: { metadata: { issues: [{ path: 'kind' }] } } },
    });
    expect(await asked('REFUND_SALE')).toMatchObject({ status: 201, json: { source: 'portal' } });
    const byKey = await client.call(
      createCardRefund,
      { params: { id: link.id }, body: { kind: 'REFUND', amountInCents: 100 } },
      { key },
    );
    expect(byKey).toMatchObject({ status: 201, body: { source: 'api' } });
  });

  test('is in the audit log with each refund and void, once, whatever the bank answers', async () => {
    const { world, business, aLink, pay, sandbox, client, key } = await aShop(database);
    const user = await aPortalUser(world, business.id, 'owner');
    const browser = await user.signIn();
    const [settled, later] = [await aLink(1_000), await aLink(2_000)];
    const { id } = await pay(settled.id);
    sandbox.control.settle();
    const toVoid = await pay(later.id);
    const path = (paymentId: string) => `/portal/api/${business.id}/payments/${paymentId}/refunds/card`;
    await browser.post(path(id), { kind: 'REFUND_SALE', amountInCents: 250, reason: 'spilled' });
    sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE' });
    await browser.post(path(id), { kind: 'REFUND_SALE', amountInCents: 100 });
    await browser.post(path(id), { kind: 'REFUND_SALE', amountInCents: 5_000 });
    await browser.post(path(toVoid.id), { kind: 'CANCEL' });
    await client.call(
      createCardRefundOfPayment,
      { params: { id }, body: { kind: 'REFUND_SALE', amountInCents: 50 } },
      { key },
    );
    const logged = await browser.get(`/portal/api/${business.id}/audit?kind=refund_requested`);
    const { items } = logged.json as { items: { sentence: string; details: { reason: string | null } }[] };
    expect(items.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^User \d+ requested the void of INV-000002\.$/),
      expect.stringMatching(/^User \d+ requested a refund of £1\.00 of INV-000001\.$/),
      expect.stringMatching(/^User \d+ requested a refund of £2\.50 of INV-000001\.$/),
    ]);
    expect(items.at(-1)?.details.reason).toBe('spilled');
    const about = await browser.get(`/portal/api/${business.id}/audit?subjectId=${id}`);
    expect((about.json as { items: unknown[] }).items).toHaveLength(2);
  });
});
