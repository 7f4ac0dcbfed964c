import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { getRefund, resolveRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant, refundApproval } from '../../../test/support/shop.ts';
import { statement } from '../../foundation/database/database.ts';
import type { VerificationFailure } from '../../gateways/gateway.ts';
import type { FaultInput } from '../../programs/sandbox/card-gateway/faults.ts';
import type { DiscrepancyRow } from '../discrepancies/rows.ts';

const discrepanciesOf = statement<{ businessId: string }, DiscrepancyRow>(({ db }, arg) =>
  db.selectFrom('discrepancies').selectAll().where('businessId', '=', arg('businessId')).orderBy('createdAt'),
);

const pollCountOf = statement<{ id: string }, { pollCount: number }>(({ db }, arg) =>
  db.selectFrom('payments').select('pollCount').where('id', '=', arg('id')),
);

/** A refund of 300 whose outcome is not known, and the gateway's way to post about it. */
async function aPendingRefund(database: DatabaseKind) {
  const { world, client, sandbox, business, key, aLostRefund, postCallback } = await aShop(database, merchant, {
    env: { METRICS_PORT: '0' },
  });
  const { id, payment } = await aLostRefund(300);
  return {
    world,
    sandbox,
    payment,
    resolve: () =>
      client.call(
        resolveRefund,
        { params: { id }, body: { outcome: 'failed', evidence: 'The gateway’s own list shows another refund' } },
        { key },
      ),
    post: (changes: Readonly<Record<string, string>> = {}, secret?: string) =>
      postCallback({ ...refundApproval(id, 300), ...changes }, secret),
    async read() {
      const found = await client.call(getRefund, { params: { id } }, { key });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return found.body;
    },
    async discrepancies() {
      const rows = await world.backend.database.all(discrepanciesOf, { businessId: business.id });
      return rows.map(({ kind, refundId, contestedMinor, gatewayJson }) => ({
        kind,
        refundId,
        contestedMinor,
        gateway: JSON.parse(gatewayJson),
      }));
    },
  };
}

