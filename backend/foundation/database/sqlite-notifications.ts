import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { Notifications } from '../events/notifications.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Reports commits of other processes to the same file, within `everyMs`. A check takes two microseconds. */
export function sqliteNotifications(options: {
  readonly database: Pick<SqliteDatabase, 'commitsElsewhere'>;
  readonly timers: Timers;
  readonly everyMs: number;
}): Notifications {
  const { database, timers, everyMs } = options;
  const listeners: (() => void)[] = [];
  let seen = database.commitsElsewhere();
  let next: Cancel | undefined;

  function check(): void {
    const version = database.commitsElsewhere();
    if (version !== seen || version === undefined) for (const listener of listeners) listener();
    seen = version;
    next = timers.after(everyMs, check);
  }

  return {
    listen(_channel, listener) {
      listeners.push(listener);
      next ??= timers.after(everyMs, check);
    },
    async close() {
      next?.();
    },
  };
}
