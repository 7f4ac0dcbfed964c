import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import { reportTerminalStatus, type TerminalHealth } from '@florin/shared/contracts/device-v1/commands.ts';
import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Connection } from '../sync/connection.ts';

type TerminalStatus = Omit<BodyInputOf<typeof reportTerminalStatus>, 'health'>;

/**
 * Reports to the service whether this terminal is ready for a sale and which configuration it uses: at every change, and
 * at intervals as a sign that it is online.
 */
export interface StatusReports {
  start(): void;
  /** The status may have changed. */
  look(): void;
  /** The version of the service, from its last response; null before it. */
  serviceVersion(): string | null;
  /** The service may have missed the last report. */
  repeat(): void;
  stop(): void;
}

const everyMs = 15_000;

/** Reports every 15 s while the terminal is enrolled, and a change at once if the service is reachable. */
export function createStatusReports(options: {
  connection: Connection;
  timers: Timers;
  log: Log;
  enrolled: () => boolean;
  /** A change of it is reported at once. */
  status: () => TerminalStatus;
  /** The version of the configuration in use; a change of it is reported at once. */
  configurationVersion: () => string | undefined;
  /** Sent with each report. */
  health: () => TerminalHealth;
}): StatusReports {
  const { connection, timers, log, enrolled, status } = options;
  let reported = '';
  let serviceVersion: string | null = null;
  let isReporting = false;
  let next: Cancel | undefined;
  let isStopped = true;

  /** What is reported at once when it changes. */
  const prompt = () => JSON.stringify([status(), options.configurationVersion()]);

  async function report(): Promise<void> {
    if (isReporting || isStopped) return;
    if (!enrolled()) return schedule();
    isReporting = true;
    reported = prompt();
    const response = await connection.call(reportTerminalStatus, { body: { ...status(), health: options.health() } });
    isReporting = false;
    if (response.kind === 'answered') serviceVersion = response.body.serviceVersion;
    // A report that was not delivered is repeated with the next one.
    if (response.kind === 'answered') look();
    schedule();
  }

  function background(): void {
    report().catch((error: unknown) => log.error({ error: String(error) }, 'the status could not be reported'));
  }

  function look(): void {
    if (!isStopped && enrolled() && connection.state() === 'online' && prompt() !== reported) background();
  }

  function schedule(): void {
    next?.();
    if (!isStopped) next = timers.after(everyMs, background);
  }

  return {
    start() {
      isStopped = false;
      schedule();
    },
    look,
    serviceVersion: () => serviceVersion,
    repeat: background,
    stop() {
      isStopped = true;
      next?.();
    },
  };
}
