import { createLinkPayment, listLinkPayments } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createBitcoinRefund, listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { statement } from '../../foundation/database/database.ts';

const discrepancies = statement<Record<string, never>, { kind: string }>(({ db }) =>
  db.selectFrom('discrepancies').select('kind'),
);
const pollsDue = statement<Record<string, never>, { id: string }>(({ db }) =>
  db.selectFrom('payments').select('id').where('nextPollAt', 'is not', null),
);

const refused = (reason: string, more: object = {}) => ({
  status: 409,
  body: { error: { metadata: { reason, ...more } } },
});
const kinds = [
  { kind: 'CANCEL' as const },
  { kind: 'REFUND_SALE' as const, amountInCents: 100 },
  { kind: 'REFUND' as const, amountInCents: 100 },
];

eachDatabase('the refusal of a refund:', database => {
  test('a payment handed to the bank states this, and when to try again', async () => {
    const { aLink, pay, refund, sandbox } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle('tender');
    const settling = refused('payment_settling', { retryAfter: expect.stringMatching(/^2026-.*Z$/) });
    expect(await refund(link.id, { kind: 'CANCEL' })).toMatchObject(settling);
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject(settling);
    sandbox.control.settle('complete');
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({ status: 201 });
  });

  test('a payment whose settlement the bank rejected has its own status, and is no longer polled', async () => {
    const { world, aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(2_600);
    await pay(link.id);
    sandbox.control.settle();
    for (const body of kinds)
      expect(await refund(link.id, body), body.kind).toMatchObject(refused('settlement_rejected'));
    expect(await client.call(listLinkPayments, { params: { id: link.id } }, { key })).toMatchObject({
      body: { items: [{ status: 'settlement_rejected' }] },
    });
    expect(await world.backend.database.all(discrepancies, {})).toEqual([{ kind: 'settlement_rejected' }]);
    expect(await world.backend.database.all(pollsDue, {})).toEqual([]);
  });

  test('a refund whose gateway is unreachable is recorded as failed, not as too early', async () => {
    const { aLink, pay, refund, sandbox, client, key } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    await sandbox.control.refuseConnections();
    const failed = await refund(
      link.id,
      { kind: 'REFUND_SALE', amountInCents: 400 },
      { idempotencyKey: 'refund-of-order-7' },
    );
    expect(failed).toMatchObject({
      status: 201,
      body: { kind: 'REFUND_SALE', status: 'failed', amountInCents: 400, paymentStatus: 'unsettled' },
    });
    if (failed.status !== 201) return;
    expect(failed.body).toMatchObject({
      failureCause: 'gateway_unreachable',
      gatewayMessage: expect.stringMatching(/could not be reached.*A new attempt needs a new Idempotency-Key/s),
    });
    await sandbox.control.acceptConnections();
    expect(await client.call(listRefunds, { query: {} }, { key })).toMatchObject({ body: { items: [failed.body] } });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 })).toMatchObject({
      status: 201,
      body: { status: 'approved', remainingInCents: 600 },
    });
  });

  test('a payment that took no money states why, each with its own reason', async () => {
    const { aLink, paymentToken, refund, sandbox, client, key } = await aShop(database);
    const attempt = async (amountInCents: number, arrange?: () => Promise<void>) => {
      const link = await aLink(amountInCents);
      const body = { paymentToken: await paymentToken() };
      await arrange?.();
      const paid = await client.call(createLinkPayment, { params: { id: link.id }, body }, { key });
      return { link, paid };
    };
    const declined = await attempt(12_000);
    expect(declined.paid).toMatchObject({ status: 201, body: { status: 'declined' } });
    sandbox.control.addFault({ kind: 'dropRequest', action: 'SALE' });
    const unknown = await attempt(1_000);
    expect(unknown.paid).toMatchObject({ status: 202, body: { status: 'pending' } });
    const neverSent = await attempt(1_000, () => sandbox.control.refuseConnections());
    await sandbox.control.acceptConnections();
    expect(neverSent.paid).toMatchObject({ status: 201, body: { status: 'failed' } });
    for (const body of kinds) {
      expect(await refund(declined.link.id, body), body.kind).toMatchObject(refused('payment_declined'));
      expect(await refund(unknown.link.id, body), body.kind).toMatchObject(refused('payment_outcome_unknown'));
      expect(await refund(neverSent.link.id, body), body.kind).toMatchObject(refused('payment_not_at_gateway'));
    }
    const paid = await attempt(1_000);
    const bitcoin = { params: { id: paid.link.id }, body: { amount: 5 } };
    expect(await client.call(createBitcoinRefund, bitcoin, { key })).toMatchObject(refused('not_a_bitcoin_payment'));
  });

  test('a bitcoin payment is not refunded to a card', async () => {
    const { world, aLink, pay, refund } = await aShop(database);
    const link = await aLink(1_000);
    const paid = await pay(link.id);
    await world.backend.database.write(tx => tx.run(madeBitcoin, { id: paid.id }));
    for (const body of kinds) {
      const reason = refused('not_a_card_payment');
      expect(await refund(link.id, body), body.kind).toMatchObject(reason);
      expect(await refund(link.id, { ...body, paymentId: paid.id }), body.kind).toMatchObject(reason);
    }
  });
});

/** There is no way yet to take one: a card payment turned into what one will look like. */
const madeBitcoin = statement<{ id: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ method: 'lightning', amountSats: 5_000, status: 'settled', gatewayReference: null, uniqueReference: null })
    .where('id', '=', arg('id')),
);
