import { expect, test } from 'vitest';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import { eachWorld } from './each-database.ts';
import { InstanceCrashed } from './instance.ts';
import { gbp, type World } from './world.ts';

/** Sales on a terminal: authorised once, looked up while unknown, reversed when the terminal ends them. */
eachWorld('sales', newWorld => {
  const paymentOf = async (world: World, saleId: string): Promise<PaymentRow> => {
    const payments = (await world.rows<PaymentRow>('payments')).filter(payment => payment.saleId === saleId);
    const [payment] = payments;
    if (!payment || payments.length > 1) throw new Error(`sale ${saleId} has ${payments.length} payments`);
    return payment;
  };
  const theSale = (world: World) => ({
    businessId: world.business.id,
    terminalId: world.terminal,
    saleId: world.aSaleId(),
    amount: gbp(1_000),
  });
  const authorisations = (world: World) =>
    world.gateway.bookings.filter(({ operation, approved }) => approved && operation === 'authorise').length;

  test('the same sale is authorised once, however often it is called in parallel', async () => {
    const world = await newWorld({ seed: 301 });
    const sale = theSale(world);
    await world.drive(Promise.all(Array.from({ length: 10 }, () => world.authorise(sale))));
    expect(await world.drive(world.authorise(sale))).toMatchObject({ ok: true, value: { status: 'unsettled' } });
    expect(authorisations(world)).toBe(1);
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ invoiceNumber: 'INV-000001' });
    expect(await world.drive(world.authorise({ ...sale, amount: gbp(1_001) }))).toMatchObject({
      refusal: { kind: 'sale_differs' },
    });
  });

  test('invoice numbers have no gaps, however many sales begin at once', async () => {
    const world = await newWorld({ seed: 302 });
    await world.drive(Promise.all(Array.from({ length: 20 }, () => world.authorise(theSale(world)))));
    const numbers = (await world.rows<PaymentRow>('payments')).map(({ invoiceNumber }) => invoiceNumber).sort();
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => `INV-${String(index + 1).padStart(6, '0')}`));
  });

  test('a sale whose reply is lost stays pending until the gateway was polled', async () => {
    const world = await newWorld({ seed: 303 });
    const sale = theSale(world);
    world.gateway.next({ replyLost: true });
    expect(await world.drive(world.authorise(sale))).toMatchObject({ value: { status: 'pending' } });
    await world.clock.advance({ minutes: 3 });
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ status: 'unsettled', cardLastFour: '0821' });
    expect(authorisations(world)).toBe(1);
  });

  test('a sale that never arrived fails only once that is certain', async () => {
    const world = await newWorld({ seed: 304 });
    const sale = theSale(world);
    world.gateway.next({ dropped: true });
    await world.drive(world.authorise(sale));
    await world.clock.advance({ minutes: 9 });
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ status: 'pending' });
    await world.clock.advance({ minutes: 3 });
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ status: 'failed' });
  });

  test('a sale reversed while its outcome is unknown is voided as soon as it turns out approved', async () => {
    const world = await newWorld({ seed: 305 });
    const sale = theSale(world);
    world.gateway.next({ replyLost: true });
    await world.drive(world.authorise(sale));
    const reverse = () =>
      world.drive(world.instance.call(services => services.payments.reverseSale(sale, 'customer_cancelled')));
    expect(await reverse()).toMatchObject({ ok: true, value: { status: 'pending' } });
    await world.clock.advance({ minutes: 3 });
    const payment = await paymentOf(world, sale.saleId);
    expect(payment).toMatchObject({ status: 'cancelled', reversalReason: 'customer_cancelled' });
    expect(world.gateway.returnedMinor(payment.gatewayReference ?? '')).toBe(1_000);
    expect(await reverse()).toMatchObject({ ok: true, value: { status: 'cancelled' } });
    expect(await world.rows('auditEntries')).toEqual([]);
  });

  test('a reversal is sent once even if the process crashes during it', async () => {
    const world = await newWorld({ seed: 306 });
    const sale = theSale(world);
    await world.drive(world.authorise(sale));
    world.crashAt('after cancel');
    const reverse = () =>
      world.drive(world.instance.call(services => services.payments.reverseSale(sale, 'card_refused')));
    await expect(reverse()).rejects.toThrow(InstanceCrashed);
    await reverse();
    await world.clock.advance({ minutes: 3 });
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ status: 'cancelled' });
    const refunds = await world.rows<RefundRow>('refunds');
    expect(refunds).toMatchObject([{ kind: 'CANCEL', status: 'approved', actorKind: 'terminal' }]);
    expect(world.gateway.sendsOf(refunds[0]?.uniqueReference ?? '')).toBe(1);
  });

  test('a sale whose process is killed before sending charges nothing, and fails once that is certain', async () => {
    const world = await newWorld({ seed: 307 });
    const sale = theSale(world);
    world.crashAt('before authorise');
    await expect(world.drive(world.authorise(sale))).rejects.toThrow(InstanceCrashed);
    expect(await world.drive(world.authorise(sale))).toMatchObject({ value: { status: 'pending' } });
    await world.clock.advance({ minutes: 12 });
    expect(await paymentOf(world, sale.saleId)).toMatchObject({ status: 'failed' });
    expect(authorisations(world)).toBe(0);
  });

  test('a settlement at the gateway is recorded at the next poll; a void there is a discrepancy', async () => {
    const world = await newWorld({ seed: 308 });
    const [settled, voided] = [await world.cardPayment(gbp(1_000)), await world.cardPayment(gbp(500))];
    world.gateway.settle(settled.gatewayReference ?? '');
    world.gateway.setState(voided.gatewayReference ?? '', 'cancelled');
    await world.clock.advance({ minutes: 6 });
    expect(await world.payment(settled)).toMatchObject({ status: 'settled' });
    expect(await world.payment(voided)).toMatchObject({ status: 'cancelled' });
    expect(await world.rows('discrepancies')).toMatchObject([{ kind: 'payment_voided_elsewhere' }]);
  });

  test('a reversal is no longer due once a manual return of the rest is recorded', async () => {
    const world = await newWorld({ seed: 309 });
    const sale = await world.settledCardPayment(gbp(1_000));
    world.gateway.next({ secondApprovalAfterMs: 1_000 });
    await world.merchant.refunds(sale, gbp(500));
    await world.clock.advance({ seconds: 5 });
    const { businessId, terminalId, saleId } = sale;
    if (terminalId === null || saleId === null) throw new Error('not a sale');
    const key = { businessId, terminalId, saleId };
    await world.drive(world.instance.call(services => services.payments.reverseSale(key, 'card_refused')));
    expect(await world.payment(sale)).toMatchObject({ refundedMinor: 500, contestedMinor: 500 });
    expect((await world.payment(sale)).reversalDueAt).not.toBeNull();
    const [discrepancy] = await world.rows<{ id: string; kind: string }>('discrepancies');
    expect(discrepancy?.kind).toBe('refund_approved_twice');
    const by = { kind: 'api_key', apiKeyId: 'key_000001' } as const;
    const decision = { outcome: 'gateway_right', evidence: 'The portal shows two refunds of 5.00', by } as const;
    const resolution = { ...decision, businessId, id: discrepancy?.id ?? '' };
    await world.drive(world.instance.call(services => services.discrepancies.resolve(resolution)));
    expect(await world.payment(sale)).toMatchObject({ creditedMinor: 500, contestedMinor: 0, reversalDueAt: null });
    expect(world.gateway.returnedMinor(sale.gatewayReference ?? '')).toBe(500);
  });
});
