import { money } from '@florin/shared/money.ts';
import { expect, test } from 'vitest';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import { eachWorld } from './each-database.ts';
import { InstanceCrashed } from './instance.ts';
import { gbp, outcomeOf, type World } from './world.ts';

/** The catalogue of refund faults, case by case. */
eachWorld('refund faults', newWorld => {
  async function theRefund(world: World): Promise<RefundRow> {
    const [refund, ...others] = await world.rows<RefundRow>('refunds');
    if (!refund || others.length > 0) throw new Error(`there are ${others.length + (refund ? 1 : 0)} refunds`);
    return refund;
  }

  async function eventsOf(world: World, type: string): Promise<number> {
    return (await world.rows<{ type: string }>('events')).filter(event => event.type === type).length;
  }

  const returned = (world: World, payment: PaymentRow) => world.gateway.returnedMinor(payment.gatewayReference ?? '');

  test('R1: exactly ten of 50 parallel refunds of 100 on a payment of 1000 are accepted', async () => {
    const world = await newWorld({ seed: 101 });
    const payment = await world.settledCardPayment(gbp(1_000));
    const outcomes = await world.drive(
      Promise.all(
        Array.from({ length: 50 }, () => world.calls.apiRefund(payment, { kind: 'REFUND_SALE', amount: gbp(100) })),
      ),
    );
    const statuses = outcomes.map(outcomeOf);
    expect(statuses.filter(one => one === 'approved')).toHaveLength(10);
    expect(statuses.filter(one => one === 'refund_exceeds_payment')).toHaveLength(40);
    expect(returned(world, payment)).toBe(1_000);
    expect(await world.payment(payment)).toMatchObject({ refundedMinor: 1_000, reservedMinor: 0 });
  });

  test('R2: twenty parallel calls with one request id make one refund and one send', async () => {
    const world = await newWorld({ seed: 102 });
    const payment = await world.settledCardPayment(gbp(1_000));
    const request = { kind: 'REFUND_SALE' as const, amount: gbp(100), clientRequestId: 'request-1' };
    await world.drive(Promise.all(Array.from({ length: 20 }, () => world.calls.apiRefund(payment, request))));
    const refund = await theRefund(world);
    expect(world.gateway.sendsOf(refund.uniqueReference ?? '')).toBe(1);
    expect(returned(world, payment)).toBe(100);
  });

  test('R3: one request id with another amount is refused and sends nothing', async () => {
    const world = await newWorld({ seed: 103 });
    const payment = await world.settledCardPayment(gbp(1_000));
    const refund = (amount: number) =>
      world.drive(world.calls.apiRefund(payment, { kind: 'REFUND_SALE', amount: gbp(amount), clientRequestId: 'one' }));
    expect(outcomeOf(await refund(500))).toBe('approved');
    expect(outcomeOf(await refund(501))).toBe('request_differs');
    expect(returned(world, payment)).toBe(500);
  });

  test('R4: a refund without a reply for 30 seconds is pending and its amount stays reserved', async () => {
    const world = await newWorld({ seed: 104 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.silent = true;
    world.gateway.next({ replyLost: true });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(700)))).toBe('pending');
    expect(await world.payment(payment)).toMatchObject({ reservedMinor: 700, refundedMinor: 0 });
    expect(await world.merchant.refunds(payment, gbp(301))).toMatchObject({
      refusal: { kind: 'refund_exceeds_payment', remaining: 300 },
    });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(300)))).toBe('approved');
  });

  test('R5: a refund that a lookup finds approved is approved once and announced once', async () => {
    const world = await newWorld({ seed: 105 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.next({ replyLost: true, callbackAfterMs: 31_500 });
    await world.merchant.refunds(payment, gbp(100));
    await world.clock.advance({ minutes: 3 });
    expect(await theRefund(world)).toMatchObject({ status: 'approved' });
    expect(await eventsOf(world, 'refund.approved')).toBe(1);
    expect(await world.payment(payment)).toMatchObject({ refundedMinor: 100, reservedMinor: 0 });
  });

  test('R6: a refund not found after 31 seconds and booked after 95 ends approved', async () => {
    const world = await newWorld({ seed: 106 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.next({ arrivesAfterMs: 95_000 });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(100)))).toBe('pending');
    await world.clock.advance({ seconds: 40 });
    expect(await theRefund(world)).toMatchObject({ status: 'pending' });
    await world.clock.advance({ minutes: 5 });
    expect(await theRefund(world)).toMatchObject({ status: 'approved' });
    expect(returned(world, payment)).toBe(100);
  });

  test('R7: a refund whose process is killed after reserving and before sending is released, and never sent', async () => {
    const world = await newWorld({ seed: 107 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.crashAt('before refundSale');
    await expect(world.merchant.refunds(payment, gbp(100))).rejects.toThrow(InstanceCrashed);
    expect(await theRefund(world)).toMatchObject({ status: 'pending' });
    await world.clock.advance({ minutes: 9 });
    expect(await theRefund(world)).toMatchObject({ status: 'pending' });
    await world.clock.advance({ minutes: 3 });
    const refund = await theRefund(world);
    expect(refund).toMatchObject({ status: 'failed', failureCause: 'never_arrived' });
    expect(world.gateway.sendsOf(refund.uniqueReference ?? '')).toBe(0);
    expect(await world.payment(payment)).toMatchObject({ reservedMinor: 0, refundedMinor: 0 });
  });

  test('R8: a refund whose process is killed after sending is looked up, and never sent again', async () => {
    const world = await newWorld({ seed: 108, settings: { recoveryEveryMs: 1_000 } });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.crashAt('after refundSale');
    await expect(world.merchant.refunds(payment, gbp(100))).rejects.toThrow(InstanceCrashed);
    await world.clock.advance({ seconds: 15 });
    const refund = await theRefund(world);
    expect(refund).toMatchObject({ status: 'approved' });
    expect(world.gateway.sendsOf(refund.uniqueReference ?? '')).toBe(1);
    expect(await world.payment(payment)).toMatchObject({ refundedMinor: 100, reservedMinor: 0 });
  });

  test('R9: another process recovers a refund while the first is suspended, whose late timeout changes nothing', async () => {
    const world = await newWorld({ seed: 109 });
    const first = world.instance;
    world.time.after(1_000, () => first.freeze(60_000));
    world.anInstance();
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.next({ replyLost: true });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(100)))).toBe('approved');
    expect(await eventsOf(world, 'refund.approved')).toBe(1);
    expect(await world.payment(payment)).toMatchObject({ refundedMinor: 100, reservedMinor: 0 });
  });

  test('R10: a refund unknown for longer than any duplicate window is looked up, and never sent again', async () => {
    const world = await newWorld({ seed: 110 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.silent = true;
    world.gateway.next({ replyLost: true });
    await world.merchant.refunds(payment, gbp(100));
    await world.clock.advance({ minutes: 60 });
    expect(await theRefund(world)).toMatchObject({ status: 'pending' });
    world.gateway.silent = false;
    await world.clock.advance({ minutes: 6 });
    const refund = await theRefund(world);
    expect(refund).toMatchObject({ status: 'approved' });
    expect(world.gateway.sendsOf(refund.uniqueReference ?? '')).toBe(1);
  });

  test('R12: a refund has the currency of its payment, and a till accepts no other', async () => {
    const world = await newWorld({ seed: 112, business: { currency: 'JPY' } });
    const sale = { amount: money(1_000, 'EUR'), terminalId: world.terminal, saleId: world.aSaleId() };
    expect(await world.drive(world.authorise(sale))).toMatchObject({ refusal: { kind: 'currency_differs' } });
    const payment = await world.settledCardPayment(money(1_000, 'JPY'));
    await world.merchant.refunds(payment, money(400, 'JPY'));
    expect(await theRefund(world)).toMatchObject({ currency: 'JPY', amountMinor: 400, status: 'approved' });
  });

  test.each([1, 2, 3, 4, 5])(
    'R13: a void, refund and credit at once (seed %i) return the money in one way only',
    async seed => {
      const world = await newWorld({ seed: 1300 + seed });
      const payment = await world.cardPayment(gbp(1_000));
      const outcomes = (
        await world.drive(
          Promise.all([
            world.calls.apiRefund(payment, { kind: 'CANCEL' }),
            world.calls.apiRefund(payment, { kind: 'REFUND_SALE', amount: gbp(1_000) }),
            world.calls.apiRefund(payment, { kind: 'CANCEL' }),
            world.calls.apiRefund(payment, { kind: 'REFUND', amount: gbp(1_000) }),
          ]),
        )
      ).map(outcomeOf);
      expect(outcomes.filter(one => one === 'approved')).toHaveLength(1);
      expect(returned(world, payment)).toBe(1_000);
    },
  );

  test('R14: a reply about another amount is rejected, its amount stays reserved and a discrepancy is recorded', async () => {
    const world = await newWorld({ seed: 114 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.silent = true;
    world.gateway.next({ garbled: 'amount_differs', callbackAfterMs: 1_000, callbackAmountMinor: 900 });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(100)))).toBe('pending');
    await world.clock.advance({ minutes: 20 });
    expect(await theRefund(world)).toMatchObject({ status: 'pending' });
    expect(await world.payment(payment)).toMatchObject({ reservedMinor: 100 });
    expect(await world.rows('discrepancies')).toMatchObject([
      { kind: 'reply_not_believed' },
      { kind: 'refund_amount_differs' },
    ]);
  });

  test('a declined refund releases its amount', async () => {
    const world = await newWorld({ seed: 120 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.next({ declined: true });
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(1_000)))).toBe('declined');
    expect(outcomeOf(await world.merchant.refunds(payment, gbp(1_000)))).toBe('approved');
  });

  test('two uncapped refunds at once both go through, beyond what the customer paid', async () => {
    const world = await newWorld({ seed: 126 });
    const payment = await world.settledCardPayment(gbp(1_000));
    const outcomes = await world.drive(
      Promise.all([
        world.calls.apiRefund(payment, { kind: 'REFUND', amount: gbp(1_500) }),
        world.calls.apiRefund(payment, { kind: 'REFUND', amount: gbp(1_500) }),
      ]),
    );
    expect(outcomes.map(outcomeOf)).toEqual(['approved', 'approved']);
    expect(returned(world, payment)).toBe(3_000);
    expect(await world.payment(payment)).toMatchObject({ refundedMinor: 0, reservedMinor: 0 });
  });

  test('an uncapped refund is recorded before it is sent', async () => {
    const world = await newWorld({ seed: 127 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.crashAt('after refund');
    await expect(world.merchant.credits(payment, gbp(1_500))).rejects.toThrow(InstanceCrashed);
    expect(await theRefund(world)).toMatchObject({ status: 'pending', kind: 'REFUND' });
    await world.clock.advance({ minutes: 3 });
    expect(await theRefund(world)).toMatchObject({ status: 'approved' });
  });

  test('a manager resolves an unknown outcome on evidence; a final refund does not change', async () => {
    const world = await newWorld({ seed: 129 });
    const payment = await world.settledCardPayment(gbp(1_000));
    world.gateway.silent = true;
    world.gateway.next({ dropped: true });
    await world.merchant.refunds(payment, gbp(600));
    const refund = await theRefund(world);
    const resolve = () =>
      world.drive(
        world.instance.call(services =>
          services.refunds.resolve({
            businessId: payment.businessId,
            id: refund.id,
            outcome: 'failed',
            evidence: 'The portal of the gateway shows no refund on this payment',
            gatewayReference: null,
            by: { kind: 'api_key', apiKeyId: 'key_000001' },
          }),
        ),
      );
    expect(await resolve()).toMatchObject({ ok: false, refusal: { kind: 'still_asking' } });
    await world.clock.advance({ minutes: 11 });
    expect(await resolve()).toMatchObject({ ok: true, value: { refund: { status: 'failed' } } });
    expect(await resolve()).toMatchObject({ ok: false, refusal: { kind: 'refund_not_pending' } });
    expect(await world.payment(payment)).toMatchObject({ reservedMinor: 0 });
    expect(await world.rows('auditEntries')).toMatchObject([{ kind: 'refund_resolved', status: 'failed' }]);
  });

  test('a refund that may still be sent cannot be resolved manually', async () => {
    const world = await newWorld({ seed: 131 });
    const payment = await world.settledCardPayment(gbp(1_000));
    let heldUpMs = 20_000;
    world.atAwait = where => (where === 'before refundSale' ? heldUpMs : 0);
    const refunding = world.merchant.refunds(payment, gbp(600));
    await world.clock.advance({ seconds: 5 });
    heldUpMs = 0;
    const refund = await theRefund(world);
    const decision = {
      outcome: 'failed',
      evidence: 'The gateway shows no such refund',
      gatewayReference: null,
    } as const;
    const resolved = await world.drive(
      world.instance.call(services =>
        services.refunds.resolve({
          ...decision,
          businessId: payment.businessId,
          id: refund.id,
          by: { kind: 'api_key', apiKeyId: 'key_000001' },
        }),
      ),
    );
    expect(resolved).toMatchObject({ ok: false, refusal: { kind: 'still_asking' } });
    await refunding;
    expect(await theRefund(world)).toMatchObject({ status: 'approved' });
  });
});
