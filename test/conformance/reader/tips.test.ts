import type { CardReader, TipAnswer } from '@florin/device/readers/reader.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aReaderWorld, type ReaderWorld } from './world.ts';

let world: ReaderWorld;
afterEach(() => world.close());

const choices = [
  { percent: 5, tipMinor: 63 },
  { percent: 10, tipMinor: 125 },
];

function ask(reader: CardReader, transactionId = 'sale_1', timeoutMs = 60_000): Promise<TipAnswer> {
  const amount = { amountMinor: 1250, currency: 'GBP' };
  if (!reader.askTip) throw new Error('this reader does not ask');
  return reader.askTip({ transactionId, amount, choices, timeoutMs });
}

async function asked(): Promise<void> {
  await expect.poll(() => world.simulator.state().screen.kind, { interval: 5, timeout: 30_000 }).toBe('tip');
}

async function keys(...pressed: ('0' | '1' | '2' | '3' | '9' | 'clear' | 'enter' | 'cancel')[]): Promise<void> {
  for (const key of pressed) await world.act({ do: 'key', key });
}

async function begin(): Promise<void> {
  world = await aReaderWorld();
  await ready(world.reader);
}

describe('the question for a tip', () => {
  test.each<[string, Parameters<typeof keys>, TipAnswer]>([
    ['a suggestion', ['2'], { kind: 'chosen', tipMinor: 125 }],
    ['another amount', ['clear', '2', '0', '0', 'enter'], { kind: 'chosen', tipMinor: 200 }],
    ['another amount, corrected', ['clear', '9', 'clear', '3', 'enter'], { kind: 'chosen', tipMinor: 3 }],
    [
      'at most the amount of the sale',
      ['clear', '1', '2', '9', '9', 'enter', '9', '9', 'enter'],
      { kind: 'chosen', tipMinor: 99 },
    ],
    ['none, with the red key', ['cancel'], { kind: 'none' }],
    ['none, with the green key', ['enter'], { kind: 'none' }],
    ['none, instead of another amount', ['clear', '9', 'cancel'], { kind: 'none' }],
  ])('is answered with %s', async (_, pressed, answer) => {
    await begin();
    const answered = ask(world.reader);
    await asked();
    expect(world.simulator.state().amount).toMatchObject({ amountMinor: 1250 });
    await keys(...pressed);
    expect(await answered).toEqual(answer);
    expect(await world.sale('sale_1', { present: { do: 'tap', card: 'visa' } }).outcome).toMatchObject({
      kind: 'approved',
    });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('means none after its time', async () => {
    await begin();
    expect(await ask(world.reader, 'sale_1', 1_000)).toEqual({ kind: 'none' });
  });

  test('ends when the till cancels it, and the next one is asked', async () => {
    await begin();
    const cancelled = ask(world.reader);
    await asked();
    await world.reader.cancel('sale_1');
    expect(await cancelled).toEqual({ kind: 'none' });
    const next = ask(world.reader, 'sale_2');
    await asked();
    await keys('1');
    expect(await next).toEqual({ kind: 'chosen', tipMinor: 63 });
  });

  test('gives way to a sale', async () => {
    await begin();
    const open = ask(world.reader);
    await asked();
    const sold = world.sale('sale_1', { present: { do: 'tap', card: 'visa' } }).outcome;
    expect(await open).toEqual({ kind: 'not_available' });
    expect(await sold).toMatchObject({ kind: 'approved' });
  });

  test('is answered although the answer is lost on the line', async () => {
    await begin();
    const answered = ask(world.reader);
    await asked();
    await world.act({ do: 'drop', lines: 1 });
    await keys('2');
    expect(await answered).toEqual({ kind: 'chosen', tipMinor: 125 });
  });

  test('is not available once the cable is pulled or the reader restarts, and blocks nothing afterwards', async () => {
    await begin();
    const unplugged = ask(world.reader);
    await asked();
    await world.act({ do: 'unplug' });
    expect(await unplugged).toEqual({ kind: 'not_available' });
    expect(await ask(world.reader)).toEqual({ kind: 'not_available' });
    await world.act({ do: 'replug' });
    await ready(world.reader);
    const restarted = ask(world.reader, 'sale_2');
    await asked();
    await world.act({ do: 'reboot' });
    expect(await restarted).toEqual({ kind: 'not_available' });
    await ready(world.reader);
    expect(await world.sale('sale_3', { present: { do: 'tap', card: 'visa' } }).outcome).toMatchObject({
      kind: 'approved',
    });
  });

  test('is not available during a sale', async () => {
    await begin();
    let answer: Promise<TipAnswer> | undefined;
    const sale = world.sale('sale_1', {
      onStage: stage => {
        if (stage !== 'present_card' || answer) return;
        answer = ask(world.reader, 'sale_2');
        void answer.then(() => world.act({ do: 'tap', card: 'visa' }));
      },
    });
    expect(await sale.outcome).toMatchObject({ kind: 'approved' });
    expect(await answer).toEqual({ kind: 'not_available' });
  });
});
