import { deletePaymentLink, getPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPaymentTimeline } from '@florin/shared/contracts/api-v1/payments.ts';
import { createBitcoinRefund, getRefund, listRefunds, resolveRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog, listVoidLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { createStaffChallenge, getTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { completeSale, getSale, listSales, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { type KeyPair, keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type BackendWorld, eachDatabase } from '../../test/support/backend.ts';
import { aShop, merchant } from '../../test/support/shop.ts';
import { aTill } from '../../test/support/till.ts';

/** Lets the service's own time pass until something is true of it; what it waits for arrives over real HTTP. */
async function until(world: BackendWorld, isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await isTrue()) return;
    world.clock.advance({ seconds: 2 });
  }
  throw new Error('it never became true');
}

eachDatabase('refunds over HTTP', database => {
  test('an unsettled payment is cancelled, a settled one refunded, in the words of the specification', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    expect(paid).toMatchObject({ status: 'unsettled', invoiceNumber: 'INV-000001', cardLastFour: '0821' });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      status: 409,
      body: { error: { code: 409, metadata: { reason: 'payment_not_settled' } } },
    });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 201,
      body: {
        kind: 'CANCEL',
        status: 'approved',
        amountInCents: 1_000,
        remainingInCents: 0,
        paymentStatus: 'cancelled',
      },
    });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: 'Payment has already been cancelled',
          metadata: { reason: 'payment_already_cancelled' },
        },
      },
    });

    const second = await aLink(1_000);
    await pay(second.id);
    sandbox.control.settle();
    expect(await refund(second.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_already_settled' } } },
    });
    expect(await refund(second.id, { kind: 'REFUND_SALE', amountInCents: 300, reason: 'torn' })).toMatchObject({
      status: 201,
      body: { status: 'approved', reason: 'torn', remainingInCents: 700, paymentStatus: 'partly_refunded' },
    });
    expect(await refund(second.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { message: 'Payment has already been refunded' } },
    });
    expect(await refund(second.id, { kind: 'REFUND_SALE', amountInCents: 701 })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: 'Refund exceeds original sale amount',
          metadata: { reason: 'refund_exceeds_payment', remaining: 700 },
        },
      },
    });
  });

  test('a key without refunds:write gets 403 for REFUND and works for the other kinds', async () => {
    const { aLink, pay, refund, business, sandbox } = await aShop(database);
    const key = await business.key('take-payments:write');
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 2_000 }, { key })).toMatchObject({
      status: 403,
      body: { error: { metadata: { missingPermissions: ['refunds:write'] } } },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 }, { key })).toMatchObject({ status: 201 });
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 2_000 })).toMatchObject({
      status: 201,
      body: { kind: 'REFUND', status: 'approved', amountInCents: 2_000 },
    });
  });

  test('an approved REFUND counts against what a REFUND_SALE may still return, and in the status', async () => {
    const { aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 700 })).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 300, paymentStatus: 'partly_refunded' },
    });
    expect(await client.call(getPaymentLink, { params: { id: link.id } }, { key })).toMatchObject({
      body: { payments: [{ status: 'partly_refunded' }] },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 301 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 300 } } },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      status: 201,
      body: { remainingInCents: 200, paymentStatus: 'partly_refunded' },
    });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 200 })).toMatchObject({
      status: 201,
      body: { remainingInCents: 0, paymentStatus: 'refunded' },
    });
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 5_000 })).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 0, paymentStatus: 'refunded' },
    });
    expect(await client.call(getPaymentLink, { params: { id: link.id } }, { key })).toMatchObject({
      body: { payments: [{ status: 'refunded' }] },
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000, returnedMinor: 6_000 }]);
  });

  test('a REFUND of an unsettled payment excludes its void, and what is left waits for the settlement', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const body = { status: 'approved', remainingInCents: 700, paymentStatus: 'partly_refunded' };
    expect(await refund(link.id, { kind: 'REFUND', amountInCents: 300 })).toMatchObject({ status: 201, body });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_already_refunded' } } },
    });
    const rest = { kind: 'REFUND_SALE', amountInCents: 700 } as const;
    expect(await refund(link.id, rest)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_settling', retryAfter: expect.stringMatching(/Z$/) } } },
    });
    sandbox.control.settle();
    expect(await refund(link.id, rest)).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 0, paymentStatus: 'refunded' },
    });
  });

  test('R1, R2, R3: parallel refunds, repeated calls and a reused key', async () => {
    const { aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    const same = { idempotencyKey: 'order-7' };
    const repeated = await Promise.all(
      Array.from({ length: 20 }, () => refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 }, same)),
    );
    expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(repeated.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 101 }, same)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'idempotency_key_reused' } } },
    });
    const parallel = await Promise.all(
      Array.from({ length: 50 }, () => refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })),
    );
    expect(parallel.filter(({ status }) => status === 201)).toHaveLength(9);
    expect(parallel.filter(({ status }) => status === 409)).toHaveLength(41);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000, returnedMinor: 1_000 }]);
    const listed = await client.call(listRefunds, { query: { limit: 4 } }, { key });
    expect(listed).toMatchObject({ status: 200 });
    if (listed.status !== 200) return;
    expect(listed.body.items).toHaveLength(4);
    const rest = await client.call(
      listRefunds,
      { query: { limit: 100, cursor: listed.body.nextCursor ?? '' } },
      { key },
    );
    expect(rest).toMatchObject({ status: 200, body: { nextCursor: null } });
    expect(rest.status === 200 && rest.body.items).toHaveLength(6);
  });

  test.each(['loseReply', 'applyLate'] as const)('%s: 202, then asked after until it is known', async kind => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault(
      kind === 'loseReply'
        ? { kind, action: 'REFUND_SALE', callback: false }
        : { kind, action: 'REFUND_SALE', callback: false, delayMs: 50 },
    );
    const idempotencyKey = `key-${kind}`;
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 }, { idempotencyKey });
    expect(asked).toMatchObject({ status: 202, body: { status: 'pending', remainingInCents: 400, settledAt: null } });
    if (asked.status !== 202) return;
    expect(asked.body.pendingDetail).toContain('stays reserved');
    const read = () => client.call(getRefund, { params: { id: asked.body.id } }, { key });
    await until(world, async () => {
      const found = await read();
      return found.status === 200 && found.body.status !== 'pending';
    });
    expect(await read()).toMatchObject({ body: { status: 'approved', pendingDetail: null, remainingInCents: 400 } });
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 600 }]);
    // The first response said that the record was not final: a repetition shows it as it is now.
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 }, { idempotencyKey })).toMatchObject({
      status: 201,
      body: { id: asked.body.id, status: 'approved' },
      headers: { 'idempotency-replayed': 'true' },
    });
  });

  test('the gateway’s signed callback settles what its lost reply left open', async () => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: true });
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 });
    if (asked.status !== 201 && asked.status !== 202) throw new Error('refused');
    await until(world, async () => {
      const found = await client.call(getRefund, { params: { id: asked.body.id } }, { key });
      return found.status === 200 && found.body.status === 'approved';
    });
  });

  test('a gateway that refuses the connection fails the refund at once; it can be retried', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    // Learn of the settlement while the gateway is still there.
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 1 });
    await sandbox.control.refuseConnections();
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 500 })).toMatchObject({
      status: 201,
      body: {
        status: 'failed',
        remainingInCents: 999,
        gatewayMessage: expect.stringContaining('A new attempt needs a new Idempotency-Key'),
      },
    });
    await sandbox.control.acceptConnections();
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 500 })).toMatchObject({
      body: { status: 'approved' },
    });
  });

  test('a manager resolves with evidence what the gateway could not tell, once it was asked for long enough', async () => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 1_000 });
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    const params = { id: asked.body.id };
    const thin = await client.call(resolveRefund, { params, body: { outcome: 'failed', evidence: 'x' } }, { key });
    expect(thin).toMatchObject({ status: 400 });
    const body = { outcome: 'failed', evidence: 'The gateway’s own list of the day does not have it' } as const;
    const resolve = () => client.call(resolveRefund, { params, body }, { key });
    expect(await resolve()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'still_asking', retryAfter: expect.stringMatching(/^2026-11-21T09:4/) } } },
    });
    const startedAt = world.clock.now();
    await until(world, async () => (await resolve()).status === 200);
    expect(world.clock.now() - startedAt).toBeGreaterThan(9.5 * 60_000);
    const found = await client.call(getRefund, { params }, { key });
    expect(found).toMatchObject({ body: { status: 'failed', remainingInCents: 1_000 } });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    const about = { params: { id: found.body.paymentId }, query: {} };
    const timeline = await client.call(getPaymentTimeline, about, { key });
    expect(timeline.status === 200 && timeline.body.items.at(-1)).toMatchObject({
      kind: 'refund_failed',
      by: { kind: 'api_key' },
      detail: { knownBy: 'manager', evidence: body.evidence },
    });
    expect(await resolve()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_not_pending' } } },
    });
  });

  test('the time that still_asking names holds, also where the polls up to it come late', async () => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 1_000 });
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    const params = { id: asked.body.id };
    const body = { outcome: 'failed', evidence: 'The gateway’s own list of the day does not have it' } as const;
    const resolve = () => client.call(resolveRefund, { params, body }, { key });
    const told = async () => {
      const refused = await resolve();
      if (refused.status !== 409) throw new Error(JSON.stringify(refused.body));
      return String(refused.body.error.metadata?.retryAfter);
    };
    const first = await told();
    world.clock.advance({ minutes: 5 });
    expect(await told()).toBe(first);
    world.clock.advance({ ms: Date.parse(first) - world.clock.now() - 1 });
    expect(await told()).toBe(first);
    world.clock.advance({ ms: 1 });
    expect(await resolve()).toMatchObject({ status: 200, body: { status: 'failed' } });
  });

  test('a clock that jumps forward neither gives a refund up nor lets evidence in', async () => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    const params = { id: asked.body.id };
    const read = async () => {
      const found = await client.call(getRefund, { params }, { key });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return found.body;
    };
    for (const polls of ['1 time', '2 times', '3 times']) {
      world.clock.step({ hours: 24 });
      await until(world, async () => (await read()).pendingDetail?.includes(`asked ${polls}`) ?? true);
      expect(await read()).toMatchObject({ status: 'pending', remainingInCents: 400 });
    }
    const body = { outcome: 'failed', evidence: 'The gateway’s own list of the day does not have it' } as const;
    expect(await client.call(resolveRefund, { params, body }, { key })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'still_asking' } } },
    });
  });

  test('R11 and other input: refused with 400 and nothing half-written', async () => {
    const { world, aLink, pay, sandbox, key, client } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const send = async (body: string) =>
      (
        await fetch(`${world.url}/api/v1/payment-links/${link.id}/refunds/card`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body,
        })
      ).status;
    for (const amount of ['0', '-1', '0.5', '"100"', 'null', '[100]', '9007199254740993', '1e400'])
      expect(await send(`{"kind":"REFUND_SALE","amountInCents":${amount}}`), amount).toBe(400);
    expect(await send('{"kind":"REFUND_SALE","amountInCents":1,"amountInCents":100}')).toBe(400);
    expect(await send('{"kind":"CANCEL","amountInCents":1000}')).toBe(400);
    expect(await send('{"kind":"REFUND_SALE"}')).toBe(400);
    expect(await send('{"kind":"VOID"}')).toBe(400);
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 0 }]);
    expect(await client.call(listRefunds, { query: {} }, { key })).toMatchObject({ body: { items: [] } });
  });

  test('what belongs to another business does not exist', async () => {
    const { world, aLink, pay, client, refund } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    const stranger = await (await world.aBusiness({ name: 'Other' })).key(...merchant);
    expect(await refund(link.id, { kind: 'CANCEL' }, { key: stranger })).toMatchObject({ status: 404 });
    expect(await client.call(getPaymentLink, { params: { id: link.id } }, { key: stranger })).toMatchObject({
      status: 404,
    });
    expect(await refund('pl_00000000', { kind: 'CANCEL' })).toMatchObject({ status: 404 });
  });

  test('a link paid in parts: balance, refusals, and a refund that has to name its payment', async () => {
    const { aLink, pay, refund, client, key, sandbox } = await aShop(database);
    const link = await aLink(1_000, { allowPartPayment: true });
    const first = await pay(link.id, 400);
    const read = () => client.call(getPaymentLink, { params: { id: link.id } }, { key });
    expect(await read()).toMatchObject({ body: { status: 'PARTIALLY_PAID', balanceInCents: 600 } });
    await expect(pay(link.id, 601)).rejects.toThrow('amount_exceeds_balance');
    const second = await pay(link.id);
    expect(await read()).toMatchObject({ body: { status: 'PAID', balanceInCents: 0 } });
    await expect(pay(link.id, 100)).rejects.toThrow('payment_link_paid');
    expect(await client.call(deletePaymentLink, { params: { id: link.id } }, { key })).toMatchObject({ status: 409 });
    sandbox.control.settle();
    const asked = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    expect(asked).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'payment_not_identified' } } } });
    if (asked.status === 409) {
      const { paymentIds } = asked.body.error.metadata as { paymentIds?: string[] };
      expect(new Set(paymentIds)).toEqual(new Set([first.id, second.id]));
    }
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100, paymentId: first.id })).toMatchObject({
      status: 201,
      body: { paymentId: first.id, remainingInCents: 300 },
    });
    const unpaid = await aLink(1_000);
    expect(await refund(unpaid.id, { kind: 'CANCEL' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_not_at_gateway' } } },
    });
    const bitcoin = await client.call(createBitcoinRefund, { params: { id: link.id }, body: { amount: 5 } }, { key });
    expect(bitcoin).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'not_a_bitcoin_payment' } } } });
  });

  test('at the till: sale, void and refund with staff ID and password, and the logs of it', async () => {
    const { world, client, business, sandbox } = await aShop(database);
    const manager = await business.key('team:read', 'team:write', 'devices:write', 'devices:read');
    const till = await aTill(world, manager);
    const { staff, temporaryPassword } = await till.hire({ staffNumber: '104', dailyLimitInCents: 900 });
    const key = till.token;

    const sold = await till.sell(1_000);
    expect(sold).toMatchObject({ status: 'unsettled', action: 'void', remainingInCents: 1_000 });
    expect(await till.sell(1_000, sold.saleId)).toEqual(sold);
    await client.call(completeSale, { params: { saleId: sold.saleId } }, { key });
    expect(
      await client.call(reverseSale, { params: { saleId: sold.saleId }, body: { reason: 'card_refused' } }, { key }),
    ).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'sale_completed' } } } });

    const paymentId = sold.paymentId ?? '';
    const tempKeys = await till.keysOf('104', temporaryPassword ?? '');
    expect(await till.request({ paymentId, kind: 'CANCEL' }, '104', tempKeys)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'password_change_required' } } },
    });
    const keys = await till.changePassword('104', tempKeys, 'my own password');

    const voided = await till.request({ paymentId, kind: 'CANCEL', requestId: 'request-1' }, '104', keys);
    expect(voided).toMatchObject({
      status: 201,
      body: {
        refund: { status: 'approved', staff: { staffNumber: '104' } },
        sale: { status: 'cancelled', action: 'none' },
      },
    });
    expect(await client.call(getTerminalRefund, { params: { requestId: 'request-1' } }, { key })).toMatchObject({
      status: 200,
      body: { refund: { kind: 'CANCEL', status: 'approved' } },
    });

    const second = await till.sell(1_000);
    sandbox.control.settle();
    const refund = (amountInCents: number, signedBy: KeyPair) =>
      till.request({ paymentId: second.paymentId ?? '', kind: 'REFUND_SALE', amountInCents }, '104', signedBy);
    expect(await refund(250, keys)).toMatchObject({ status: 201, body: { sale: { remainingInCents: 750 } } });
    expect(await refund(700, keys)).toMatchObject({
      status: 409,
      body: { error: { message: 'Daily limit reached!', metadata: { reason: 'daily_limit_exceeded' } } },
    });
    const wrong = keyPairOf(Buffer.alloc(32, 9));
    for (let attempt = 1; attempt < 5; attempt += 1)
      expect(await refund(100, wrong)).toMatchObject({
        status: 403,
        body: { error: { message: 'Incorrect password' } },
      });
    expect(await refund(100, wrong)).toMatchObject({
      status: 429,
      body: { error: { metadata: { reason: 'staff_locked', retryAfterSeconds: 300 } } },
    });
    const challenge = await client.call(createStaffChallenge, { body: { staffNumber: '104' } }, { key });
    expect(challenge).toMatchObject({ status: 429 });
    expect(await client.call(createStaffChallenge, { body: { staffNumber: '999' } }, { key })).toMatchObject({
      status: 404,
      body: { error: { message: 'Incorrect staff ID', metadata: { reason: 'staff_unknown' } } },
    });
    await client.call(unlockStaff, { params: { id: staff.id } }, { key: manager });
    expect(await refund(100, keys)).toMatchObject({ status: 201 });

    const refundLog = await client.call(listRefundLog, { query: {} }, { key: manager });
    expect(refundLog.status === 200 && refundLog.body.items.map(({ status, reason }) => reason ?? status)).toEqual([
      'authorized',
      ...Array.from({ length: 5 }, () => 'invalid_signature'),
      'daily_limit_exceeded',
      'authorized',
    ]);
    const failed = await client.call(listRefundLog, { query: { status: 'failed', limit: 2 } }, { key: manager });
    expect(failed).toMatchObject({ body: { items: [{ staff: { id: staff.id } }, {}] } });
    expect(failed.status === 200 && failed.body.nextCursor).toBeTruthy();
    expect(await client.call(listVoidLog, { query: { staffId: staff.id } }, { key: manager })).toMatchObject({
      body: {
        items: [
          {
            status: 'authorized',
            amountInCents: null,
            terminal: { id: till.terminalId, name: 'Till 1' },
            sale: { invoiceNumber: 'INV-000001', amountInCents: 1_000, currency: 'GBP' },
          },
          { status: 'failed', reason: 'permission_denied', detail: 'password_change_required' },
        ],
      },
    });
    expect(await world.backend.services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
    const listed = await client.call(listSales, { query: {} }, { key });
    expect(listed).toMatchObject({ body: { items: [{ saleId: second.saleId }, { saleId: sold.saleId }] } });
  });

  test('a sale given up before its authorisation arrived is not sent to the bank', async () => {
    const { world, client, business, sandbox } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write', 'devices:read', 'team:write'));
    const saleId = 'sale_00000099';
    const key = till.token;
    const given = await client.call(
      reverseSale,
      { params: { saleId }, body: { reason: 'customer_cancelled' } },
      { key },
    );
    expect(given).toMatchObject({ status: 404 });
    await expect(till.sell(1_000, saleId)).rejects.toThrow('sale_given_up');
    expect(await client.call(getSale, { params: { saleId } }, { key })).toMatchObject({ status: 404 });
    expect(sandbox.control.ledger()).toEqual([]);
    const sold = await till.sell(1_200);
    const reversed = await client.call(
      reverseSale,
      { params: { saleId: sold.saleId }, body: { reason: 'card_refused' } },
      { key },
    );
    expect(reversed).toMatchObject({ status: 200, body: { status: 'cancelled', action: 'none' } });
  });
});
