import { readerDriver } from '@florin/device/readers/drivers.ts';
import type { CardReader, HostAnswer, ReaderOutcome } from '@florin/device/readers/reader.ts';
import { realClock, realRandom, realTimers } from '@florin/hardware-sim/platform/real.ts';
import { type RunningSimulator, startReaderSimulator } from '@florin/hardware-sim/start.ts';
import { noLog } from './log.ts';
import { aReaderStorage } from './reader-storage.ts';

/** The terminal's driver connected to a simulated reader with its page. */
export type ReaderBench = {
  readonly simulator: RunningSimulator;
  readonly reader: CardReader;
  /** Takes 23.99 pounds when the reader is ready; the bank approves unless `host` says otherwise. */
  readonly sale: (id: string, host?: HostAnswer) => Promise<ReaderOutcome>;
  close(): Promise<void>;
};

const tryAgainMs = 20;

/** Starts both. */
export async function aReaderBench(options: Parameters<typeof startReaderSimulator>[0] = {}): Promise<ReaderBench> {
  const simulator = await startReaderSimulator({ pace: 'unpaced', ...options });
  const reader = readerDriver(options.protocol ?? 'line').open({
    storage: aReaderStorage(),
    hostName: 'till',
    paths: [simulator.path],
    clock: realClock,
    timers: realTimers,
    random: realRandom,
    log: noLog,
    onAlarm: () => undefined,
  });
  const ready = async () => {
    while (reader.status().connection !== 'ready') await new Promise<void>(done => realTimers.after(tryAgainMs, done));
  };
  return {
    simulator,
    reader,
    async sale(id, host = { kind: 'approved', authorisationCode: '712345', hostCode: '00' }) {
      await ready();
      return reader.sale({
        transactionId: id,
        amount: { amountMinor: 2399, currency: 'GBP' },
        timeoutMs: 60_000,
        onStage: () => undefined,
        authorise: async () => host,
      });
    },
    async close() {
      await reader.close();
      await simulator.close();
    },
  };
}