eachDatabase('a callback about a pending refund', database => {
  test('settles it if it matches', async () => {
    const { post, read, discrepancies, world } = await aPendingRefund(database);
    expect(await post()).toEqual({ status: 200, body: { taken: true } });
    expect(await read()).toMatchObject({ status: 'approved' });
    expect(await discrepancies()).toEqual([]);
    const repeated = 'an accepted gateway callback was posted again';
    expect(world.logged()).not.toContain(repeated);
    expect(await post()).toEqual({ status: 200, body: { taken: true } });
    expect(world.logged()).toContain(repeated);
    expect(await (await fetch(world.metricsUrl ?? '')).text()).toContain('florin_gateway_callbacks_repeated_total 1\n');
  });

  test.each([
    ['of another operation', { action: 'REFUND' }, 'callback_operation_differs'],
    ['in another currency', { currencyCode: '392' }, 'callback_currency_differs'],
    ['of another merchant', { merchantID: '100002' }, 'callback_merchant_differs'],
    [
      'that another merchant processed',
      { requestMerchantID: '100001', merchantID: '100002' },
      'callback_merchant_differs',
    ],
    ['of another amount', { amount: '900' }, 'refund_amount_differs'],
    ['of an amount spelled in pounds', { amount: '3.00' }, 'refund_amount_differs'],
    ['that contradicts itself', { state: 'finished' }, 'callback_contradictory'],
  ])('%s changes nothing, and is listed once', async (_, changes, kind) => {
    const { post, read, discrepancies } = await aPendingRefund(database);
    expect(await post(changes)).toEqual({ status: 200, body: { taken: false } });
    await post(changes);
    const { id, status } = await read();
    expect(status).toBe('pending');
    expect(await discrepancies()).toMatchObject([
      { kind, refundId: id, gateway: { approved: true, knownBy: 'callback' } },
    ]);
  });

  test('under the reference of its payment changes nothing', async () => {
    const { post, read, discrepancies, payment } = await aPendingRefund(database);
    await post({ xref: payment.gatewayReference ?? '' });
    expect((await read()).status).toBe('pending');
    expect(await discrepancies()).toMatchObject([{ kind: 'callback_gateway_reference_differs' }]);
  });

  test('with another signature is refused and listed', async () => {
    const { post, read, discrepancies } = await aPendingRefund(database);
    expect(await post({}, 'another secret')).toMatchObject({
      status: 400,
      body: { error: { metadata: { reason: 'callback_not_genuine' } } },
    });
    expect((await read()).status).toBe('pending');
    expect(await discrepancies()).toMatchObject([{ kind: 'callback_bad_signature' }]);
  });

  test('with an unlisted code decides nothing', async () => {
    const { post, read } = await aPendingRefund(database);
    expect(await post({ responseCode: '65999', state: 'finished' })).toMatchObject({ status: 200 });
    expect((await read()).status).toBe('pending');
  });

  test('about another amount keeps it reserved until a person decides', async () => {
    const { world, post, read, resolve, discrepancies } = await aPendingRefund(database);
    await post({ amount: '900' });
    // "No such operation" is final after fourteen polls.
    const polls = async () => {
      world.clock.advance({ seconds: 10 });
      return Number(/polled (\d+) times/.exec((await read()).pendingDetail ?? '')?.[1] ?? 0);
    };
    await expect.poll(polls, { interval: 2, timeout: 30_000 }).toBeGreaterThan(16);
    // The gateway moved more than was reserved for the refund, so the difference is reserved too.
    expect(await read()).toMatchObject({ status: 'pending', remainingInCents: 100 });
    const [found] = await discrepancies();
    expect(found).toMatchObject({ kind: 'refund_amount_differs', contestedMinor: 600 });
    expect(await resolve()).toMatchObject({ status: 200, body: { status: 'failed', remainingInCents: 400 } });
  });

  test('that approves it a second time, under another reference, is listed, and the same amount is held once more', async () => {
    const { post, read, discrepancies } = await aPendingRefund(database);
    await post();
    expect(await read()).toMatchObject({ status: 'approved', remainingInCents: 700 });
    await post({ xref: '26112100AA00AA00AA00AAC' });
    await post({ xref: '26112100AA00AA00AA00AAC' });
    await post();
    expect(await discrepancies()).toMatchObject([
      { kind: 'refund_approved_twice', contestedMinor: 300, gateway: { gatewayReference: '26112100AA00AA00AA00AAC' } },
    ]);
    expect(await read()).toMatchObject({ status: 'approved', remainingInCents: 400 });
  });

  test('that approves under two references a refund that a person had marked as failed is listed once for each', async () => {
    const { world, sandbox, resolve, post, discrepancies } = await aPendingRefund(database);
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    for (let turn = 0; turn < 1_000 && (await resolve()).status !== 200; turn += 1) world.clock.advance({ seconds: 2 });
    for (const xref of ['26112100AA00AA00AA00AAB', '26112100AA00AA00AA00AAC']) {
      await post({ xref });
      await post({ xref });
      world.clock.advance({ seconds: 1 });
    }
    expect(await discrepancies()).toMatchObject([
      { kind: 'refund_approved_late', gateway: { gatewayReference: '26112100AA00AA00AA00AAB' } },
      { kind: 'refund_approved_late', gateway: { gatewayReference: '26112100AA00AA00AA00AAC' } },
    ]);
  });
});

const declined = { responseCode: '5', responseMessage: 'DECLINED', state: 'declined' };

eachDatabase('a callback that declines a refund', database => {
  test('which was approved is listed, and the refund stays approved', async () => {
    const { post, read, discrepancies } = await aPendingRefund(database);
    await post();
    expect(await post(declined)).toMatchObject({ status: 200 });
    expect(await discrepancies()).toMatchObject([{ kind: 'refund_declined_late', contestedMinor: 0 }]);
    expect(await read()).toMatchObject({ status: 'approved', remainingInCents: 700 });
  });

  test('which a person had marked as failed agrees with them', async () => {
    const { world, sandbox, resolve, post, read, discrepancies } = await aPendingRefund(database);
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    for (let turn = 0; turn < 1_000 && (await resolve()).status !== 200; turn += 1) world.clock.advance({ seconds: 2 });
    expect(await post(declined)).toMatchObject({ status: 200 });
    expect(await discrepancies()).toEqual([]);
    expect(await read()).toMatchObject({ status: 'failed', remainingInCents: 1_000 });
  });
});

