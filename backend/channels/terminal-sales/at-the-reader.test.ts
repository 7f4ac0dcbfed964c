import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { resolvePayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import { seededNumbers } from '../../../test/simulation/seeded.ts';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal } from '../../../test/support/driven-terminal.ts';

/** A sale that a reader which authorises by itself may start. */
async function aSaleAtTheReader(database: DatabaseKind) {
  const driven = await aDrivenTerminal(database);
  const begun = async () => {
    const sale = await driven.taken();
    expect(await driven.announceReader(sale.saleId)).toMatchObject({ status: 200, body: { proceed: true } });
    return sale;
  };
  const discrepancyKey = await driven.business.key('sales:read');
  const discrepancies = async (status?: 'open') => {
    const { body } = await driven.client.call(listDiscrepancies, { query: { status } }, { key: discrepancyKey });
    return 'items' in body ? body.items.map(({ kind }) => kind) : [];
  };
  const manager = await driven.business.key('take-payments:write', 'refunds:write');
  const resolve = async (saleId: string, outcome: 'approved' | 'failed') => {
    const listed = await driven.client.call(listDiscrepancies, { query: {} }, { key: discrepancyKey });
    const found =
      'items' in listed.body ? listed.body.items.find(({ recorded }) => recorded.saleId === saleId) : undefined;
    const evidence = 'The processor’s own records';
    const gatewayReference = outcome === 'approved' ? { gatewayReference: 'R1' } : {};
    const body = { outcome, evidence, ...gatewayReference };
    return driven.client.call(resolvePayment, { params: { id: found?.paymentId ?? '' }, body }, { key: manager });
  };
  return { ...driven, begun, discrepancies, resolve };
}

const waiting = { status: 'PROCESSING', statusReason: 'cancel_requested' } as const;

