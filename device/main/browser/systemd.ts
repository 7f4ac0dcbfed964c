import { execFile } from 'node:child_process';
import type { Log, Timers } from '@florin/shared/ports.ts';

/**
 * Tells systemd that the terminal is ready and, three times in each `WatchdogSec` of its unit, that its event loop runs:
 * systemd restarts a terminal that hangs. It does nothing where systemd did not start it. Node.js cannot send datagrams to a
 * Unix socket, so systemd's own program sends them.
 */
export function notifySystemd(options: {
  environment: Readonly<Record<string, string | undefined>>;
  timers: Timers;
  log: Pick<Log, 'error'>;
}): void {
  const { environment, timers, log } = options;
  if (environment.NOTIFY_SOCKET === undefined) return;
  const tell = (text: string) =>
    execFile('systemd-notify', [text], error => {
      if (error) log.error({ error: error.message }, 'systemd could not be notified');
    });
  tell('READY=1');
  const withinMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000;
  if (withinMs === 0) return;
  const repeat = () => {
    tell('WATCHDOG=1');
    timers.after(withinMs / 3, repeat);
  };
  repeat();
}
