import { afterEach, describe, expect, test } from 'vitest';
import { ready, statusOf } from './suite.ts';
import { aReaderWorld, type ReaderWorld, settle } from './world.ts';

/**
 * The cable is unplugged at every line of a sale whose card declines the bank's approval. Whatever the terminal
 * received, querying and resuming must end in that refusal, so that the sale is reversed.
 */
let world: ReaderWorld;
afterEach(() => world.close());

const modes = ['before_line', 'mid_line', 'after_line', 'on_request'] as const;
const linesOfASale = 7;
const requestsOfASale = 3;

describe.each(modes)('unplugged %s', mode => {
  const steps = mode === 'on_request' ? requestsOfASale : linesOfASale;
  test.each(Array.from({ length: steps }, (_, index) => index + 1))('number %i, and replugged', async step => {
    const scenario = { present: { do: 'insert', card: 'refuser' } } as const;
    world = await aReaderWorld({ simulator: { seed: step } });
    await ready(world.reader);
    await world.act({ do: 'unplug', mode, afterLines: step });
    world.reader.onStatus(({ connection }) => connection === 'lost' && void world.act({ do: 'replug' }));
    const first = await world.sale('sale_1', scenario).outcome;
    const outcome = first.kind === 'unknown' ? await settle(world, 'sale_1', scenario) : first;
    expect(outcome, `seed ${step}`).toMatchObject({ kind: 'declined', by: 'card' });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
    expect(world.simulator.state().transactions.filter(({ txn }) => txn === 'sale_1')).toHaveLength(1);
  });
});

describe('a pulled cable', () => {
  test('right after data is noticed at once, although the serial port alone would read nothing indefinitely', async () => {
    for (let round = 0; round < 10; round++) {
      // In real time the next heartbeat, whose write would also fail, is seconds away.
      world = await aReaderWorld({ faster: 1 });
      await ready(world.reader);
      const lost = statusOf(world.reader, ({ connection }) => connection === 'lost');
      const late = new Promise<string>(resolve => world.timers.after(2000, () => resolve('not noticed')));
      await world.act({ do: 'unplug', mode: 'after_line', afterLines: 1 });
      await world.act({ do: 'battery', percent: 50 });
      expect(await Promise.race([lost.then(() => 'noticed'), late])).toBe('noticed');
      await world.close();
    }
  });

  test('at the approval hides it from the till until the replug, and the confirmation waits for the cable', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'approve_then_unplug' });
    expect(await world.sale('sale_1', { present: { do: 'insert', card: 'visa' } }).outcome).toEqual({
      kind: 'unknown',
    });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
    expect(await world.reader.last('sale_1')).toEqual({ kind: 'unreachable' });
    await world.act({ do: 'replug' });
    await ready(world.reader);
    expect(await world.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { kind: 'approved' } });
    // A sale can be confirmed while the cable is unplugged.
    await world.act({ do: 'unplug' });
    await statusOf(world.reader, ({ connection }) => connection === 'lost');
    await world.reader.confirm('sale_1');
    await world.act({ do: 'replug' });
    await statusOf(
      world.reader,
      status => status.connection === 'ready' && status.unconfirmedTransactionId === undefined,
    );
    await world.act({ do: 'remove' });
    expect(await world.sale('sale_2', { present: { do: 'tap', card: 'visa' } }).outcome).toMatchObject({
      kind: 'approved',
    });
  });

  test('during the authorisation does not end the sale', async () => {
    world = await aReaderWorld();
    const answer = Promise.withResolvers<{ kind: 'approved'; authorisationCode: string; hostCode: string }>();
    world.bank.answersNext(answer.promise);
    await ready(world.reader);
    const scenario = { present: { do: 'insert', card: 'visa' } } as const;
    const sale = world.sale('sale_1', {
      ...scenario,
      onStage: stage => stage === 'authorising' && void world.act({ do: 'unplug' }),
    });
    expect(await sale.outcome).toEqual({ kind: 'unknown' });
    await world.act({ do: 'replug' });
    await ready(world.reader);
    expect(await world.reader.last('sale_1')).toEqual({ kind: 'active', stage: 'authorising' });
    const resumed = world.sale('sale_1', scenario);
    answer.resolve({ kind: 'approved', authorisationCode: '987654', hostCode: '00' });
    expect(await resumed.outcome).toMatchObject({ kind: 'approved', authorisationCode: '987654' });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('in the middle of a line never joins its half to a later line', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'unplug', mode: 'mid_line', afterLines: 1 });
    const lost = statusOf(world.reader, ({ connection }) => connection === 'lost');
    await world.act({ do: 'battery', percent: 11 });
    await lost;
    await world.act({ do: 'replug' });
    await ready(world.reader);
    expect(await world.sale('sale_1', { present: { do: 'tap', card: 'visa' } }).outcome).toMatchObject({
      kind: 'approved',
    });
  });
});
