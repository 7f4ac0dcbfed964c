import type { Log, Timers } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../hardware-sim/platform/real.ts';
import { viewOf } from '../../../test/screens/gallery/picture.ts';
import type { View } from '../../ipc/view.ts';
import { startUpdates, type Updater } from './updates.ts';

const minuteMs = 60_000;
const keypad = viewOf({ name: 'keypad', notice: null });
const inSale: View = { ...keypad, screen: { name: 'starting' } };

/** A terminal with an updater, both in simulated time. */
function world(seed = 1) {
  let now = 0;
  let due: { at: number; task: () => void }[] = [];
  const timers: Timers = {
    after(delayMs, task) {
      const entry = { at: now + delayMs, task };
      due.push(entry);
      return () => {
        due = due.filter(other => other !== entry);
      };
    },
  };
  const log: string[] = [];
  const logs = (_: unknown, message: string) => void log.push(message);
  const checks: number[] = [];
  const installs: number[] = [];
  const listeners: Record<string, (given: never) => void> = {};
  const state = { view: keypad, touchedAt: -Number.MAX_SAFE_INTEGER, fails: false };
  let seen: (view: View) => void = () => {};
  const updater: Updater = {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    on: (event: string, listener: (given: never) => void) => {
      listeners[event] = listener;
    },
    setFeedURL() {},
    checkForUpdates: async () => {
      checks.push(now);
      if (state.fails) throw new Error('no network');
    },
    quitAndInstall: () => void installs.push(now),
  };
  const stop = startUpdates({
    updater,
    source: { url: 'https://updates.example.com', publicKey: '' },
    terminal: {
      view: () => state.view,
      onView(listener) {
        seen = listener;
        return () => {};
      },
    },
    untouchedMs: () => now - state.touchedAt,
    clock: { now: () => now },
    timers,
    random: seededRandom(seed),
    log: { info: logs, warn: logs, error: logs } satisfies Log,
  });
  return {
    checks,
    installs,
    log,
    updater,
    state,
    stop,
    show(view: View) {
      state.view = view;
      seen(view);
    },
    touch() {
      state.touchedAt = now;
    },
    downloaded: () => listeners['update-downloaded']?.({ version: '2.0.0' } as never),
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const next = due.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0];
        if (!next) break;
        due = due.filter(other => other !== next);
        now = next.at;
        next.task();
        await Promise.resolve();
      }
      now = until;
    },
  };
}

test('an update is installed once nobody uses the terminal, and never during a sale', async () => {
  const terminal = world();
  terminal.show(inSale);
  terminal.downloaded();
  await terminal.pass(24 * 60 * minuteMs);
  expect(terminal.installs).toEqual([]);
  terminal.show(keypad);
  await terminal.pass(14 * minuteMs);
  expect(terminal.installs).toEqual([]);
  await terminal.pass(2 * minuteMs);
  expect(terminal.installs).toHaveLength(1);
});

test('an amount that is being typed is not lost to an update', async () => {
  const terminal = world();
  await terminal.pass(60 * minuteMs);
  terminal.downloaded();
  for (let minutes = 0; minutes < 30; minutes += 4) {
    terminal.touch();
    await terminal.pass(4 * minuteMs);
  }
  expect(terminal.installs).toEqual([]);
  await terminal.pass(2 * minuteMs);
  expect(terminal.installs).toHaveLength(1);
});

test('terminals look for updates at different times, again every six hours, and also after a failure', async () => {
  const first: number[] = [];
  for (let seed = 1; seed <= 200; seed += 1) {
    const terminal = world(seed);
    terminal.state.fails = seed % 2 === 0;
    await terminal.pass(13 * 60 * minuteMs);
    expect(terminal.checks).toHaveLength(3);
    first.push(terminal.checks[0] ?? 0);
    terminal.stop();
    await terminal.pass(13 * 60 * minuteMs);
    expect(terminal.checks).toHaveLength(3);
  }
  const byMinute = Map.groupBy(first, at => Math.floor(at / minuteMs));
  expect(byMinute.size).toBe(10);
  expect(Math.max(...[...byMinute.values()].map(({ length }) => length))).toBeLessThan(40);
});

test('the way back is open: an older version is an update too', () => {
  const { updater } = world();
  expect(updater).toMatchObject({ autoDownload: true, autoInstallOnAppQuit: true, allowDowngrade: true });
});
