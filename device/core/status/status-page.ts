import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Log } from '@florin/shared/ports.ts';
import type { Screen } from '../../ipc/view.ts';
import type { Printer } from '../../printers/printer.ts';
import type { CardReader, ReaderStatus } from '../../readers/reader.ts';
import type { StatusReports } from '../remote/status.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { CoreWords } from '../words.ts';
import { clockAheadMs, terminalProblems, waitingReports } from './health.ts';

type StatusScreen = Extract<Screen, { name: 'terminal_status' }>;
type Level = StatusScreen['service']['level'];
type ReaderTest = StatusScreen['reader']['test'];

/** A reader that does not answer within this time is reported as silent; it may still answer later. */
const readerAnswersWithinMs = 10_000;
/** Entries are sent at once while the service is reachable, so older ones mean that something is in the way. */
const outboxLooksAfterMs = 60_000;
const outboxIsWrongAfterMs = 60 * 60_000;
const clockLooksFromMs = 10_000;
/** The service refuses staff checks from a clock that differs by more. */
const clockIsWrongFromMs = 120_000;
const lowBatteryPercent = 15;

type Ports = {
  readonly store: Store;
  readonly reader: CardReader;
  readonly printer: Printer;
  readonly connection: Connection;
  readonly statusReports: Pick<StatusReports, 'serviceVersion' | 'repeat'>;
  readonly time: TrustedTime;
  readonly clock: Clock;
  readonly uptime: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly appVersion: string;
  readonly launchCode: string;
  /** The program and the machine, in words for support. */
  readonly platform: string;
  /** The last lines of the log. */
  readonly recentLog: () => string[];
  readonly serviceAddress: string;
  readonly networkAddresses: () => string[];
  /** In the language of the screen. */
  readonly words: () => CoreWords;
  readonly changed: () => void;
  readonly background: (work: () => Promise<void>) => void;
};

/** What this terminal knows of itself, for the person at it and for support on the telephone. */
export class StatusPage {
  readonly #ports: Ports;
  #test: ReaderTest = { state: 'not_asked' };

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The page is opened: what it shows is logged, and the log and this launch are sent to the service, where support finds them. */
  open(): void {
    this.#test = { state: 'not_asked' };
    const { network, service, reader, printer, outbox, clock } = this.screen();
    this.#ports.log.info(
      { network, service, reader, printer: printer.state, outbox, clock },
      'the status page was opened',
    );
    this.#ports.statusReports.repeat();
    this.#ports.background(() => this.#sendDiagnostics());
  }

  async #sendDiagnostics(): Promise<void> {
    const { connection, launchCode, appVersion, platform, recentLog, log } = this.#ports;
    const body = { launchCode, appVersion, platform, log: recentLog() };
    const response = await connection.call(sendDiagnostics, { body });
    if (response.kind !== 'answered') log.warn({ kind: response.kind }, 'the log was not sent to the service');
  }

  screen(): StatusScreen {
    const { store, statusReports, appVersion, launchCode } = this.#ports;
    return {
      name: 'terminal_status',
      supportCode: launchCode,
      network: this.#network(),
      service: this.#service(),
      reader: this.#reader(),
      printer: this.#printer(),
      outbox: this.#outbox(),
      clock: this.#clock(),
      alerts: { level: terminalProblems(store).length === 0 ? 'fine' : 'wrong' },
      versions: { terminal: appVersion, service: statusReports.serviceVersion() },
    };
  }

  /** Whether it is the network of this machine that is missing, or something beyond it. */
  #network(): StatusScreen['network'] {
    const { connection, networkAddresses } = this.#ports;
    const addresses = networkAddresses();
    return { level: addresses.length > 0 || connection.state() === 'online' ? 'fine' : 'wrong', addresses };
  }

  #service(): StatusScreen['service'] {
    const { connection, time, uptime, serviceAddress } = this.#ports;
    const levels = { online: 'fine', connecting: 'look', offline: 'wrong' } as const;
    const state = connection.state();
    const since = time.now() - Math.round(uptime.now() - connection.changedAt());
    return { level: levels[state], state, since, address: serviceAddress };
  }

  #reader(): StatusScreen['reader'] {
    const status = this.#ports.reader.status();
    const { connection, firmware = null, serial = null, batteryPercent = null, attention = null } = status;
    return { level: readerLevel(status), connection, attention, firmware, serial, batteryPercent, test: this.#test };
  }

  #printer(): StatusScreen['printer'] {
    const state = this.#ports.printer.status();
    if (state === 'none' || state === 'ready') return { level: 'fine', state };
    if (state === 'checking') return { level: 'look', state };
    return { level: 'wrong', state: 'trouble', ...this.#ports.words().printing.troubles[state] };
  }

  #outbox(): StatusScreen['outbox'] {
    const { store, time } = this.#ports;
    const waiting = waitingReports(store);
    const [oldest] = store.outbox(1);
    const oldestAt = oldest ? Date.parse(oldest.kind === 'staff_check' ? oldest.attemptedAt : oldest.detectedAt) : null;
    return { level: outboxLevel(waiting, oldestAt === null ? 0 : time.now() - oldestAt), waiting, oldestAt };
  }

  #clock(): StatusScreen['clock'] {
    const aheadMs = clockAheadMs(this.#ports);
    const differs = Math.abs(aheadMs ?? clockLooksFromMs);
    const level = differs >= clockIsWrongFromMs ? 'wrong' : differs >= clockLooksFromMs ? 'look' : 'fine';
    return { level, aheadMs };
  }

  /** Asks the reader what it remembers of a transaction that never was: it answers, and does nothing. */
  testReader(): boolean {
    if (this.#test.state === 'asking') return false;
    this.#test = { state: 'asking' };
    this.#ports.changed();
    this.#ports.background(() => this.#askReader());
    return true;
  }

  async #askReader(): Promise<void> {
    const { reader, ids, uptime, log, changed } = this.#ports;
    const askedAt = uptime.now();
    const { kind } = await reader.last(ids.next(idPrefixes.readerTest));
    const tookMs = Math.round(uptime.now() - askedAt);
    const isAnswered = kind !== 'unreachable' && tookMs <= readerAnswersWithinMs;
    this.#test = isAnswered ? { state: 'answered', tookMs } : { state: 'silent' };
    log.info({ answer: kind, tookMs }, 'the reader was tested');
    changed();
  }
}

function readerLevel({ connection, attention, tampered, batteryPercent = 100 }: ReaderStatus): Level {
  if (tampered || connection === 'lost' || connection === 'incompatible') return 'wrong';
  if (connection === 'searching' || connection === 'connecting') return 'look';
  return attention === undefined && batteryPercent >= lowBatteryPercent ? 'fine' : 'look';
}

function outboxLevel(waiting: number, oldestAgeMs: Instant): Level {
  if (waiting === 0 || oldestAgeMs < outboxLooksAfterMs) return 'fine';
  return oldestAgeMs < outboxIsWrongAfterMs ? 'look' : 'wrong';
}
