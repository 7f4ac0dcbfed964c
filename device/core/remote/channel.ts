import { followCommands } from '@florin/shared/contracts/device-v1/commands.ts';
import type { Cancel, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { Publish } from '../facts.ts';
import type { Connection } from '../sync/connection.ts';
import { settingsPause, spreadPause } from '../sync/spread.ts';

/** The stream of commands from the service to this terminal. */
export interface CommandChannel {
  start(): void;
  /** Reconnects at once, or after `delayMs`, instead of waiting for the next attempt. */
  trigger(delayMs?: number): void;
  stop(): void;
}

const firstPauseMs = 250;
const maxPauseMs = 10_000;

/** Connects while the terminal is enrolled, and again after the stream ended: after about 250 ms, later after up to about 10 s. */
export function createCommandChannel(options: {
  connection: Connection;
  timers: Timers;
  random: Random;
  log: Log;
  /** Whether the terminal is enrolled, so that there is a service to connect to. */
  enrolled: () => boolean;
  publish: Publish;
}): CommandChannel {
  const { connection, timers, random, log, enrolled, publish } = options;
  let over: AbortController | undefined;
  let next: Cancel | undefined;
  let pauseMs = firstPauseMs;
  let isStopped = true;

  async function listen(): Promise<void> {
    if (over || isStopped) return;
    if (!enrolled()) return schedule(maxPauseMs);
    over = new AbortController();
    const end = await connection.follow(followCommands, {
      signal: over.signal,
      onOpen() {
        pauseMs = firstPauseMs;
        log.info({ state: 'open' }, 'command channel');
        publish({ kind: 'stream_opened' });
      },
      onEvent(event) {
        if ('kind' in event) publish({ kind: 'command_received', command: event });
        else if ('mode' in event) publish({ kind: 'settings_changed', settleMs: settingsPause(random) });
        else if ('state' in event) publish({ kind: 'bitcoin_changed', sale: event });
        else publish({ kind: 'bank_answered', saleId: event.saleId });
      },
    });
    over = undefined;
    log.info({ state: 'closed', why: end.kind }, 'command channel');
    schedule(spreadPause(random, pauseMs));
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }

  function schedule(delayMs: number): void {
    next?.();
    if (isStopped) return;
    next = timers.after(delayMs, () => {
      listen().catch((error: unknown) => log.error({ error: String(error) }, 'the command channel failed'));
    });
  }

  return {
    start() {
      isStopped = false;
      schedule(0);
    },
    trigger(delayMs = 0) {
      if (!over) schedule(delayMs);
    },
    stop() {
      isStopped = true;
      next?.();
      over?.abort();
    },
  };
}
