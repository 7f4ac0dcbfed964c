import { completeSale, getSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';

type Line = { type: string; payloadJson: string };
const timeline = statement<Record<string, never>, Line>(({ db }) =>
  db.selectFrom('events').select(['type', 'payloadJson']).where('paymentId', 'is not', null),
);

/** A till whose next sale the bank is willing to pay a part of. */
async function aTillWithAPoorCard(database: DatabaseKind, { loseReply = false } = {}) {
  const { world, business, client, sandbox } = await aShop(database);
  const till = await aTill(world, await business.key('devices:write'));
  sandbox.control.addFault({
    kind: 'approvePartly',
    action: 'CARD_PRESENT',
    amountMinor: 400,
    loseReply,
    callback: !loseReply,
  });
  const read = async (saleId: string) => {
    const found = await client.call(getSale, { params: { saleId } }, { key: till.token });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  const timelineLines = async () => await world.backend.database.all(timeline, {});
  /** Advances the service's time until the sale has this state, and lets HTTP requests complete meanwhile. */
  async function becomes(saleId: string, wanted: string): Promise<void> {
    const status = async () => {
      world.clock.advance({ seconds: 5 });
      return (await read(saleId)).status;
    };
    await expect.poll(status, { interval: 20, timeout: 30_000 }).toBe(wanted);
  }
  const voided = (saleId: string) => becomes(saleId, 'cancelled');
  return { till, client, sandbox, read, timelineLines, becomes, voided };
}

eachDatabase('a partial approval at a till', database => {
  test('is reversed at once: the part is returned, and the sale does not count', async () => {
    const { till, sandbox, read, timelineLines, voided } = await aTillWithAPoorCard(database);
    const { saleId, reversal } = await till.sell(1_000);
    expect(reversal?.reason).toBe('partial_approval');
    // The first of the gateway's reply and callback started the void; the other may have been processed sooner.
    await voided(saleId);
    const sold = await read(saleId);
    expect(sold).toMatchObject({ amountInCents: 1_000, remainingInCents: 0, action: 'none' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'canceled' }]);
    const lines = await timelineLines();
    expect(lines.map(({ type }) => type).toSorted()).toEqual([
      'payment.approved',
      'payment.started',
      'refund.approved',
      'refund.requested',
      'terminal.sale.reversed',
    ]);
    const reversed = lines.find(({ type }) => type === 'terminal.sale.reversed');
    expect(JSON.parse(reversed?.payloadJson ?? '')).toMatchObject({ reason: 'partial_approval', approvedMinor: 400 });
    // The terminal repeats the request: the response is the same, and the bank receives it once.
    expect(await till.sell(1_000, saleId)).toEqual(sold);
    expect(sandbox.control.transactions()).toHaveLength(1);
  });

  test('whose void gets no answer cannot be completed as a sale, and is voided later', async () => {
    const { till, client, sandbox, voided } = await aTillWithAPoorCard(database);
    sandbox.control.addFault({ kind: 'dropRequest', action: 'CANCEL' });
    const sold = await till.sell(1_000);
    const reversal = { reason: 'partial_approval', status: 'void_pending' };
    expect(sold).toMatchObject({ status: 'unsettled', reversal, action: 'none' });
    const { saleId } = sold;
    const completed = await client.call(completeSale, { params: { saleId } }, { key: till.token });
    expect(completed).toMatchObject({ status: 200, body: { reversal } });
    await voided(saleId);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'canceled' }]);
  });

  test('whose reply is lost is found by polling, and is also returned', async () => {
    const { till, sandbox, read, voided } = await aTillWithAPoorCard(database, { loseReply: true });
    const { saleId, status } = await till.sell(1_000);
    expect(status).toBe('pending');
    await voided(saleId);
    expect(await read(saleId)).toMatchObject({
      reversal: { reason: 'partial_approval', status: 'voided' },
      action: 'none',
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'canceled' }]);
  });

  test('that settles before it is voided is refunded by the approved amount only', async () => {
    const { till, sandbox, read, becomes } = await aTillWithAPoorCard(database);
    sandbox.control.addFault({ kind: 'dropRequest', action: 'CANCEL' });
    const { saleId } = await till.sell(1_000);
    sandbox.control.settle();
    await becomes(saleId, 'refunded');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 400, returnedMinor: 400 }]);
    expect(await read(saleId)).toMatchObject({ refundedInCents: 400, reversal: { status: 'refunded' } });
  });
});
