import { getRefundOptions } from '@florin/shared/contracts/api-v1/refund-options.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { insertPayment, paymentById } from '../payments/store.ts';

/** The gateway's reference of a refund that was made. */
function referenceOf({ body }: { readonly body: unknown }): string {
  return (body as RefundRecord).gatewayReference ?? '';
}

async function aShopThatAsks(database: DatabaseKind) {
  const shop = await aShop(database);
  const reader = await shop.business.key('sales:read');
  async function options(id: string, query: { amountInCents?: string; amount?: string } = {}, language = 'en-GB') {
    const headers = { 'accept-language': language };
    const read = await shop.client.call(getRefundOptions, { params: { id }, query }, { key: reader, headers });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    const { confirmation, forCustomer } = read.body;
    const plain = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, ' ') ?? null;
    const blocked = read.body.blocked && { ...read.body.blocked, message: plain(read.body.blocked.message) };
    return { ...read.body, blocked, confirmation: plain(confirmation), forCustomer: plain(forCustomer) };
  }
  return { ...shop, reader, options };
}

eachDatabase('what a refund will do', database => {
  test('is said before it, and afterwards what to tell the customer, in English and German', async () => {
    const { aLink, pay, refund, sandbox, options } = await aShopThatAsks(database);
    const link = await aLink(2_000);
    const { id } = await pay(link.id);
    expect(await options(id, { amountInCents: '2000' })).toMatchObject({
      action: 'void',
      blocked: null,
      confirmation: 'The whole payment of £20.00 is cancelled: nothing reaches the statement of Visa ••0821.',
      forCustomer:
        'Your payment of £20.00 was authorised on 21 November 2026 and will be collected with the next settlement.',
    });
    // A language alone is written as where the shop is, and a region as it writes.
    expect(await options(id, {}, 'en')).toMatchObject({ forCustomer: expect.stringContaining('21 November 2026') });
    expect(await options(id, {}, 'en-US')).toMatchObject({ forCustomer: expect.stringContaining('November 21, 2026') });
    expect(await options(id, { amountInCents: '500' })).toMatchObject({
      action: 'void',
      blocked: { reason: 'payment_not_settled' },
      confirmation: null,
    });
    sandbox.control.settle();
    const refunded = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 500 });
    expect(refunded).toMatchObject({ status: 201 });
    const reference = referenceOf(refunded);
    expect(await options(id, { amountInCents: '1250' })).toMatchObject({
      action: 'refund',
      blocked: null,
      remainingInCents: 1_500,
      confirmation:
        '£12.50 goes back to Visa ••0821, usually in one to five working days. £2.50 is left. Issuing it again pays it again.',
      forCustomer: `Your refund of £5.00 to Visa ••0821 was sent on 21 November 2026; it usually appears in one to five working days, longer over a weekend or a bank holiday. If it has not appeared after ten working days, ask your bank about the reference ${reference}.`,
    });
    expect(await options(id, { amountInCents: '1500' }, 'fr, de-DE;q=0.9, en;q=0.5')).toMatchObject({
      confirmation:
        '15,00 £ gehen zurück auf Visa ••0821, meist in einem bis fünf Werktagen. Es bleibt nichts übrig. Wer sie noch einmal veranlasst, zahlt sie noch einmal.',
      forCustomer: expect.stringContaining(
        'Ihre Erstattung von 5,00 £ auf Visa ••0821 wurde am 21. November 2026 gesendet',
      ) as string,
    });
    expect(await options(id, { amountInCents: '1501' }, 'de')).toMatchObject({
      action: 'refund',
      blocked: { reason: 'refund_exceeds_payment', message: 'Von 20,00 £ sind nur noch 15,00 £ zu erstatten.' },
      confirmation: null,
    });
    expect(await options(id, { amountInCents: '1501' })).toMatchObject({
      blocked: { message: 'Only £15.00 of £20.00 is left to refund.' },
    });
    expect(await options(id)).toMatchObject({ action: 'refund', blocked: null, confirmation: null });
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 1_500 });
    expect(await options(id)).toMatchObject({
      action: null,
      blocked: { reason: 'payment_already_refunded', message: 'Payment has already been refunded', retryAfter: null },
    });
  });

  test('is said of each of several refunds, with their sum and what is left', async () => {
    const { aLink, pay, refund, sandbox, options } = await aShopThatAsks(database);
    const link = await aLink(2_000);
    const { id } = await pay(link.id);
    sandbox.control.settle();
    expect(await options(id, { amountInCents: '2001' })).toMatchObject({
      blocked: { message: 'Refund exceeds original sale amount' },
    });
    const first = referenceOf(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 500 }));
    const second = referenceOf(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 750 }));
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    expect((await options(id)).forCustomer).toBe(
      [
        'Of your payment of £20.00, £12.50 was returned to Visa ••0821 and £6.50 is left.',
        `\u2022 £5.00: sent on 21 November 2026, reference ${first}`,
        `\u2022 £7.50: sent on 21 November 2026, reference ${second}`,
        '\u2022 £1.00: we are still asking the bank; nothing needs to be done again',
        'A refund usually appears in one to five working days, longer over a weekend or a bank holiday. If one has not appeared after ten working days, ask your bank about its reference.',
      ].join('\n'),
    );
    expect((await options(id, {}, 'de')).forCustomer).toMatch(
      /^Von Ihrer Zahlung über 20,00 £ wurden 12,50 £ auf Visa ••0821 erstattet, 6,50 £ bleiben übrig\.\n\u2022 5,00 £: am 21\. November 2026 gesendet, Referenz \S+\n/,
    );
  });

  test('of a refund whose outcome is not known is that nothing needs to be done again', async () => {
    const { aLink, pay, refund, sandbox, options } = await aShopThatAsks(database);
    const link = await aLink(1_000);
    const { id } = await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 1_000 })).toMatchObject({ status: 202 });
    expect(await options(id)).toMatchObject({
      action: null,
      blocked: { reason: 'refund_in_progress' },
      forCustomer: 'We are still asking the bank about your refund of £10.00; nothing needs to be done again.',
    });
  });

  test('of a bitcoin payment is a record, and the merchant returns the funds; others do not find it', async () => {
    const { aLink, pay, options, business, world, client } = await aShopThatAsks(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    const { database: store } = world.backend;
    const card = await store.first(paymentById, { businessId: business.id, id: paid.id });
    if (!card) throw new Error('no payment');
    const id = 'pay_bitcoin0001';
    const bitcoin = { method: 'lightning', amountSats: 5_000, status: 'settled', gatewayReference: null } as const;
    const own = { id, clientRequestId: null, uniqueReference: null, nextPollAt: null };
    await store.write(tx => tx.run(insertPayment, { ...card, ...bitcoin, ...own }));
    expect(await options(id, { amount: '2000' })).toMatchObject({
      action: 'record',
      remainingSats: 5_000,
      confirmation:
        '2,000 sats are recorded as returned. Nothing is sent: you return them to the customer yourself. 3,000 sats are left.',
    });
    expect(await options(id, { amount: '5001' })).toMatchObject({ blocked: { reason: 'refund_exceeds_payment' } });
    const other = await (await world.aBusiness({ name: 'Elsewhere' })).key('sales:read');
    const asked = await client.call(getRefundOptions, { params: { id }, query: {} }, { key: other });
    expect(asked).toMatchObject({ status: 404, body: { error: { metadata: { reason: 'payment_not_found' } } } });
  });
});
