import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { Connection } from './connection.ts';

/** Asks the service for a sign of life whenever nothing was heard of it for a while. */
export interface Heartbeat {
  start(): void;
  stop(): void;
}

const everyMs = 2_000;

export function createHeartbeat(options: {
  connection: Connection;
  timers: Timers;
  /** Whether there is a service to ask: an enrolled terminal. */
  enrolled: () => boolean;
}): Heartbeat {
  const { connection, timers, enrolled } = options;
  let next: Cancel | undefined;
  let isStopped = true;

  async function beat(): Promise<void> {
    if (enrolled() && !connection.takeHeard()) await connection.check();
    schedule();
  }

  function schedule(): void {
    if (!isStopped) next = timers.after(everyMs, () => void beat());
  }

  return {
    start() {
      isStopped = false;
      schedule();
    },
    stop() {
      isStopped = true;
      next?.();
    },
  };
}
