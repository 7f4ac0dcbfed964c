import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { View } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import { type RunningTerminal, runTerminal } from '@florin/device/main/compose.ts';
import { usualReaderProtocol } from '@florin/device/readers/drivers.ts';
import { z } from 'zod';
import { noLog } from '../support/log.ts';
import { type Bench, inRounds, middle, type Reading } from './bar.ts';
import { type Measured, summarise } from './measure.ts';
import { inFolder } from './place.ts';

const goalMs = 40;

/** The part of the customer's wait after the tap that Florin causes: reader, driver, terminal, its database and HTTP. */
export const tapToResult: Bench = {
  name: 'tap',
  about: 'from the tap to the result on the screen, with a bank that answers at once',
  async run(scale) {
    const times = scale.times(300);
    const rounds = await inRounds(scale, async () => ({
      unpaced: await atCounter('unpaced', times),
      paced: await atCounter('paced', Math.ceil(times / 5)),
    }));
    const reading = (bar: string, pace: Pace, percentile: 'p50Ms' | 'p99Ms', goal?: Reading['goal']): Reading => {
      const ms = middle(rounds.map(round => round[pace][percentile]));
      return { bar, goal, ratio: ms / goalMs, measured: `${ms.toFixed(1)} ms`, ceiling: `${goalMs} ms` };
    };
    return [
      reading('tap to result without gateway and line, p50', 'unpaced', 'p50Ms', { sign: '≤', value: 1 }),
      reading('  its p99', 'unpaced', 'p99Ms'),
      reading('  p50 with a line of 115200 bit/s', 'paced', 'p50Ms'),
    ];
  },
};

type Pace = 'paced' | 'unpaced';

const counterOpened = z.object({ readerPath: z.string(), serviceUrl: z.string(), enrolmentCode: z.string() });

async function atCounter(pace: Pace, times: number): Promise<Measured> {
  const counter = fork(join(import.meta.dirname, 'shop-counter.ts'), [pace]);
  const [message] = await once(counter, 'message');
  const { readerPath, serviceUrl, enrolmentCode } = counterOpened.parse(message);
  try {
    return await inFolder(async dataDirectory => {
      const running = runTerminal({
        serviceUrl,
        dataDirectory,
        readerProtocol: usualReaderProtocol,
        readerPaths: [readerPath],
        printer: undefined,
        secrets: directory => fileSecretBox(join(directory, 'secret.key')),
        log: noLog,
      });
      try {
        await shown(running, ({ screen }) => screen.name === 'enrolment');
        await running.terminal.send({ name: 'enrol', code: enrolmentCode });
        return await taps(running, counter, times);
      } finally {
        await running.close();
      }
    });
  } finally {
    const ended = once(counter, 'exit');
    counter.disconnect();
    await ended;
  }
}

async function taps(running: RunningTerminal, counter: ChildProcess, times: number): Promise<Measured> {
  const { terminal } = running;
  const warmUp = Math.ceil(times / 10);
  const durations: number[] = [];
  await shown(running, ({ screen, header }) => screen.name === 'keypad' && header.reader.connection === 'ready');
  const started = performance.now();
  for (let index = 0; index < warmUp + times; index += 1) {
    await terminal.send({ name: 'start_sale', amountMinor: 1_000 + index });
    await shown(running, ({ screen }) => screen.name === 'sale' && screen.stage === 'present_card');
    const result = shown(running, ({ screen }) => screen.name === 'sale_result');
    const before = performance.now();
    counter.send('tap');
    const { screen } = await result;
    if (index >= warmUp) durations.push(performance.now() - before);
    if (screen.name !== 'sale_result' || screen.outcome !== 'approved') throw new Error('a sale was not approved');
    await terminal.send({ name: 'show_keypad' });
  }
  return summarise(durations, performance.now() - started);
}

/** Resolves with the next view that matches, or at once if the current one does. */
function shown({ terminal }: RunningTerminal, fits: (view: View) => boolean): Promise<View> {
  if (fits(terminal.view())) return Promise.resolve(terminal.view());
  return new Promise(resolve => {
    const stop = terminal.onView(view => {
      if (!fits(view)) return;
      stop();
      resolve(view);
    });
  });
}
