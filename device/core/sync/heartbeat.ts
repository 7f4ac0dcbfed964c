import type { Cancel, Clock, Timers } from '@florin/shared/ports.ts';
import { type Connection, checkTimeoutMs } from './connection.ts';

/** Pings the service if it has not responded for a while. */
export interface Heartbeat {
  start(): void;
  stop(): void;
}

/**
 * The two together are how long the service may be silent before the terminal shows Offline: less than three seconds.
 */
const everyMs = 1_000;
const promptMs = 1_500;

/** Pings while the terminal is enrolled. An overdue response makes the connection offline before the ping times out. */
export function createHeartbeat(options: {
  connection: Connection;
  timers: Timers;
  uptime: Clock;
  /** Whether the terminal is enrolled, so that there is a service to ping. */
  enrolled: () => boolean;
}): Heartbeat {
  const { connection, timers, uptime, enrolled } = options;
  let next: Cancel | undefined;
  let isStopped = true;
  /** Grows up to the full timeout on a slow line, which would otherwise go offline at every ping. */
  let timeoutMs = promptMs;

  async function beat(): Promise<void> {
    const quietMs = uptime.now() - connection.lastResponseAt();
    const isDue = quietMs >= everyMs;
    if (isDue && enrolled()) await ask();
    schedule(isDue ? everyMs : everyMs - quietMs);
  }

  async function ask(): Promise<void> {
    const askedAt = uptime.now();
    const cancel = timers.after(timeoutMs, () => {
      if (!isStopped && connection.lastResponseAt() < askedAt) connection.missed();
    });
    const isReached = await connection.check();
    cancel();
    if (isReached) timeoutMs = uptime.now() - askedAt > promptMs ? checkTimeoutMs : promptMs;
  }

  function schedule(delayMs: number): void {
    if (!isStopped) next = timers.after(delayMs, () => void beat());
  }

  return {
    start() {
      isStopped = false;
      schedule(everyMs);
    },
    stop() {
      isStopped = true;
      next?.();
    },
  };
}
