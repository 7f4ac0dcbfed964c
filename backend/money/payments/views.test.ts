import { getPayment, getPaymentTimeline, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { paymentStatus } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

async function aShopWithTill(database: DatabaseKind) {
  const shop = await aShop(database);
  const manager = await shop.business.key('devices:write', 'devices:read', 'team:write', 'team:read');
  const till = await aTill(shop.world, manager);
  const payments = async (query: z.input<(typeof listPayments)['query']>) => {
    const listed = await shop.client.call(listPayments, { query }, { key: shop.key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body;
  };
  const timeline = async (id: string, query: { limit?: string; cursor?: string } = {}) => {
    const read = await shop.client.call(getPaymentTimeline, { params: { id }, query }, { key: shop.key });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  };
  return { ...shop, till, payments, timeline };
}

eachDatabase('reading payments:', database => {
  test('a list of payments can be filtered by status, terminal, link, method and time', async () => {
    const { aLink, pay, refund, till, sandbox, payments, client, key, world } = await aShopWithTill(database);
    const link = await aLink(1_000);
    const settled = await pay(link.id);
    sandbox.control.settle();
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    world.clock.advance({ minutes: 1 });
    const later = new Date(world.clock.now()).toISOString();
    const other = await aLink(700);
    const voided = await pay(other.id);
    await refund(other.id, { kind: 'CANCEL' });
    const sale = await till.sell(900);

    const ids = async (query: Parameters<typeof payments>[0]) => (await payments(query)).items.map(({ id }) => id);
    const [atTill, second, first] = [sale.paymentId ?? '', voided.id, settled.id];
    expect(await ids({})).toEqual([atTill, second, first]);
    expect(await ids({ status: 'partly_refunded' })).toEqual([first]);
    expect(await ids({ status: 'settled' })).toEqual([]);
    expect(await ids({ status: 'refunded' })).toEqual([]);
    expect(await ids({ status: 'cancelled' })).toEqual([second]);
    expect(await ids({ deviceId: till.terminalId })).toEqual([atTill]);
    expect(await ids({ paymentLinkId: link.id })).toEqual([first]);
    expect(await ids({ method: 'lightning' })).toEqual([]);
    expect(await ids({ from: later })).toEqual([atTill, second]);
    expect(await ids({ to: later })).toEqual([first]);
    const page = await payments({ limit: '2' });
    expect(await ids({ limit: '2', cursor: page.nextCursor ?? '' })).toEqual([first]);
    expect(await client.call(getPayment, { params: { id: first } }, { key })).toMatchObject({
      status: 200,
      body: {
        status: 'partly_refunded',
        refundedInCents: 400,
        remainingInCents: 600,
        terminal: null,
        paymentLinkId: link.id,
      },
    });
    expect(await client.call(getPayment, { params: { id: atTill } }, { key })).toMatchObject({
      status: 200,
      body: { terminal: { id: till.terminalId, name: 'Till 1' }, saleId: sale.saleId, status: 'unsettled' },
    });
  });

  test('a payment that was credited before it settled is found by the status it shows', async () => {
    const { aLink, pay, refund, payments, client, key } = await aShopWithTill(database);
    const links = [await aLink(1_000), await aLink(1_000), await aLink(1_000)] as const;
    for (const { id } of links) await pay(id);
    const [inPart, inFull] = links;
    await refund(inPart.id, { kind: 'REFUND', amountInCents: 400 });
    await refund(inFull.id, { kind: 'REFUND', amountInCents: 1_000 });
    const { items } = await payments({});
    expect(items.map(({ status }) => status).toSorted()).toEqual(['partly_refunded', 'refunded', 'unsettled']);
    for (const status of paymentStatus.options) {
      const found = await client.call(listPayments, { query: { status } }, { key });
      expect(found.body).toMatchObject({ nextCursor: null, searchedBackTo: null });
      expect(found.body).toHaveProperty(
        'items',
        items.filter(payment => payment.status === status),
      );
    }
  });

  test('the timeline of a payment lists in order what happened and who did it', async () => {
    const { aLink, pay, refund, sandbox, timeline, till, tryToPay } = await aShopWithTill(database);
    const link = await aLink(1_000);
    const { id } = await pay(link.id);
    sandbox.control.settle();
    const refunded = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    if (refunded.status !== 201) throw new Error(JSON.stringify(refunded.body));
    const whole = await timeline(id);
    const { apiKeyId } = refunded.body;
    const byKey = { kind: 'api_key', id: apiKeyId, name: 'test' };
    const byService = { kind: 'system', id: null, name: null };
    expect(whole.items).toMatchObject([
      { kind: 'payment_started', message: 'A payment of £10.00 was started', by: byKey, refundId: null },
      { kind: 'payment_approved', by: byService },
      { kind: 'payment_settled', by: byService },
      { kind: 'refund_requested', message: 'A refund of £4.00 was asked for', by: byKey, refundId: refunded.body.id },
      { kind: 'refund_approved', by: byService, refundId: refunded.body.id },
    ]);
    const first = await timeline(id, { limit: '3' });
    const rest = await timeline(id, { limit: '3', cursor: first.nextCursor ?? '' });
    expect([...first.items, ...rest.items]).toEqual(whole.items);
    expect(rest.nextCursor).toBeNull();

    const sold = await till.sell(900);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    await till.request({ paymentId: sold.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
    const terminal = { id: till.terminalId, name: 'Till 1' };
    expect((await timeline(sold.paymentId ?? '')).items).toMatchObject([
      { kind: 'payment_started', by: { kind: 'terminal', ...terminal }, terminal },
      { kind: 'payment_approved' },
      {
        kind: 'refund_requested',
        message: 'A void of £9.00 was asked for',
        by: { kind: 'staff', id: staff.id, name: 'Ada' },
        terminal,
      },
      { kind: 'refund_approved' },
    ]);
    // An outcome that stays unknown.
    sandbox.control.addFault({ kind: 'dropRequest', action: 'SALE' });
    const open = await aLink(500);
    const lost = await tryToPay(open.id);
    if (lost.status !== 202) throw new Error(JSON.stringify(lost.body));
    expect((await timeline(lost.body.id)).items.map(({ kind }) => kind)).toEqual([
      'payment_started',
      'payment_unknown',
    ]);
  });
});
