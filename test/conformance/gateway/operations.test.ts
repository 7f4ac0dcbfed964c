import { describe, expect, test } from 'vitest';
import { aGatewayWorldEach, anUnsettledSale, aRefund, aSale, aSettledSale, gbp, reference } from './world.ts';

const world = aGatewayWorldEach();

const ledger = (xref: string) => world.sandbox.control.ledger().find(one => one.xref === xref);

describe('sales', () => {
  test('an approved sale names its reference, amount, code and card', async () => {
    const outcome = await world.gateway.authoriseEcommerce(aSale(gbp(1250)));
    expect(outcome).toMatchObject({
      kind: 'approved',
      gatewayReference: expect.stringMatching(/^\d{8}[A-Z]{2}\d{2}[A-Z]{2}\d{2}[A-Z]{2}\d{2}[A-Z]{3}$/),
      authorisationCode: expect.stringMatching(/^\d{6}$/),
      amount: gbp(1250),
      card: { scheme: 'Visa', lastFour: '0821' },
    });
  });

  test.each([
    [5000, '1'],
    [10000, '5'],
    [15000, '4'],
    [20000, '65'],
    [25000, '65'],
    [99, '66311'],
    [30000, '66311'],
  ])('a sale of %i is declined with code %s', async (amountMinor, code) => {
    expect(await world.gateway.authoriseEcommerce(aSale(gbp(amountMinor)))).toMatchObject({ kind: 'declined', code });
  });

  test('a wrong security code is declined', async () => {
    const card = { number: '4929421234600821', expiryMonth: 12, expiryYear: 2031, securityCode: '999' };
    expect(await world.gateway.authoriseEcommerce(aSale(gbp(500), { card }))).toMatchObject({
      kind: 'declined',
      code: '5',
      message: 'AVS/CV2 DECLINED',
    });
  });

  test('the payment is unsettled, then settling, then settled', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const state = async () => (await world.gateway.paymentState(sale)) as { state: string };
    expect(await world.gateway.paymentState(sale)).toEqual({
      kind: 'found',
      state: 'unsettled',
      receivedMinor: 1000,
      refundedMinor: 0,
    });
    world.sandbox.control.settle('tender');
    expect((await state()).state).toBe('settling');
    world.sandbox.control.settle('complete');
    expect((await state()).state).toBe('settled');
  });

  test('settlement rejects the test amounts for a rejection', async () => {
    const sale = await aSettledSale(world, gbp(2600));
    expect(await world.gateway.paymentState(sale)).toMatchObject({ state: 'rejected' });
  });
});

describe('cancel', () => {
  test.each(['tender', 'all'] as const)('after settlement (%s) it is declined', async stage => {
    const sale = await anUnsettledSale(world, gbp(1000));
    world.sandbox.control.settle(stage);
    expect(await world.gateway.cancel({ ...sale, uniqueReference: reference() })).toMatchObject({
      kind: 'declined',
      code: '65541',
    });
    expect(ledger(sale.gatewayReference)).toMatchObject({ takenMinor: 1000 });
  });

  test('a second cancel is declined', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    await world.gateway.cancel({ ...sale, uniqueReference: reference() });
    expect(await world.gateway.cancel({ ...sale, uniqueReference: reference() })).toMatchObject({ kind: 'declined' });
  });
});

describe('refunds', () => {
  test('part refunds may be repeated until nothing is left', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const outcomes = [];
    for (const part of [300, 300, 400, 1]) outcomes.push(await world.gateway.refundSale(aRefund(sale, gbp(part))));
    expect(outcomes.map(one => one.kind)).toEqual(['approved', 'approved', 'approved', 'declined']);
    expect(ledger(sale.gatewayReference)).toMatchObject({ takenMinor: 1000, returnedMinor: 1000 });
    expect(await world.gateway.paymentState(sale)).toMatchObject({ refundedMinor: 1000 });
  });

  test('a refund of more than was taken is declined', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    expect(await world.gateway.refundSale(aRefund(sale, gbp(1001)))).toMatchObject({ kind: 'declined' });
    expect(ledger(sale.gatewayReference)).toMatchObject({ returnedMinor: 0 });
  });

  test('a refund in another currency than the payment’s is declined', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, { amountMinor: 100, currency: 'JPY' });
    expect(await world.gateway.refundSale(refund)).toMatchObject({ kind: 'declined', code: '65542' });
  });

  test('ten of fifty concurrent refunds of 100 are approved on a payment of 1000', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => world.gateway.refundSale(aRefund(sale, gbp(100)))),
    );
    expect(outcomes.filter(one => one.kind === 'approved')).toHaveLength(10);
    expect(outcomes.filter(one => one.kind === 'declined')).toHaveLength(40);
    expect(ledger(sale.gatewayReference)).toMatchObject({ returnedMinor: 1000 });
  });

  test('a refund repeated with the same reference within the duplicate window is unknown and moves no money twice', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, gbp(200));
    expect(await world.gateway.refundSale(refund)).toMatchObject({ kind: 'approved' });
    expect(await world.gateway.refundSale(refund)).toEqual({ kind: 'unknown', cause: 'duplicate' });
    expect(ledger(sale.gatewayReference)).toMatchObject({ returnedMinor: 200 });
  });
});
