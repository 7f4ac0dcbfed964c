import { getPaymentTimeline } from '@florin/shared/contracts/api-v1/payments.ts';
import { getRefund, resolveRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';

/** Lets the service's own time pass until something is true of it; what it waits for arrives over real HTTP. */
async function until(world: BackendWorld, isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await isTrue()) return;
    world.clock.advance({ seconds: 2 });
  }
  throw new Error('the condition was never met');
}

const evidence = 'The gateway’s own list of the day does not have it';

/** A refund of 600 that was lost on its way to the gateway, and a manager who resolves it. */
async function aRefundToResolve(database: DatabaseKind, { canBeLookedUp = true } = {}) {
  const shop = await aShop(database);
  const { client, key, sandbox, aLostRefund } = shop;
  if (!canBeLookedUp) sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 1_000 });
  const { id } = await aLostRefund(600);
  const params = { id };
  const resolve = () => client.call(resolveRefund, { params, body: { outcome: 'failed', evidence } }, { key });
  return { ...shop, params, resolve };
}

eachDatabase('refunds whose outcome is not known at once', database => {
  test.each(['loseReply', 'applyLate'] as const)(
    '%s: the response is 202, and the outcome is polled until it is known',
    async kind => {
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
      // The first response said that the record was not final, so a repetition returns its current state.
      expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 600 }, { idempotencyKey })).toMatchObject({
        status: 201,
        body: { id: asked.body.id, status: 'approved' },
        headers: { 'idempotency-replayed': 'true' },
      });
    },
  );

  test('the gateway’s signed callback settles a refund whose reply was lost', async () => {
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

  test('a manager resolves with evidence an outcome that the gateway did not report after enough polling', async () => {
    const { world, client, key, params, resolve } = await aRefundToResolve(database, { canBeLookedUp: false });
    const thin = await client.call(resolveRefund, { params, body: { outcome: 'failed', evidence: 'x' } }, { key });
    expect(thin).toMatchObject({ status: 400 });
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
      detail: { knownBy: 'manager', evidence },
    });
    expect(await resolve()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_not_pending' } } },
    });
  });

  test('the time stated with still_asking is kept, also if the polls before it are late', async () => {
    const { world, resolve } = await aRefundToResolve(database, { canBeLookedUp: false });
    const retryAfter = async () => {
      const refused = await resolve();
      if (refused.status !== 409) throw new Error(JSON.stringify(refused.body));
      return String(refused.body.error.metadata?.retryAfter);
    };
    const first = await retryAfter();
    world.clock.advance({ minutes: 5 });
    expect(await retryAfter()).toBe(first);
    world.clock.advance({ ms: Date.parse(first) - world.clock.now() - 1 });
    expect(await retryAfter()).toBe(first);
    world.clock.advance({ ms: 1 });
    expect(await resolve()).toMatchObject({ status: 200, body: { status: 'failed' } });
  });

  test('a clock that jumps forward neither fails a refund nor allows evidence', async () => {
    const { world, client, key, params, resolve } = await aRefundToResolve(database);
    const read = async () => {
      const found = await client.call(getRefund, { params }, { key });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return found.body;
    };
    for (const polls of ['1 time', '2 times', '3 times']) {
      world.clock.step({ hours: 24 });
      await until(world, async () => (await read()).pendingDetail?.includes(`polled ${polls}`) ?? true);
      expect(await read()).toMatchObject({ status: 'pending', remainingInCents: 400 });
    }
    expect(await resolve()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'still_asking' } } },
    });
  });
});