eachDatabase('a callback about a payment', database => {
  test('about another amount keeps it pending, although the gateway has no record of it', async () => {
    const { world, client, sandbox, aLink, tryToPay, postCallback, business, key } = await aShop(database);
    sandbox.control.addFault({ kind: 'dropRequest', action: 'SALE' });
    const link = await aLink(1_000);
    const lost = await tryToPay(link.id);
    if (lost.status !== 202) throw new Error(JSON.stringify(lost.body));
    const { id } = lost.body;
    const fields = { ...refundApproval(id, 1_500), action: 'SALE', amountReceived: '1500' };
    expect(await postCallback(fields)).toMatchObject({ status: 200 });
    const polls = async () => {
      world.clock.advance({ seconds: 10 });
      const read = await client.call(getPayment, { params: { id } }, { key });
      expect(read).toMatchObject({ status: 200, body: { status: 'pending' } });
      const [row] = await world.backend.database.all(pollCountOf, { id });
      return row?.pollCount;
    };
    await expect.poll(polls, { interval: 2, timeout: 30_000 }).toBeGreaterThan(16);
    const found = await world.backend.database.all(discrepanciesOf, { businessId: business.id });
    expect(found).toMatchObject([{ kind: 'payment_amount_differs', paymentId: id }]);
  });

  test('that declines it after it was approved is listed, and the payment stays paid', async () => {
    const { world, aLink, pay, postCallback, business } = await aShop(database);
    const paid = await pay((await aLink(1_000)).id);
    const fields = { merchantID: '100001', action: 'SALE', transactionUnique: paid.id, amount: '1000' };
    const xref = paid.gatewayReference ?? '';
    expect(await postCallback({ ...fields, ...declined, xref, currencyCode: '826' })).toMatchObject({ status: 200 });
    const found = await world.backend.database.all(discrepanciesOf, { businessId: business.id });
    expect(found).toMatchObject([{ kind: 'payment_declined_late', paymentId: paid.id }]);
  });

  test('that finds it ended after it was voided is no contradiction: the customer pays nothing either way', async () => {
    const { world, aLink, pay, refund, postCallback, business } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({ status: 201, body: { status: 'approved' } });
    const fields = { merchantID: '100001', action: 'SALE', transactionUnique: paid.id, amount: '1000' };
    const xref = paid.gatewayReference ?? '';
    expect(await postCallback({ ...fields, ...declined, xref, currencyCode: '826' })).toMatchObject({ status: 200 });
    expect(await world.backend.database.all(discrepanciesOf, { businessId: business.id })).toEqual([]);
  });

  test('that approves it a second time, under another reference, is a double refund that is reported', async () => {
    const { world, aLink, pay, postCallback, business } = await aShop(database);
    const paid = await pay((await aLink(1_000)).id);
    const approval = {
      merchantID: '100001',
      action: 'SALE',
      responseCode: '0',
      state: 'captured',
      transactionUnique: paid.id,
      amount: '1000',
      amountReceived: '1000',
      currencyCode: '826',
    };
    await postCallback({ ...approval, xref: paid.gatewayReference ?? '' });
    const found = () => world.backend.database.all(discrepanciesOf, { businessId: business.id });
    expect(await found()).toEqual([]);
    const second = await postCallback({ ...approval, xref: '26112100AA00AA00AA00AAD' });
    expect(second).toMatchObject({ status: 200 });
    expect(await found()).toMatchObject([{ kind: 'payment_approved_twice', paymentId: paid.id }]);
    expect(world.logged()).toContain('"kind":"payment_approved_twice"');
  });
});

