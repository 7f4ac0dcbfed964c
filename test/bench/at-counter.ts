import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { View } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import { type RunningTerminal, runTerminal } from '@florin/device/main/compose.ts';
import { createLog } from '@florin/device/main/platform/log.ts';
import { usualReaderProtocol } from '@florin/device/readers/drivers.ts';
import { z } from 'zod';
import { inFolder } from './place.ts';

/** How fast the reader's line is: as a real one, or without a limit. */
export type Pace = 'paced' | 'unpaced';

/** A whole terminal of this process, enrolled and with its reader; reader and service are in another process. */
export type Counter = {
  /** A sale from the keypad to its result and back. Returns the milliseconds from the tap to the result. */
  sell(amountMinor: number): Promise<number>;
};

const counterOpened = z.object({ readerPath: z.string(), serviceUrl: z.string(), enrolmentCode: z.string() });

/** Opens a terminal at a counter for `work`, and closes both. */
export async function atCounter<Value>(pace: Pace, work: (counter: Counter) => Promise<Value>): Promise<Value> {
  const surroundings = fork(join(import.meta.dirname, 'shop-counter.ts'), [pace]);
  const [message] = await once(surroundings, 'message');
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
        platform: 'Bench',
        log: createLog({ level: 'silent' }),
      });
      try {
        await shown(running, ({ screen }) => screen.name === 'enrolment');
        await running.terminal.send({ name: 'enrol', code: enrolmentCode });
        await shown(running, ({ screen, header }) => screen.name === 'keypad' && header.reader.connection === 'ready');
        return await work({ sell: amountMinor => sell(running, surroundings, amountMinor) });
      } finally {
        await running.close();
      }
    });
  } finally {
    const ended = once(surroundings, 'exit');
    surroundings.disconnect();
    await ended;
  }
}

async function sell(running: RunningTerminal, surroundings: ChildProcess, amountMinor: number): Promise<number> {
  const { terminal } = running;
  await terminal.send({ name: 'start_sale', amountMinor });
  await shown(running, ({ screen }) => screen.name === 'sale' && screen.stage === 'present_card');
  const result = shown(running, ({ screen }) => screen.name === 'sale_result');
  const before = performance.now();
  surroundings.send('tap');
  const { screen } = await result;
  const duration = performance.now() - before;
  if (screen.name !== 'sale_result' || screen.outcome !== 'approved') throw new Error('a sale was not approved');
  await terminal.send({ name: 'show_keypad' });
  return duration;
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