eachDatabase('a driven sale whose reader authorises by itself', database => {
  test('is permitted before the reader starts, and never starts once it has ended', async () => {
    const { taken, started, announceReader, cancel, read, report } = await aSaleAtTheReader(database);
    const { saleId, stream } = await taken();
    expect(await announceReader(saleId)).toMatchObject({ status: 200, body: { proceed: true } });
    expect(await announceReader(saleId)).toMatchObject({ status: 200, body: { proceed: true } });
    expect(await read(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'awaiting_card', sequence: 3 });
    // The response was lost, and the request is repeated after the cancellation.
    await cancel(saleId);
    expect(await announceReader(saleId)).toMatchObject({ body: { proceed: false } });
    expect(await read(saleId)).toMatchObject(waiting);
    await report(saleId, 1, { ended: 'staff_cancelled' });
    expect(await read(saleId)).toMatchObject({ status: 'CANCELLED', statusReason: 'cancelled_by_caller' });
    stream.close();
    const ended = await started();
    await cancel(ended.saleId);
    expect(await announceReader(ended.saleId)).toMatchObject({ body: { proceed: false } });
    expect(await announceReader('sale_unknown0')).toMatchObject({ status: 404 });
  });

  test('is cancelled by a request to the terminal, whose report ends it', async () => {
    const { begun, cancel, read, report, recordApproval, becomes, start, discrepancies } =
      await aSaleAtTheReader(database);
    const paid = await begun();
    expect(await cancel(paid.saleId)).toMatchObject({ ...waiting, sequence: 4 });
    expect(await cancel(paid.saleId)).toMatchObject({ ...waiting, sequence: 4 });
    await paid.stream.has(2);
    expect(paid.stream.events[1]).toMatchObject({ data: { kind: 'end_sale', saleId: paid.saleId } });
    // A report made before the terminal received the request changes nothing.
    await report(paid.saleId, 1, { stage: 'card_read' });
    expect(await read(paid.saleId)).toMatchObject({ ...waiting, sequence: 4 });
    expect(await start()).toMatchObject({ status: 409 });
    // The card was read first.
    await report(paid.saleId, 2, { ended: 'completed' });
    expect(await read(paid.saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'approved' });
    expect((await recordApproval(paid.saleId)).status).toBe(200);
    await becomes(paid.saleId, { status: 'COMPLETE', statusReason: 'completed', rail: 'card' });
    expect(await discrepancies()).toEqual([]);
    paid.stream.close();

    for (const [ended, status, statusReason] of [
      ['staff_cancelled', 'CANCELLED', 'cancelled_by_caller'],
      ['interrupted', 'CANCELLED', 'cancelled_by_caller'],
      ['customer_cancelled', 'CANCELLED_REMOTE', 'customer_cancelled'],
      ['declined', 'ERROR', 'declined'],
    ] as const) {
      const { saleId, stream } = await begun();
      await cancel(saleId);
      await report(saleId, 1, { ended });
      expect(await read(saleId)).toMatchObject({ status, statusReason });
      stream.close();
    }
  });

  test('expires by a request to the terminal, whose report ends it', async () => {
    const { begun, report, recordApproval, becomes, becomesInTime, read } = await aSaleAtTheReader(database);
    const left = await begun();
    await becomesInTime(left.saleId, { status: 'PROCESSING', statusReason: 'expiry_requested' });
    await left.stream.has(2);
    expect(left.stream.events[1]).toMatchObject({ data: { kind: 'end_sale', saleId: left.saleId } });
    await report(left.saleId, 1, { ended: 'staff_cancelled' });
    expect(await read(left.saleId)).toMatchObject({ status: 'TIMED_OUT', statusReason: 'expired' });
    left.stream.close();

    const paid = await begun();
    await becomesInTime(paid.saleId, { statusReason: 'expiry_requested' });
    await recordApproval(paid.saleId);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    paid.stream.close();
  });

  test('ends with the reader’s outcome in any order of cancellation, expiry and card', async () => {
    const driven = await aSaleAtTheReader(database);
    const { world, taken, announceReader, cancel, read, report, recordApproval, becomes, discrepancies } = driven;
    for (let seed = 1; seed <= 12; seed += 1) {
      const { between, chance } = seededNumbers(seed);
      const { saleId, stream } = await taken();
      const isCharged = chance(0.5);
      const asks = [
        () => cancel(saleId),
        async () => world.clock.advance({ minutes: 5, seconds: 1 }),
        () => read(saleId),
      ].slice(0, between(1, 3));
      const before = between(0, asks.length);
      const [announced] = await Promise.all([announceReader(saleId), ...asks.slice(before).map(ask => ask())]);
      const mayStart = announced.status === 200 && announced.body.proceed;
      if (!mayStart) {
        await report(saleId, 1, { ended: 'staff_cancelled' });
        await becomes(saleId, { status: expect.stringMatching(/^(CANCELLED|TIMED_OUT)$/) });
      } else {
        const [later] = await Promise.all([read(saleId), ...asks.slice(0, before).map(ask => ask())]);
        expect(later, `seed ${seed}`).toMatchObject({ status: 'PROCESSING' });
        // The reader decides; the cancellation does not.
        expect(await cancel(saleId), `seed ${seed}`).toMatchObject({ status: 'PROCESSING' });
        const word = isCharged ? ('completed' as const) : ('staff_cancelled' as const);
        const record = () => (isCharged ? recordApproval(saleId, `R${seed}`) : Promise.resolve());
        await Promise.all([record(), report(saleId, 1, { ended: word }), cancel(saleId)]);
        await becomes(saleId, { status: isCharged ? 'COMPLETE' : expect.stringMatching(/^(CANCELLED|TIMED_OUT)$/) });
      }
      stream.close();
    }
    expect(await discrepancies()).toEqual([]);
  });

  test('whose reader lost it is resolved manually, and the terminal takes the next sale', async () => {
    const { begun, report, read, start, becomes, discrepancies, resolve } = await aSaleAtTheReader(database);
    for (const [outcome, status] of [
      ['approved', 'COMPLETE'],
      ['failed', 'ERROR'],
    ] as const) {
      const { saleId, stream } = await begun();
      await report(saleId, 1, { ended: 'outcome_unknown' });
      expect(await read(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'unknown_outcome' });
      expect(await discrepancies('open')).toEqual(['sale_outcome_unknown']);
      stream.close();
      const next = await begun();
      await report(next.saleId, 1, { ended: 'no_card' });
      expect(await read(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'unknown_outcome' });
      expect(await resolve(saleId, outcome)).toMatchObject({ status: 200 });
      await becomes(saleId, { status, rail: 'card' });
      expect(await discrepancies('open')).toEqual([]);
      next.stream.close();
    }
    expect((await start()).status).toBe(201);
  });

  test('whose terminal does not report becomes a discrepancy until the terminal reports the outcome', async () => {
    const driven = await aSaleAtTheReader(database);
    const { begun, report, read, start, becomes, becomesInTime, discrepancies, recordApproval, resolve } = driven;
    const paid = await begun();
    await becomesInTime(paid.saleId, { statusReason: 'expiry_requested' });
    await becomesInTime(paid.saleId, { status: 'PROCESSING', statusReason: 'unknown_outcome' });
    expect(await discrepancies('open')).toEqual(['sale_outcome_unknown']);
    expect(await start()).toMatchObject({ status: 409 });
    expect((await recordApproval(paid.saleId)).status).toBe(200);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    expect((await read(paid.saleId)).metadata.card).toMatchObject({ scheme: 'Visa', lastFour: '0821' });
    expect(await discrepancies('open')).toEqual([]);
    paid.stream.close();

    const left = await begun();
    await becomesInTime(left.saleId, { statusReason: 'unknown_outcome' });
    await report(left.saleId, 1, { ended: 'staff_cancelled' });
    expect(await read(left.saleId)).toMatchObject({ status: 'TIMED_OUT', statusReason: 'expired' });
    expect(await discrepancies('open')).toEqual([]);
    left.stream.close();

    // The manual resolution was wrong: the approval is recorded beside it.
    const wrong = await begun();
    await becomesInTime(wrong.saleId, { statusReason: 'unknown_outcome' });
    await resolve(wrong.saleId, 'failed');
    await becomes(wrong.saleId, { status: 'ERROR' });
    expect((await recordApproval(wrong.saleId, 'R9')).status).toBe(200);
    expect(await discrepancies('open')).toEqual(['payment_approved_late']);
  });
});