eachDatabase('every callback', database => {
  test('is logged if it is repeated, or genuine and about an unknown operation', async () => {
    const { post, read, world, discrepancies } = await aPendingRefund(database);
    const { id } = await read();
    for (const _ of [1, 2]) expect(await post()).toMatchObject({ status: 200, body: { taken: true } });
    const taken = world
      .logged()
      .split('\n')
      .filter(line => line.includes('accepted a gateway callback') && line.includes(id));
    expect(taken).toHaveLength(2);
    expect(await post({ transactionUnique: 'ref_nobody' })).toMatchObject({ status: 200, body: { taken: false } });
    expect(world.logged()).toMatch(/"uniqueReference":"ref_nobody".*names no operation of this account/);
    expect(await discrepancies()).toEqual([]);
  });
});

eachDatabase('a reply that fails verification', database => {
  test.each<[string, FaultInput, VerificationFailure]>([
    ['of another merchant', { kind: 'wrongEcho', fields: { requestMerchantID: '100002' } }, 'merchant_differs'],
    ['to another request', { kind: 'wrongEcho', fields: { transactionUnique: 'ref_old' } }, 'reference_differs'],
    ['of another amount', { kind: 'wrongEcho', fields: { amount: '900' } }, 'amount_differs'],
    ['with a wrong signature', { kind: 'badSignature' }, 'bad_signature'],
  ])('%s is listed and logged, for refunds and sales, and the outcome is looked up', async (_, fault, cause) => {
    const { world, business, sandbox, aLink, pay, tryToPay, refund } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ ...fault, action: 'REFUND_SALE', callback: false });
    const pending = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    expect(pending).toMatchObject({ status: 202, body: { status: 'pending' } });
    sandbox.control.addFault({ ...fault, action: 'SALE', callback: false });
    expect((await tryToPay((await aLink(500)).id)).body).toMatchObject({ status: 'pending' });
    const rows = await world.backend.database.all(discrepanciesOf, { businessId: business.id });
    const shown = rows.map(({ kind, refundId, gatewayJson }) => ({ kind, refundId, gateway: JSON.parse(gatewayJson) }));
    const notBelieved = { kind: 'reply_not_believed', gateway: { cause } };
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual({ ...notBelieved, refundId: pending.status === 202 ? pending.body.id : '' });
    expect(shown).toContainEqual({ ...notBelieved, refundId: null });
    expect(world.logged()).toContain(`"cause":"${cause}"`);
  });

  test('stays listed when the outcome is known, until a person acknowledges it', async () => {
    const { world, client, key, sandbox, aLink, pay, refund } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'badSignature', action: 'REFUND_SALE', callback: false });
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    const params = { id: asked.body.id };
    for (let turn = 0; turn < 30; turn += 1) {
      world.clock.advance({ seconds: 2 });
      const read = await client.call(getRefund, { params }, { key });
      if (read.status === 200 && read.body.status === 'approved') break;
    }
    expect(await client.call(getRefund, { params }, { key })).toMatchObject({ body: { status: 'approved' } });
    const open = await client.call(listDiscrepancies, { query: { status: 'open' } }, { key });
    if (open.status !== 200) throw new Error(JSON.stringify(open.body));
    expect(open.body.items).toMatchObject([
      { kind: 'reply_not_believed', refundId: asked.body.id, needs: 'acknowledgement', contestedInCents: 0 },
    ]);
    const body = { outcome: 'records_right', evidence: 'The gateway renewed its certificate this morning' } as const;
    const seen = { params: { id: open.body.items[0]?.id ?? '' }, body };
    expect(await client.call(resolveDiscrepancy, seen, { key })).toMatchObject({ status: 200 });
    expect(await client.call(getRefund, { params }, { key })).toMatchObject({ body: { status: 'approved' } });
  });

  test('is reported, unlike a missing reply', async () => {
    const { world, business, sandbox, aLink, tryToPay } = await aShop(database);
    sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', callback: false });
    expect((await tryToPay((await aLink(500)).id)).body).toMatchObject({ status: 'pending' });
    expect(await world.backend.database.all(discrepanciesOf, { businessId: business.id })).toEqual([]);
  });
});
