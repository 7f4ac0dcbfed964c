import type { Clock, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { View } from '../../ipc/view.ts';
import { signedFeed, type UpdateSource } from './signed-feed.ts';

/** What is used of electron-updater. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  /** The way back: an older version at the updates' address is an update too. */
  allowDowngrade: boolean;
  on(event: 'update-downloaded', listener: (update: { readonly version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  setFeedURL(feed: ReturnType<typeof signedFeed>): void;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

const firstCheckWithinMs = 10 * 60_000;
const checkEveryMs = 6 * 3_600_000;
const lookEveryMs = 60_000;
/** Since something was under way. */
const quietForMs = 15 * 60_000;
/** Since the last key or touch: an amount may be half typed. */
const untouchedForMs = 5 * 60_000;
/** Nothing is under way on them, and a restart shows a result again. */
const quietScreens: readonly View['screen']['name'][] = [
  'enrolment',
  'keypad',
  'kiosk_idle',
  'sale_result',
  'return_result',
  'recent_sales',
  'sale_detail',
  'return_receipt',
  'day_report',
  'terminal_status',
];

/**
 * Looks for updates and installs one while nobody uses the terminal, never in the middle of a sale. Terminals look at
 * different times, so that they do not all ask at once. Returns how to stop.
 */
export function startUpdates(options: {
  readonly updater: Updater;
  readonly source: UpdateSource;
  readonly terminal: { view(): View; onView(listener: (view: View) => void): () => void };
  /** The time since somebody last used the machine. */
  readonly untouchedMs: () => number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
}): () => void {
  const { updater, terminal, clock, timers, random, log } = options;
  let quietSince: number | undefined;
  let waiting: string | undefined;
  let cancelLook = () => {};
  let cancelCheck = () => {};
  updater.setFeedURL(signedFeed(options.source));
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = true;

  function see({ screen }: View): void {
    if (!quietScreens.includes(screen.name)) quietSince = undefined;
    else quietSince ??= clock.now();
  }
  function isQuiet(): boolean {
    return (
      quietSince !== undefined && clock.now() - quietSince >= quietForMs && options.untouchedMs() >= untouchedForMs
    );
  }
  function look(): void {
    if (!isQuiet()) {
      cancelLook = timers.after(lookEveryMs, look);
      return;
    }
    log.info({ version: waiting }, 'an update is installed');
    updater.quitAndInstall(true, true);
  }
  function check(): void {
    cancelCheck = timers.after(checkEveryMs, check);
    updater.checkForUpdates().catch((error: unknown) => failed(error));
  }
  function failed(error: unknown): void {
    log.warn({ error: String(error) }, 'updates could not be looked for');
  }

  updater.on('error', failed);
  updater.on('update-downloaded', ({ version }) => {
    log.info({ version }, 'an update waits until nobody uses the terminal');
    if (waiting === undefined) cancelLook = timers.after(lookEveryMs, look);
    waiting = version;
  });
  see(terminal.view());
  const stopWatching = terminal.onView(see);
  cancelCheck = timers.after(firstCheckWithinMs * fractionOf(random), check);
  return () => {
    cancelCheck();
    cancelLook();
    stopWatching();
  };
}

/** From 0 up to 1. */
function fractionOf(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_536;
}
