import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemPlatform } from '@florin/backend/backend.ts';
import { Session } from '@florin/device/readers/line/session.ts';
import { unplugAwareBinding } from '@florin/device/readers/serial/binding.ts';
import { ReadlineParser } from '@serialport/parser-readline';
import { SerialPort } from 'serialport';
import { z } from 'zod';
import { type Bench, inRounds, latency, throughput } from './bar.ts';
import { type Measured, measureConcurrently } from './measure.ts';

/** What the reader's driver costs beyond the serial port itself: one request at a time over a pseudo-terminal. */
export const readerExchange: Bench = {
  name: 'reader',
  about: 'a framed exchange with a reader against a bare serial echo of lines of the same length',
  async run(scale) {
    const times = scale.times(10_000);
    const pairs = await inRounds(scale, async () => ({
      ceiling: await onLine('echo', path => bareEcho(path, times)),
      ownPort: await onLine('echo', path => bareEcho(path, times, unplugAwareBinding())),
      product: await onLine('answer', path => framedExchange(path, times)),
    }));
    const onOwnPort = pairs.map(({ product, ownPort }) => ({ product, ceiling: ownPort }));
    const bar = 'reader exchange, framed ÷ bare echo';
    return [
      throughput({ bar, goal: { sign: '≥', value: 0.8 }, unit: 'exchanges/s' }, pairs),
      latency({ bar: '  its p50', goal: undefined, percentile: 'p50Ms' }, pairs),
      throughput({ bar: '  with an echo over the driver’s own port', goal: undefined, unit: 'exchanges/s' }, onOwnPort),
    ];
  },
};

const baudRate = 115_200;
const transaction = '0123456789abcd';

async function onLine(kind: 'echo' | 'answer', measured: (path: string) => Promise<Measured>): Promise<Measured> {
  const farEnd: ChildProcess = fork(join(import.meta.dirname, 'line-echo.ts'), [kind]);
  const [message] = await once(farEnd, 'message');
  const { path } = z.object({ path: z.string() }).parse(message);
  try {
    return await measured(path);
  } finally {
    const ended = once(farEnd, 'exit');
    farEnd.disconnect();
    await ended;
  }
}

type PortSettings = ConstructorParameters<typeof SerialPort>[0];

/** A `binding` other than serialport's own separates the cost of the port from the cost of the stack above it. */
async function bareEcho(
  path: string,
  times: number,
  binding?: ReturnType<typeof unplugAwareBinding>,
): Promise<Measured> {
  const settings = { path, baudRate, autoOpen: false, ...(binding === undefined ? {} : { binding }) };
  const port = new SerialPort(settings as PortSettings);
  const parser = port.pipe(new ReadlineParser({ delimiter: '\n', encoding: 'latin1' }));
  await new Promise<void>((resolve, reject) => port.open(error => (error ? reject(error) : resolve())));
  let onLine: (line: string) => void = () => {};
  parser.on('data', (line: string) => onLine(line));
  // As long as the framed line: 40 bytes with its terminator.
  const text = `Q 0001 LAST txn=${transaction}*0A1B2C3D`;
  const measured = await measureConcurrently({ times, concurrency: 1 }, async () => {
    const back = new Promise<string>(resolve => (onLine = resolve));
    port.write(`${text}\n`, 'latin1');
    if ((await back) !== text) throw new Error('the line came back changed');
  });
  await new Promise<void>(resolve => port.close(() => resolve()));
  return measured;
}

async function framedExchange(path: string, times: number): Promise<Measured> {
  const ignored = () => {};
  const opened = await Session.open({
    path,
    baudRate,
    hostName: 'bench',
    timers: systemPlatform.timers,
    random: systemPlatform.random,
    onEvent: ignored,
    onResult: ignored,
    onHeartbeat: ignored,
    onLost: ignored,
    onFailure: ignored,
    onOpenFailed: ignored,
    onPan: ignored,
  });
  if (!opened.ok) throw new Error(`no connection to the far end: ${opened.refusal}`);
  const session = opened.value;
  const measured = await measureConcurrently({ times, concurrency: 1 }, async () => {
    const reply = await session.request('LAST', { txn: transaction });
    if (reply.kind !== 'answered' || reply.fields.txn !== transaction) throw new Error(`no answer: ${reply.kind}`);
  });
  await session.close();
  return measured;
}
