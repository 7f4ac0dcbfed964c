import { encodeFrame } from '@florin/shared/reader-line/frame.ts';
import { SerialPort } from 'serialport';
import { afterEach, describe, expect, test } from 'vitest';
import { realTimers } from './platform/real.ts';
import { ReaderSimulator } from './simulator.ts';

/** The simulator with a minimal host on its serial port. */
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Timers whose callbacks of one delay run on demand. */
function heldTimers(heldMs: number) {
  const held = new Set<() => void>();
  return {
    after(delayMs: number, task: () => void) {
      if (delayMs !== heldMs) return realTimers.after(delayMs, task);
      held.add(task);
      return () => held.delete(task);
    },
    run(): void {
      for (const task of held) task();
      held.clear();
    },
    waiting: () => held.size,
  };
}

async function aReader(timers = heldTimers(500)) {
  const simulator = await ReaderSimulator.start({ pace: 'unpaced', timers });
  ends.push(() => simulator.close());
  return { simulator, timers };
}

async function aHost(path: string) {
  const port = new SerialPort({ path, baudRate: 115_200 });
  ends.push(() => port.destroy());
  let received = '';
  port.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
  });
  await new Promise<void>(resolve => port.once('open', () => resolve()));
  return { write: (text: string) => port.write(text), lines: () => received.split('\n').slice(0, -1) };
}

function lineOf(sequence: number, verb: string, fields: Record<string, string> = {}): string {
  const encoded = encodeFrame({ kind: 'Q', sequence, verb, fields });
  if (!encoded.ok) throw new Error('not a line');
  return `${encoded.value}\n`;
}

const hello = lineOf(1, 'HELLO', { proto: '1-1', host: 'test', nonce: 'ab' });

describe('a partial line of the host', () => {
  test('is dropped if the rest does not arrive within 500 ms', async () => {
    const { simulator, timers } = await aReader();
    const host = await aHost(simulator.path);
    host.write(hello.slice(0, 12));
    await expect.poll(timers.waiting).toBe(1);
    timers.run();
    host.write(hello);
    await expect.poll(() => host.lines().length).toBe(1);
    expect(host.lines()[0]).toMatch(/^A 0001 HELLO /);
    expect(simulator.noiseCount).toBe(0);
  });

  test('is kept while the rest is arriving', async () => {
    const { simulator, timers } = await aReader();
    const host = await aHost(simulator.path);
    host.write(hello.slice(0, 12));
    await expect.poll(timers.waiting).toBe(1);
    host.write(hello.slice(12));
    await expect.poll(() => host.lines().length).toBe(1);
    expect(timers.waiting()).toBe(0);
  });
});

describe('armed faults', () => {
  test('are listed with a description, and removed once they have occurred', async () => {
    const { simulator } = await aReader();
    await simulator.act({ do: 'drop', lines: 2 });
    await simulator.act({ do: 'unplug', mode: 'mid_line', afterLines: 3 });
    await simulator.act({ do: 'approve_then_unplug' });
    await simulator.act({ do: 'decline', reason: 'card_expired' });
    expect(simulator.state().armed).toEqual([
      { fault: 'drop', about: 'Loses the next 2 lines of the reader' },
      { fault: 'unplug', about: 'Sends half of the reader’s line number 3 from now, then pulls the cable' },
      { fault: 'approve_then_unplug', about: 'Pulls the cable in place of the next approval' },
      { fault: 'decline', about: 'Declines the next transaction: card expired' },
    ]);
    const host = await aHost(simulator.path);
    host.write(hello);
    await expect.poll(() => simulator.state().armed[0]?.about).toBe('Loses the next line of the reader');
    host.write(hello);
    await expect.poll(() => simulator.state().armed.map(({ fault }) => fault)).not.toContain('drop');
    expect(host.lines()).toEqual([]);
  });

  test('are cleared one by one or all together', async () => {
    const { simulator } = await aReader();
    const faults = () => simulator.state().armed.map(({ fault }) => fault);
    for (const fault of ['flip', 'duplicate', 'drop'] as const) await simulator.act({ do: fault });
    await simulator.act({ do: 'lose_result' });
    await simulator.act({ do: 'decline', reason: 'chip_error' });
    await simulator.act({ do: 'clear', fault: 'drop' });
    expect(faults()).toEqual(['flip', 'duplicate', 'lose_result', 'decline']);
    await simulator.act({ do: 'clear', fault: 'decline' });
    expect(simulator.state().nextDecline).toBeNull();
    await simulator.act({ do: 'clear' });
    expect(faults()).toEqual([]);
    const host = await aHost(simulator.path);
    host.write(hello);
    await expect.poll(() => host.lines().length).toBe(1);
  });

  test.each(['reboot', 'wipe'] as const)('end with a %s, which also ends a stall', async act => {
    const { simulator } = await aReader();
    await simulator.act({ do: 'approve_then_unplug' });
    await simulator.act({ do: 'decline', reason: 'card_expired' });
    await simulator.act({ do: 'stall', on: true });
    await simulator.act({ do: 'latency', ms: 40 });
    await simulator.act({ do: act });
    expect(simulator.state()).toMatchObject({ armed: [], nextDecline: null, stalled: false, latencyMs: 40 });
  });

  test('survive unplugging and replugging the cable', async () => {
    const { simulator } = await aReader();
    await simulator.act({ do: 'lose_result' });
    await simulator.act({ do: 'unplug' });
    await simulator.act({ do: 'replug' });
    expect(simulator.state().armed).toEqual([{ fault: 'lose_result', about: expect.any(String) }]);
  });
});

test('a replugged reader has one of two paths, both of which a host can be given', async () => {
  const { simulator } = await aReader();
  const [first, second] = simulator.paths;
  expect(simulator.path).toBe(first);
  for (const expected of [second, first, second]) {
    await simulator.act({ do: 'unplug' });
    await simulator.act({ do: 'replug', path: 'new' });
    expect(simulator.path).toBe(expected);
  }
  await simulator.act({ do: 'unplug' });
  await simulator.act({ do: 'replug' });
  expect(simulator.path).toBe(second);
  const host = await aHost(second);
  host.write(hello);
  await expect.poll(() => host.lines().length).toBe(1);
});
