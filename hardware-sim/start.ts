import type { Timers } from '@florin/shared/ports.ts';
import type { Action } from './actions.ts';
import { realTimers } from './platform/real.ts';
import { type RunningPrinter, startPrinter } from './printer/start.ts';
import { TesterSession } from './scenarios/session.ts';
import { startServer } from './server.ts';
import { ReaderSimulator, type SimulatorOptions } from './simulator.ts';

/** A simulated reader in process (for tests and demos), with its page. */
export type RunningSimulator = {
  /** Serial port a host opens. */
  readonly path: string;
  /** The tester's page. */
  readonly url: string;
  readonly simulator: ReaderSimulator;
  /** The receipt printer beside it, if there is one. */
  readonly printer: RunningPrinter | undefined;
  close(): Promise<void>;
};

/** Starts a reader, its page on 127.0.0.1 and, with `auto`, a customer who acts in every transaction. */
export async function startReaderSimulator(
  options: SimulatorOptions & {
    /** Port of the page; 0 takes a free one. */
    readonly port?: number;
    /** Played for every transaction: see `parseAuto`. */
    readonly auto?: readonly Action[];
    readonly timers?: Timers;
  } = {},
): Promise<RunningSimulator> {
  const simulator = await ReaderSimulator.start(options);
  const printer = options.hasPrinter ? await startPrinter({ backend: options.backend }) : undefined;
  const session = new TesterSession({
    simulator,
    timers: options.timers ?? realTimers,
    auto: options.auto && [...options.auto],
  });
  const server = await startServer({ simulator, session, printer, host: '127.0.0.1', port: options.port ?? 0 });
  return {
    path: simulator.path,
    url: server.url,
    simulator,
    printer,
    close: async () => {
      session.close();
      simulator.close();
      printer?.close();
      await server.close();
    },
  };
}
