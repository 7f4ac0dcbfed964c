import { type Log, type Timers, wait } from '@florin/shared/ports.ts';
import pg from 'pg';
import type { Notifications } from '../events/notifications.ts';

const reconnectAfterMs = 1_000;

/** LISTEN on a connection of its own, which is opened anew whenever it breaks. */
export function postgresNotifications(options: {
  readonly connectionString: string;
  readonly timers: Timers;
  readonly log: Log;
}): Notifications {
  const { connectionString, timers, log } = options;
  const listeners = new Map<string, () => void>();
  const closing = new AbortController();
  let client: pg.Client | undefined;

  async function listenUntilLost(): Promise<void> {
    const connection = new pg.Client({ connectionString, keepAlive: true });
    try {
      const lost = new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.once('end', resolve);
      });
      lost.catch(() => undefined);
      connection.on('notification', ({ channel }) => listeners.get(channel)?.());
      await connection.connect();
      // Ended while it connects, a connection would never say that it is closed.
      if (closing.signal.aborted) return;
      client = connection;
      for (const [channel, listener] of listeners) {
        await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
        // Whatever was notified while nobody listened.
        listener();
      }
      await lost;
    } finally {
      client = undefined;
      await connection.end().catch((error: unknown) => log.warn({ err: error }, 'a broken connection did not close'));
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost();
      } catch (error) {
        if (!closing.signal.aborted)
          log.warn({ err: error }, 'notifications of other processes were lost for a moment');
      }
      await wait(timers, reconnectAfterMs, closing.signal);
    }
  }

  let running: Promise<void> | undefined;
  return {
    listen(channel, listener) {
      listeners.set(channel, listener);
      running ??= keepListening();
    },
    async close() {
      closing.abort();
      await client?.end();
      await running;
    },
  };
}
