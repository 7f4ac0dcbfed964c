import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { discovery } from './line/discovery.ts';
import { LineReader, type ReaderAlarm, type ReaderLog } from './line/driver.ts';
import type { CardReader } from './reader.ts';

export type { ReaderAlarm, ReaderLog } from './line/driver.ts';

export type OpenReaderOptions = {
  readonly protocol: 'line';
  /** Serial ports to try, whether the system lists them or not; or every listed USB serial port. */
  readonly paths: readonly string[] | 'discover';
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: ReaderLog;
  readonly onAlarm: (alarm: ReaderAlarm) => void;
  /** How this till calls itself towards the reader. */
  readonly hostName?: string;
  /** Speeds in bits per second, tried in this order. */
  readonly baudRates?: readonly number[];
};

const usualBaudRates = [115_200, 57_600, 38_400, 9600];

/** Starts looking for a reader; it is found, lost and found again in the background until `close`. */
export function openReader(options: OpenReaderOptions): CardReader {
  const { protocol: _, paths, hostName, baudRates, ...ports } = options;
  return new LineReader({
    ...ports,
    discovery: discovery(paths),
    hostName: hostName ?? 'florin',
    baudRates: baudRates ?? usualBaudRates,
  });
}
