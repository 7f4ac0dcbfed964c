import { type Log, type Timers, wait } from '@florin/shared/ports.ts';
import pg from 'pg';
import type { Notifications } from '../events/notifications.ts';

const reconnectAfterMs = 1_000;

/** LISTEN on its own connection, which is reopened when it breaks. */
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
      // A connection that is ended while connecting never reports that it closed.
      if (closing.signal.aborted) return;
      client = connection;
      for (const [channel, listener] of listeners) {
        await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
        // Deliver notifications missed while disconnected.
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
        if (!closing.signal.aborted) log.warn({ err: error }, 'lost the notification connection; reconnecting');
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
