import type { EndOfDayOutcome, ReaderTotals } from '@florin/device/readers/reader.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aZvtWorld, type ZvtWorld } from './zvt-world.ts';

let world: ZvtWorld;
afterEach(() => world.close());

async function begin(): Promise<void> {
  world = await aZvtWorld();
  await ready(world.reader);
}

async function sell(id: string, amountMinor: number, card: 'visa' | 'mastercard' = 'visa'): Promise<string> {
  const outcome = await world.reader.sale({
    transactionId: id,
    amount: { amountMinor, currency: 'EUR' },
    timeoutMs: 60_000,
    onStage: stage => stage === 'present_card' && void world.simulator.act({ do: 'tap', card }),
    authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
  });
  await world.reader.confirm(id);
  return (outcome.kind === 'approved' && outcome.processorReference) || '';
}

async function closeDay(): Promise<{ outcome: EndOfDayOutcome; stored: ReaderTotals[] }> {
  const stored: ReaderTotals[] = [];
  const outcome = await world.reader.endOfDay?.(totals => stored.push(totals));
  if (!outcome) throw new Error('this reader has no day');
  return { outcome, stored };
}

const turnover = () => world.zvt.transactions().length;

describe('the end of a reader’s day', () => {
  test('reports what was taken less what was returned, by card, and begins the next day', async () => {
    await begin();
    await sell('sale_1', 1_250);
    const voided = await sell('sale_2', 9_900);
    const refunded = await sell('sale_3', 500, 'mastercard');
    await world.reader.void({ transactionId: 'ref_1', saleTransactionId: 'sale_2', saleReference: voided });
    await world.reader.confirm('ref_1');
    const amount = { amountMinor: 200, currency: 'EUR' };
    await world.reader.refund({
      transactionId: 'ref_2',
      saleTransactionId: 'sale_3',
      saleReference: refunded,
      amount,
    });
    await world.reader.confirm('ref_2');
    expect(await closeDay()).toEqual({
      outcome: { kind: 'closed' },
      stored: [
        {
          readerSerial: '65000028',
          currency: 'EUR',
          totalMinor: 1_550,
          receipts: { first: '0001', last: '0005' },
          cardTypes: [
            { name: 'Mastercard', count: 1, amountMinor: 500 },
            { name: 'Visa', count: 2, amountMinor: 1_050 },
          ],
        },
      ],
    });
    expect(turnover()).toBe(0);
    expect(await closeDay()).toMatchObject({ stored: [{ totalMinor: 0, cardTypes: [] }] });
    await sell('sale_4', 100);
    expect(await closeDay()).toMatchObject({ stored: [{ totalMinor: 100, receipts: { first: '0006' } }] });
  });

  test('cannot be while a sale is under way or unconfirmed, nor without a reader, and blocks a sale meanwhile', async () => {
    await begin();
    const sale = { amount: { amountMinor: 100, currency: 'EUR' }, timeoutMs: 60_000 };
    const authorise = () => Promise.reject(new Error('this reader authorises with its own processor'));
    const presented = Promise.withResolvers<void>();
    const outcome = world.reader.sale({
      ...sale,
      transactionId: 'sale_1',
      authorise,
      onStage: stage => stage === 'present_card' && presented.resolve(),
    });
    await presented.promise;
    expect(await closeDay()).toEqual({ outcome: { kind: 'refused', reason: 'busy' }, stored: [] });
    await world.act({ do: 'tap', card: 'visa' });
    expect(await outcome).toMatchObject({ kind: 'approved' });
    expect(await closeDay()).toEqual({ outcome: { kind: 'refused', reason: 'pending' }, stored: [] });
    await world.reader.confirm('sale_1');
    const closing = closeDay();
    expect(world.reader.status().connection).toBe('busy');
    expect(await closeDay()).toMatchObject({ outcome: { kind: 'refused', reason: 'busy' } });
    const refused = world.reader.sale({ ...sale, transactionId: 'sale_2', authorise, onStage: () => undefined });
    expect(await refused).toEqual({ kind: 'not_available', reason: 'busy' });
    expect(await closing).toMatchObject({ outcome: { kind: 'closed' } });
    expect(world.reader.status().connection).toBe('ready');
    await world.act({ do: 'unplug' });
    await expect.poll(() => world.reader.status().connection).toBe('lost');
    expect(await closeDay()).toEqual({ outcome: { kind: 'refused', reason: 'not_connected' }, stored: [] });
  });

  test('is stored before it is acknowledged', async () => {
    await begin();
    await sell('sale_1', 1_250);
    let turnoverWhenStored = 0;
    await world.reader.endOfDay?.(() => {
      turnoverWhenStored = turnover();
    });
    expect(turnoverWhenStored).toBe(1);
    expect(turnover()).toBe(0);
  });

  /** What the reader sends until its totals are acknowledged, and after them. */
  test.each(Array.from({ length: 10 }, (_, index) => index + 1))(
    'is never reported as closed when it was not, nor refused when it was: the cable is pulled at line %i',
    async number => {
      await begin();
      await sell('sale_1', 1_250);
      const from = world.simulator.timeline.events.at(-1)?.number ?? 0;
      const stop = world.simulator.onChange(() => {
        const said = world.simulator.timeline.after(from).filter(({ lane, frame }) => lane === 'reader' && frame);
        if (said.length < number) return;
        stop();
        void world.simulator.act({ do: 'unplug' });
      });
      const { outcome, stored } = await closeDay();
      stop();
      const wasClosed = turnover() === 0;
      if (outcome.kind === 'closed')
        expect({ wasClosed, stored: stored.length }).toEqual({ wasClosed: true, stored: 1 });
      if (outcome.kind === 'refused') expect(wasClosed).toBe(false);
      if (wasClosed) expect(stored).toMatchObject([{ totalMinor: 1_250 }]);
    },
  );

  test('with a message lost on the way is followed to its end', async () => {
    for (let number = 1; number <= 8; number += 1) {
      await begin();
      await sell('sale_1', 1_250);
      world.lose(number);
      const { outcome, stored } = await closeDay();
      const wasClosed = turnover() === 0;
      if (outcome.kind !== 'unknown') expect(outcome.kind === 'closed').toBe(wasClosed);
      if (wasClosed) expect(stored).toMatchObject([{ totalMinor: 1_250 }]);
      await world.close();
    }
    await begin();
  });
});
