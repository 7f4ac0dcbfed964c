import { SerialPort } from 'serialport';
import { afterEach, describe, expect, test } from 'vitest';
import { ready, statusOf } from './suite.ts';
import { aReaderWorld, type ReaderWorld, settle } from './world.ts';

let world: ReaderWorld;
afterEach(() => world.close());

const tapVisa = { present: { do: 'tap', card: 'visa' } } as const;

describe('a bad line', () => {
  test('a result that never leaves the reader is asked for', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'lose_result' });
    expect(await world.sale('sale_1', tapVisa).outcome).toMatchObject({ kind: 'approved' });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('2.5 MB without a line end are dropped, and the reader stays usable', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'garbage', bytes: 2_500_000, lineFeeds: false });
    // How long the noise takes is the machine's affair: the customer outwaits it.
    const patient = { ...tapVisa, timeoutMs: 3_600_000 };
    const outcome = await world.sale('sale_1', patient).outcome;
    expect(outcome.kind === 'unknown' ? await settle(world, 'sale_1', patient) : outcome).toMatchObject({
      kind: 'approved',
    });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('noise is counted, shown with the reader’s status and logged, once for each burst', async () => {
    world = await aReaderWorld();
    const { noiseCount: before = 0 } = await ready(world.reader);
    await world.act({ do: 'say', text: 'E 0001 NONSENSE*00000000' });
    await world.act({ do: 'say', text: '~~~' });
    const noisy = await statusOf(world.reader, ({ noiseCount = 0 }) => noiseCount >= before + 2);
    expect(noisy).toMatchObject({ connection: 'ready', noiseCount: before + 2 });
    expect(world.logged.filter(line => line.includes('reader line noise'))).toHaveLength(1);
    await world.act({ do: 'unplug' });
    await world.act({ do: 'replug' });
    expect(await ready(world.reader)).toMatchObject({ noiseCount: before + 2 });
  });

  test('three missed heartbeats end an idle connection', async () => {
    world = await aReaderWorld({ faster: 50 });
    await ready(world.reader);
    await world.act({ do: 'stall', on: true });
    await statusOf(world.reader, ({ connection }) => connection === 'lost');
    await world.act({ do: 'stall', on: false });
    await ready(world.reader);
  });

  test('a restart whose announcement is lost is noticed at the next heartbeat, in mid-sale too', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    const before = world.reader.status().bootId;
    const sale = world.sale('sale_1', {
      onStage: () => {
        void world.act({ do: 'drop', lines: 1 });
        void world.act({ do: 'reboot' });
      },
    });
    expect(await sale.outcome).toEqual({ kind: 'unknown' });
    await statusOf(world.reader, ({ connection, bootId }) => connection === 'ready' && bootId !== before);
    expect(await world.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { code: 'REBOOTED' } });
  });

  test('discovery survives a system that lists nothing', async () => {
    world = await aReaderWorld();
    const list = SerialPort.list;
    SerialPort.list = () => Promise.reject(new Error('no udevadm here'));
    try {
      const { discovery } = await import('@florin/device/readers/serial/discovery.ts');
      expect(await discovery('discover').candidates()).toEqual([]);
    } finally {
      SerialPort.list = list;
    }
  });
});

describe('a card number on the line', () => {
  const pan = '4111111111111111';

  test.each([
    ['in a well-formed line', `R 0002 PAY txn=sale_1 outcome=approved note=${pan}*00000000`],
    ['in noise', `\x02${pan}=30122010000012300000\x03`],
    ['behind escapes', 'E 0001 KEY txn=%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31*00000000'],
  ])('%s is dropped and alarmed, and kept nowhere', async (_, text) => {
    world = await aReaderWorld();
    await ready(world.reader);
    const sale = world.sale('sale_1', { ...tapVisa, present: { do: 'tap', card: 'visa' } });
    await world.act({ do: 'say', text });
    const outcome = await sale.outcome;
    expect(outcome.kind).toBe('approved');
    expect(world.alarms.map(({ kind }) => kind)).toEqual(['card_number_on_line']);
    const kept = JSON.stringify([outcome, world.alarms, world.logged, world.reader.status(), world.simulator.log]);
    expect(kept).not.toContain(pan);
    expect(kept).not.toContain('4111');
  });
});
