import type { CardReader, HostAnswer, LineFailure } from '@florin/device/readers/reader.ts';
import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import { encodeFrame, type Fields, type FrameKind } from '@florin/shared/reader-line/frame.ts';
import { SerialPort } from 'serialport';
import { afterEach, describe, expect, test } from 'vitest';
import { logInto } from '../../support/log.ts';
import { ready, statusOf } from './suite.ts';
import { aReaderWorld, type ReaderWorld, settle } from './world.ts';

let world: ReaderWorld;
afterEach(() => world.close());

const tapVisa = { present: { do: 'tap', card: 'visa' } } as const;

describe('a bad line', () => {
  test('a result that the reader does not send is queried', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'lose_result' });
    expect(await world.sale('sale_1', tapVisa).outcome).toMatchObject({ kind: 'approved' });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('2.5 MB without a line end are discarded, and the reader stays usable', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'garbage', bytes: 2_500_000, lineFeeds: false });
    // The noise takes longer on a slow machine, so the customer waits for its end.
    const patient = { ...tapVisa, timeoutMs: 3_600_000 };
    const outcome = await world.sale('sale_1', patient).outcome;
    expect(outcome.kind === 'unknown' ? await settle(world, 'sale_1', patient) : outcome).toMatchObject({
      kind: 'approved',
    });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  const lineOf = (kind: FrameKind, verb: string, sequence = 9_000, fields: Fields = {}) => {
    const line = encodeFrame({ kind, sequence, verb, fields });
    if (!line.ok) throw new Error(line.refusal.kind);
    return line.value;
  };
  const counted = (reader: CardReader, cause: LineFailure) =>
    statusOf(reader, ({ lineFailures }) => lineFailures?.[cause] !== undefined);

  test.each<[LineFailure, readonly ActionInput[]]>([
    ['checksum', [{ do: 'say', text: 'E 0001 NONSENSE*00000000' }]],
    ['framing', [{ do: 'say', text: '~~~' }]],
    ['fields', [{ do: 'say', text: lineOf('R', 'PAY') }]],
    ['echo', [{ do: 'say', text: lineOf('Q', 'PING') }]],
    ['too_long', [{ do: 'garbage', bytes: 2_000, lineFeeds: false }]],
    // The reader is stalled, so that no answer follows the bytes and completes a line.
    [
      'partial_line',
      [
        { do: 'stall', on: true },
        { do: 'garbage', bytes: 700, lineFeeds: false },
      ],
    ],
    ['timeout', [{ do: 'drop', lines: 1 }]],
  ])('a failure by %s is counted, shown with the reader’s status, and logged', async (cause, actions) => {
    world = await aReaderWorld();
    await ready(world.reader);
    for (const action of actions) await world.act(action);
    await world.reader.last('sale_1');
    await counted(world.reader, cause);
    const logged = world.logged.filter(line => line.includes('reader line failures'));
    expect(logged.join()).toContain(`"${cause}":1`);
  });

  test('a request that the reader refuses as malformed is counted', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'drop', lines: 1 });
    const remembered = world.reader.last('sale_1');
    // The test does not depend on the request's number, nor on which of these answers is lost.
    for (const sequence of [2, 2, 3, 3])
      await world.act({ do: 'say', text: lineOf('A', 'ERR', sequence, { code: 'BAD_FIELDS' }) });
    expect(await remembered).toEqual({ kind: 'unreachable' });
    await counted(world.reader, 'refused');
  });

  test('failures in a burst are logged together, and their counts survive a new connection', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'say', text: 'E 0001 NONSENSE*00000000' });
    await world.act({ do: 'say', text: '~~~' });
    await counted(world.reader, 'framing');
    expect(world.logged.filter(line => line.includes('reader line failures'))).toHaveLength(1);
    await world.act({ do: 'unplug' });
    await world.act({ do: 'replug' });
    expect((await ready(world.reader)).lineFailures).toMatchObject({ checksum: 1, framing: 1 });
  });

  test('why no reader can be used is logged once, and not again at every search', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    const second = world.open();
    await statusOf(second, ({ attention }) => attention !== undefined);
    const searches = Promise.withResolvers<void>();
    world.timers.after(5_000, searches.resolve);
    await searches.promise;
    await second.close();
    const logged = world.logged.filter(line => line.includes('no reader can be used'));
    expect(logged).toEqual([expect.stringMatching(/in_use.*[Ll]ock port/)]);
  });

  test('three missed heartbeats end an idle connection', async () => {
    world = await aReaderWorld({ faster: 50 });
    await ready(world.reader);
    await world.act({ do: 'stall', on: true });
    await statusOf(world.reader, ({ connection }) => connection === 'lost');
    await world.act({ do: 'stall', on: false });
    await ready(world.reader);
  });

  test('a restart in the middle of a sale leaves its outcome unknown until the reader is queried', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    const before = world.reader.status().bootId;
    const sale = world.sale('sale_1', {
      onStage: () => void world.act({ do: 'reboot' }),
    });
    expect(await sale.outcome).toEqual({ kind: 'unknown' });
    await statusOf(world.reader, ({ connection, bootId }) => connection === 'ready' && bootId !== before);
    expect(await world.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { code: 'REBOOTED' } });
  });

  describe('the loss of the announcement of a restart', () => {
    const restarted = (before: string | undefined) =>
      statusOf(world.reader, ({ connection, bootId }) => connection === 'ready' && bootId !== before);
    const restarts = ['reboot', 'wipe'] as const;

    test.each(restarts)('is recovered by the next heartbeat (%s)', async restart => {
      world = await aReaderWorld({ faster: 50 });
      const { bootId } = await ready(world.reader);
      await world.act({ do: restart, announced: false });
      expect((await restarted(bootId)).bootId).toBe(world.simulator.state().bootId);
      expect(world.logged.join()).toContain('"reason":"rebooted"');
    });

    test.each(restarts)('leaves a sale in progress unknown until the reader is queried (%s)', async restart => {
      world = await aReaderWorld();
      const { bootId = '' } = await ready(world.reader);
      const sale = world.sale('sale_1', { onStage: () => void world.act({ do: restart, announced: false }) });
      expect(await sale.outcome).toEqual({ kind: 'unknown' });
      await restarted(bootId);
      const memory =
        restart === 'wipe' ? { kind: 'forgotten' } : { kind: 'done', outcome: { kind: 'declined', code: 'REBOOTED' } };
      expect(await world.reader.last('sale_1')).toMatchObject(memory);
      expect(await world.reader.last('sale_1', { underBootId: bootId })).toMatchObject(memory);
    });

    test('never makes a reader with a lost memory report a charged sale as unknown to it', async () => {
      world = await aReaderWorld();
      const { bootId = '' } = await ready(world.reader);
      const charged = await world.sale('sale_1', tapVisa).outcome;
      expect(charged).toMatchObject({ kind: 'approved' });
      await world.act({ do: 'wipe', announced: false });
      const inquiry = { underBootId: bootId };
      // The reader is queried before a heartbeat could detect it.
      expect(await world.reader.last('sale_1', inquiry)).toEqual({ kind: 'unreachable' });
      await restarted(bootId);
      expect(await world.reader.last('sale_1', inquiry)).toEqual({ kind: 'forgotten' });
    });

    test('leaves the next sale unknown, and charges nothing', async () => {
      world = await aReaderWorld();
      const { bootId } = await ready(world.reader);
      await world.act({ do: 'reboot', announced: false });
      expect(await world.sale('sale_1', tapVisa).outcome).toEqual({ kind: 'unknown' });
      await restarted(bootId);
      expect(await world.reader.last('sale_1')).toEqual({ kind: 'forgotten' });
      expect(world.bank.chargesOf('sale_1')).toBe(0);
      expect(await world.sale('sale_2', tapVisa).outcome).toMatchObject({ kind: 'approved' });
    });

    test('never makes a reader that requests no HELLO report a sale as unknown to it', async () => {
      world = await aReaderWorld();
      const { bootId = '' } = await ready(world.reader);
      const inquiry = { underBootId: bootId };
      expect(await world.reader.last('sale_1', inquiry)).toEqual({ kind: 'unknown_to_reader' });
      world.simulator.onFrame((direction, { verb, sequence }) => {
        if (direction !== 'host' || verb !== 'STATE') return;
        const text = lineOf('A', 'STATE', sequence, { state: 'idle', boot: '0badb007', ev: '0' });
        void world.act({ do: 'say', text });
      });
      expect(await world.reader.last('sale_1', inquiry)).toEqual({ kind: 'unreachable' });
      expect(world.logged.join()).toContain('"reason":"rebooted"');
    });

    test('during the authorisation leaves an approved sale unknown, and the reader reports that it refused', async () => {
      world = await aReaderWorld();
      const { bootId } = await ready(world.reader);
      const answer = Promise.withResolvers<HostAnswer>();
      world.bank.answersNext(answer.promise);
      const sale = world.sale('sale_1', tapVisa);
      await expect.poll(() => world.bank.chargesOf('sale_1')).toBe(1);
      await world.act({ do: 'reboot', announced: false });
      answer.resolve({ kind: 'approved', authorisationCode: '712345', hostCode: '00' });
      expect(await sale.outcome).toEqual({ kind: 'unknown' });
      await restarted(bootId);
      expect(await world.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { code: 'REBOOTED' } });
    });

    test('is recovered by a heartbeat with another boot id, from a reader that requests no HELLO', async () => {
      world = await aReaderWorld({ faster: 50 });
      await ready(world.reader);
      world.simulator.onFrame((direction, { verb, sequence }) => {
        if (direction !== 'host' || verb !== 'PING') return;
        const text = lineOf('A', 'PING', sequence, { state: 'idle', boot: '0badb007', ev: '0' });
        void world.act({ do: 'say', text });
      });
      await statusOf(world.reader, ({ connection }) => connection === 'lost');
      expect(world.logged.join()).toContain('"reason":"rebooted"');
    });
  });

  test('discovery survives a failure to list the ports', async () => {
    world = await aReaderWorld();
    const list = SerialPort.list;
    SerialPort.list = () => Promise.reject(new Error('no udevadm here'));
    try {
      const { discovery } = await import('@florin/device/readers/serial/discovery.ts');
      const logged: string[] = [];
      const { candidates } = discovery('discover', logInto(logged));
      expect([await candidates(), await candidates()]).toEqual([[], []]);
      expect(logged.map(line => JSON.parse(line))).toMatchObject([{ level: 'warn', reason: 'Error: no udevadm here' }]);
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
  ])('%s is discarded, raises an alarm and is stored nowhere', async (_, text) => {
    world = await aReaderWorld();
    await ready(world.reader);
    const sale = world.sale('sale_1', { ...tapVisa, present: { do: 'tap', card: 'visa' } });
    await world.act({ do: 'say', text });
    const outcome = await sale.outcome;
    expect(outcome.kind).toBe('approved');
    expect(world.alarms.map(({ kind }) => kind)).toEqual(['card_number_on_line']);
    const kept = JSON.stringify([
      outcome,
      world.alarms,
      world.logged,
      world.reader.status(),
      world.simulator.timeline.events,
    ]);
    expect(kept).not.toContain(pan);
    expect(kept).not.toContain('41111111');
  });
});
