import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createLinkPayment, listLinkPayments } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPaymentTimeline, resolvePayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { getRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { completeSale, getSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, refundApproval } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

/** The gateway's callback about an approved refund of 600. */
const evidence = 'Seen in the gateway’s own portal, on the statement of today';

async function aShopWithDiscrepancies(database: DatabaseKind) {
  const shop = await aShop(database);
  const { world, client, key, business } = shop;
  const list = async (query: object = {}) => {
    const listed = await client.call(listDiscrepancies, { query }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  };
  const resolve = (id: string, outcome: 'gateway_right' | 'records_right', options: object = {}) =>
    client.call(resolveDiscrepancy, { params: { id }, body: { outcome, evidence } }, { key, ...options });
  /** Advances the service's clock until the condition holds; callbacks arrive over real HTTP. */
  const until = async (isTrue: () => Promise<boolean>, seconds = 2) => {
    for (let turn = 0; turn < 600; turn += 1) {
      if (await isTrue()) return;
      world.clock.advance({ seconds });
    }
    throw new Error('the condition was never met');
  };
  const timeline = async () => (await world.backend.services.audit.verify(business.id)).kind;
  return { ...shop, list, resolve, until, chain: timeline };
}

eachDatabase('discrepancies', database => {
  test('a refund approved after it failed holds its amount until the discrepancy is resolved', async () => {
    const { list, resolve, until, chain, ...shop } = await aShopWithDiscrepancies(database);
    const { aLostRefund, refund, client, key, world, postCallback } = shop;
    const read = async (id: string) => {
      const found = await client.call(getRefund, { params: { id } }, { key });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return found.body;
    };
    /** A refund of 600 that the gateway reports after it failed. */
    const lateRefund = async () => {
      const { link, id } = await aLostRefund(600);
      await until(async () => (await read(id)).status === 'failed');
      const posted = await postCallback(refundApproval(id, 600));
      expect(posted.status).toBe(200);
      return { link, id };
    };

    const first = await lateRefund();
    expect(await read(first.id)).toMatchObject({ status: 'failed', remainingInCents: 400 });
    const [open] = await list({ status: 'open' });
    expect(open).toMatchObject({
      kind: 'refund_approved_late',
      status: 'open',
      refundId: first.id,
      contestedInCents: 600,
      recorded: { status: 'failed', amountMinor: 600 },
      gateway: { kind: 'approved' },
      resolution: null,
    });
    expect(world.logged()).toContain('"kind":"refund_approved_late"');
    const inGerman = { key, headers: { 'accept-language': 'de-DE, en;q=0.5' } };
    expect((await client.call(listDiscrepancies, { query: {} }, inGerman)).body).toMatchObject({
      items: [{ message: expect.stringContaining('bleibt zurückgehalten, bis Sie entscheiden') as string }],
    });
    const undecided = { params: { id: open?.id ?? '' }, body: { outcome: 'gateway_right' as const } };
    expect(await client.call(resolveDiscrepancy, undecided, { key })).toMatchObject({
      status: 400,
      body: { error: { metadata: { reason: 'evidence_required', issues: [{ path: 'evidence' }] } } },
    });
    const idempotencyKey = 'decision-1';
    const resolved = await resolve(open?.id ?? '', 'gateway_right', { idempotencyKey });
    expect(resolved).toMatchObject({
      status: 200,
      body: { status: 'resolved', resolution: { outcome: 'gateway_right', evidence, by: { kind: 'api_key' } } },
    });
    expect(await resolve(open?.id ?? '', 'gateway_right', { idempotencyKey })).toMatchObject({ body: resolved.body });
    expect(await resolve(open?.id ?? '', 'records_right')).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'discrepancy_already_resolved' } } },
    });
    // The money was returned, so it counts permanently.
    expect(await refund(first.link.id, { kind: 'REFUND_SALE', amountInCents: 401 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 400 } } },
    });

    const second = await lateRefund();
    const [other] = await list({ status: 'open' });
    expect(await resolve(other?.id ?? '', 'records_right')).toMatchObject({ status: 200 });
    expect(await refund(second.link.id, { kind: 'REFUND_SALE', amountInCents: 1_000 })).toMatchObject({
      body: { status: 'approved', amountInCents: 1_000 },
    });
    expect(await list({ status: 'open' })).toEqual([]);
    expect(await list({ status: 'resolved', kind: 'refund_approved_late' })).toHaveLength(2);
    expect(await chain()).toBe('intact');
  });

  test('a payment whose outcome stays unknown is decided on evidence after enough polling', async () => {
    const { aLink, paymentToken, sandbox, client, key, world } = await aShopWithDiscrepancies(database);
    const link = await aLink(1_000);
    sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', callback: false });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 1_000 });
    const body = { paymentToken: await paymentToken() };
    const paid = await client.call(createLinkPayment, { params: { id: link.id }, body }, { key });
    if (paid.status !== 202) throw new Error(JSON.stringify(paid.body));
    const [sale] = sandbox.control.ledger();
    const resolve = () =>
      client.call(
        resolvePayment,
        {
          params: { id: paid.body.id },
          body: { outcome: 'approved', evidence, gatewayReference: sale?.xref ?? '' },
        },
        { key },
      );
    const response = async () => {
      const refused = await resolve();
      if (refused.status !== 409) throw new Error(JSON.stringify(refused.body));
      expect(refused.body.error.metadata).toMatchObject({ reason: 'still_asking' });
      return Date.parse(String(refused.body.error.metadata?.retryAfter));
    };
    const first = await response();
    world.clock.advance({ minutes: 5 });
    expect(await response()).toBe(first);
    world.clock.advance({ ms: first - world.clock.now() });
    expect(await resolve()).toMatchObject({ status: 200 });
    expect(await client.call(listLinkPayments, { params: { id: link.id } }, { key })).toMatchObject({
      body: { items: [{ status: 'unsettled', gatewayReference: sale?.xref }] },
    });
    const timeline = await client.call(getPaymentTimeline, { params: { id: paid.body.id }, query: {} }, { key });
    expect(timeline.status === 200 && timeline.body.items).toContainEqual(
      expect.objectContaining({
        kind: 'payment_approved',
        message: 'A person decided that the bank approved the payment',
        by: expect.objectContaining({ kind: 'api_key' }),
      }),
    );
    expect(await resolve()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_not_pending' } } },
    });
  });

  test('an approved sale that its terminal neither completes nor reverses is listed, and resolved manually', async () => {
    const { list, resolve, until, world, business, client, sandbox } = await aShopWithDiscrepancies(database);
    const till = await aTill(world, await business.key('devices:write'));
    const token = { key: till.token };
    const [stands, goesBack, late] = [await till.sell(1_000), await till.sell(2_000), await till.sell(500)];
    world.clock.advance({ minutes: 29 });
    expect(await list()).toEqual([]);
    await until(async () => (await list({ status: 'open' })).length === 3, 60);
    const found = await list({ status: 'open', kind: 'sale_not_completed' });
    expect(found).toHaveLength(3);
    const of = ({ paymentId }: { paymentId: string | null }) =>
      found.find(one => one.paymentId === paymentId)?.id ?? '';

    expect(await resolve(of(stands), 'gateway_right')).toMatchObject({ status: 200 });
    const body = { reason: 'card_refused' as const };
    expect(await client.call(reverseSale, { params: { saleId: stands.saleId }, body }, token)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'sale_completed' } } },
    });

    expect(await resolve(of(goesBack), 'records_right')).toMatchObject({ status: 200 });
    const read = async () => {
      const sale = await client.call(getSale, { params: { saleId: goesBack.saleId } }, token);
      return sale.status === 200 ? sale.body.reversal : undefined;
    };
    await until(async () => (await read())?.status === 'voided');
    expect(await read()).toMatchObject({ reason: 'not_completed' });
    expect(sandbox.control.ledger().filter(({ state }) => state === 'canceled')).toHaveLength(1);

    await client.call(completeSale, { params: { saleId: late.saleId } }, token);
    const [closed] = await list({ paymentId: late.paymentId });
    expect(closed).toMatchObject({ resolution: { outcome: 'gateway_right', by: { kind: 'system' } } });
  });

  test('a void that the gateway declines is listed at once, and closed when the money is returned', async () => {
    const { list, until, world, business, client, sandbox } = await aShopWithDiscrepancies(database);
    const till = await aTill(world, await business.key('devices:write'));
    const { saleId } = await till.sell(1_000);
    sandbox.control.addFault({ kind: 'decline', action: 'CANCEL' });
    const body = { reason: 'card_refused' as const };
    await client.call(reverseSale, { params: { saleId }, body }, { key: till.token });
    expect(await list({ status: 'open' })).toMatchObject([
      { kind: 'reversal_declined', recorded: { dueMinor: 1_000 } },
    ]);
    await until(async () => (await list({ status: 'open' })).length === 0);
    expect(await list()).toMatchObject([{ kind: 'reversal_declined', resolution: { by: { kind: 'system' } } }]);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'canceled' }]);
  });

  test('a reversal that the gateway declines permanently ends with a manual resolution', async () => {
    const { list, resolve, world, business, client, sandbox } = await aShopWithDiscrepancies(database);
    const till = await aTill(world, await business.key('devices:write'));
    const { saleId } = await till.sell(1_000);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE' });
    const body = { reason: 'card_refused' as const };
    const reversed = await client.call(reverseSale, { params: { saleId }, body }, { key: till.token });
    expect(reversed).toMatchObject({ body: { reversal: { status: 'declined' } } });
    const [found] = await list({ status: 'open' });
    expect(found).toMatchObject({ kind: 'reversal_declined' });
    expect(await resolve(found?.id ?? '', 'records_right')).toMatchObject({ status: 200 });
    world.clock.advance({ hours: 1 });
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 0 }]);
  });

  test('a payment rejected by the bank after settlement is detected by its declined refund', async () => {
    const { list, resolve, until, aLink, pay, refund, sandbox, client, key, world, chain } =
      await aShopWithDiscrepancies(database);
    const link = await aLink(1_500);
    const paid = await pay(link.id);
    const { gatewayReference } = paid;
    const askFor = () => refund(link.id, { kind: 'REFUND_SALE', amountInCents: 500 });
    sandbox.control.settle('all', { xref: gatewayReference ?? '' });
    expect(await askFor()).toMatchObject({ status: 201, body: { status: 'approved' } });
    // A refund declined for another reason does not trigger a lookup of the settlement.
    sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE' });
    expect(await askFor()).toMatchObject({ body: { status: 'declined' } });
    const asked = 'polled the gateway for a settled payment';
    const timesAsked = async () => {
      expect(await list({ status: 'open' })).toEqual([]);
      return world.logged().split(asked).length - 1;
    };
    await until(async () => (await timesAsked()) === 1);

    sandbox.control.settle('all', { xref: gatewayReference ?? '', outcome: 'rejected' });
    expect(await askFor()).toMatchObject({ body: { status: 'declined' } });
    await until(async () => (await list()).length > 0);
    const [found] = await list({ status: 'open' });
    expect(found).toMatchObject({
      kind: 'settlement_rejected_late',
      needs: 'decision',
      paymentId: paid.id,
      recorded: { status: 'settled', amountMinor: 1_500, refundedMinor: 500 },
      gateway: { state: 'rejected' },
    });
    expect(world.logged()).toContain('"kind":"settlement_rejected_late"');
    const timeline = await client.call(getPaymentTimeline, { params: { id: paid.id }, query: {} }, { key });
    expect(timeline.status === 200 && timeline.body.items.map(({ kind }) => kind)).toContain('discrepancy_found');
    expect(await askFor()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'settlement_rejected' } } },
    });
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 500 })).toMatchObject({ status: 409 });

    expect(await resolve(found?.id ?? '', 'records_right')).toMatchObject({ status: 200 });
    // The bank still declines, and a repeated report raises nothing new.
    expect(await askFor()).toMatchObject({ status: 201, body: { status: 'declined' } });
    await until(async () => (await timesAsked()) === 3);
    expect(await list({ status: 'open' })).toEqual([]);
    expect(await chain()).toBe('intact');
  });

  test('an approval that the gateway never confirms is looked up, and its absence listed', async () => {
    const { list, until, aLink, pay, refund, sandbox, world } = await aShopWithDiscrepancies(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'delay', delayMs: 0, action: 'REFUND_SALE', callback: false });
    const made = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(made.body.status).toBe('approved');
    sandbox.control.reset();
    world.clock.advance({ minutes: 59 });
    expect(await list()).toEqual([]);
    await until(async () => (await list()).length > 0);
    expect(await list()).toMatchObject([{ kind: 'refund_unconfirmed', paymentId: paid.id, refundId: made.body.id }]);
  });
});
