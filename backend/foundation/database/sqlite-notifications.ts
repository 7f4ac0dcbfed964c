import type { Cancel, Timers } from '@florin/shared/ports.ts';
import SqliteConnection from 'better-sqlite3';
import type { Notifications } from '../events/notifications.ts';

/** A poll takes two microseconds. */
const pollEveryMs = 5;

/**
 * Reports commits of other processes to the same file, which SQLite counts per connection. Commits of this process
 * count too.
 */
export function sqliteNotifications(options: { readonly file: string; readonly timers: Timers }): Notifications {
  const { file, timers } = options;
  const listeners: (() => void)[] = [];
  const connection = new SqliteConnection(file, { readonly: true, timeout: 0 });
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();
  let seen = dataVersion.get();
  let next: Cancel | undefined;

  /** A busy database counts as changed. */
  function currentVersion(): number | undefined {
    try {
      return dataVersion.get();
    } catch (error) {
      if (error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
      throw error;
    }
  }

  function poll(): void {
    const version = currentVersion();
    if (version !== seen || version === undefined) for (const listener of listeners) listener();
    seen = version;
    next = timers.after(pollEveryMs, poll);
  }

  return {
    listen(_channel, listener) {
      listeners.push(listener);
      next ??= timers.after(pollEveryMs, poll);
    },
    async close() {
      next?.();
      connection.close();
    },
  };
}
