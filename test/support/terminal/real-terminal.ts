import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '@florin/device/core/service/client.ts';
import { openStore } from '@florin/device/core/store/store.ts';
import { createTerminal, type Terminal } from '@florin/device/core/terminal.ts';
import type { Screen } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import {
  systemClock,
  systemIds,
  systemRandom,
  systemTimers,
  systemUptime,
} from '@florin/device/main/platform/system.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import type { Timers } from '@florin/shared/ports.ts';
import { expect, onTestFinished } from 'vitest';
import type { BackendWorld } from '../backend.ts';
import { logInto } from '../log.ts';
import { sealedCard } from '../till.ts';
import { ScriptedPrinter } from './scripted-printer.ts';
import { ScriptedReader } from './scripted-reader.ts';

/**
 * The terminal's core with its real storage and client, connected to a backend; only its reader is scripted. Timers of
 * `heldFromMs` or more run only by `skip`.
 */
export async function aRealTerminal(
  world: BackendWorld,
  manager: string,
  { url = world.url, mode = 'staff' as 'staff' | 'kiosk', heldFromMs = Number.POSITIVE_INFINITY } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'florin-terminal-'));
  const reader = new ScriptedReader();
  const printer = new ScriptedPrinter();
  reader.card = { ...reader.card, ...sealedCard() };
  const logged: string[] = [];
  const log = logInto(logged);
  let stop: (() => Promise<void>) | undefined;
  let skippedMs = 0;
  const waiting = new Set<{ delayMs: number; task: () => void; cancel: () => void }>();
  const timers: Timers = {
    after(delayMs, task) {
      const run = () => {
        waiting.delete(entry);
        task();
      };
      const cancelTimer = delayMs < heldFromMs ? systemTimers.after(delayMs, run) : undefined;
      const entry = {
        delayMs,
        task,
        cancel() {
          waiting.delete(entry);
          cancelTimer?.();
        },
      };
      waiting.add(entry);
      return entry.cancel;
    },
  };

  function open(): Terminal {
    const store = openStore({
      file: join(directory, 'terminal.db'),
      secrets: fileSecretBox(join(directory, 'secret.key')),
    });
    const service = createService({ baseUrl: url, timers, random: systemRandom, log });
    const clock = { now: () => systemClock.now() + skippedMs };
    const ports = { clock, uptime: systemUptime, timers, random: systemRandom, ids: systemIds };
    const terminal = createTerminal({
      ...ports,
      store,
      service,
      reader,
      printer,
      log,
      systemLocale: 'en-GB',
      appVersion: '1.2.3',
      launchCode: 'K7MTQX',
      platform: 'Test',
      recentLog: () => ['{"msg":"one line"}'],
      serviceAddress: 'http://127.0.0.1:4100',
      networkAddresses: () => ['192.0.2.10'],
    });
    terminal.start();
    stop = async () => {
      terminal.close();
      await service.close();
      store.close();
    };
    return terminal;
  }

  async function end(): Promise<void> {
    await stop?.();
    stop = undefined;
  }

  let terminal = open();
  onTestFinished(async () => {
    await end();
    rmSync(directory, { recursive: true, force: true });
  });
  const view = () => terminal.view();
  const screen = () => view().screen;
  const shows = async <Name extends Screen['name']>(name: Name): Promise<Extract<Screen, { name: Name }>> => {
    await expect.poll(() => screen().name, { interval: 5, timeout: 30_000 }).toBe(name);
    return screen() as Extract<Screen, { name: Name }>;
  };

  await shows('enrolment');
  const made = await world.client.call(createDevice, { body: { name: 'Till 1', mode } }, { key: manager });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await terminal.send({ name: 'enrol', code: made.body.enrolment?.code ?? '' });
  await shows(mode === 'kiosk' ? 'kiosk_idle' : 'keypad');
  return {
    reader,
    printer,
    logged,
    /** What it has on disk. */
    directory,
    view,
    screen,
    shows,
    deviceId: made.body.id,
    send: (...intent: Parameters<Terminal['send']>) => terminal.send(...intent),
    /** Advances the terminal's clock and runs the timers that are due by then. */
    skip({ ms }: { ms: number }) {
      skippedMs += ms;
      // Each timer runs once; those set meanwhile wait for the next call.
      for (const { delayMs, task, cancel } of Array.from(waiting)) {
        if (delayMs > ms) continue;
        cancel();
        task();
      }
    },
    /** Cuts the terminal's power; `start` restores it. */
    kill: end,
    start() {
      terminal = open();
    },
  };
}
