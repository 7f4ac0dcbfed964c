import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '@florin/device/core/service/client.ts';
import { openStore, type Store } from '@florin/device/core/store/store.ts';
import { createTerminal, type Terminal } from '@florin/device/core/terminal.ts';
import type { View } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import { noPrinter } from '@florin/device/printers/printer.ts';
import { readerDriver } from '@florin/device/readers/drivers.ts';
import type { ReaderStorage } from '@florin/device/readers/reader.ts';
import type { DayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { pingTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Ids, Log, Timers } from '@florin/shared/ports.ts';
import type { buildConnector } from 'undici';
import { type SeededNumbers, seededRandom, type VirtualTime } from '../simulation/seeded.ts';
import { aReaderStorage } from '../support/reader-storage.ts';
import type { Steps } from './steps.ts';
import type { Wire } from './wire.ts';

type Options = {
  readonly protocol: string;
  readonly time: VirtualTime;
  readonly numbers: SeededNumbers;
  readonly ids: Ids;
  readonly steps: Steps;
  readonly wire: Wire;
  readonly connect: buildConnector.connector;
  /** Whether the service is running: what a ping would find. */
  readonly isServiceUp: () => boolean;
  readonly log: Log;
  readonly onView: (view: View) => void;
};

/** What a program without power throws wherever it would go on. */
export class PowerIsOff extends Error {
  override name = 'PowerIsOff';
}

const closeLaterMs = 1_000;
const never = new Promise<never>(() => {});
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Calls that change nothing: they are no steps of an operation. */
const signsOfLife: ReadonlySet<string> = new Set(['pingTerminal', 'reportTerminalStatus', 'followCommands']);

/** The terminal’s core with its real storage, driver and client, which can lose its power at any message. */
export class PoweredTerminal {
  readonly #options: Options;
  readonly #folder = mkdtempSync(join(folders, 'florin-matrix-'));
  readonly #storage = aReaderStorage();
  #callsUnderWay = 0;
  #run: { isOver: boolean; readonly terminal: Terminal; readonly store: Store; readonly service: Service } | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#run !== undefined;
  }

  /** Whether everything was told to the service. */
  get hasReported(): boolean {
    return this.#run !== undefined && this.#run.store.pendingReports().length === 0;
  }

  /** Whether everything that it keeps for the service was delivered. */
  get isOutboxEmpty(): boolean {
    return this.isOn && this.undelivered === 0;
  }

  /** How much of it was not; 0 while it is off. */
  get undelivered(): number {
    return this.#run ? this.#run.store.pendingReports().length + this.#run.store.outboxSize() : 0;
  }

  /** The totals of a day as the service last sent them. */
  totalsOf(date: string): DayTotals | undefined {
    return this.#run?.store.dayTotals(date);
  }

  /** How many calls wait for their answer. */
  get callsUnderWay(): number {
    return this.#callsUnderWay;
  }

  async send(action: Parameters<Terminal['send']>[0]): Promise<string> {
    if (!this.#run) return 'off';
    try {
      return (await this.#run.terminal.send(action)).kind;
    } catch (error) {
      if (error instanceof PowerIsOff) return 'off';
      throw error;
    }
  }

  start(): void {
    if (this.#run) return;
    const { time, numbers, ids, log, wire, protocol } = this.#options;
    const power = { isOver: false };
    const timers: Timers = {
      after: (delayMs, task) => time.after(delayMs, () => !power.isOver && unlessOff(task)),
    };
    const store = openStore({
      file: join(this.#folder, 'terminal.db'),
      secrets: fileSecretBox(join(this.#folder, 'secret.key')),
    });
    const random = seededRandom(numbers);
    const reader = readerDriver(protocol).open({
      hostName: 'till',
      paths: wire.socket.paths,
      baudRates: [115_200],
      clock: time,
      timers,
      random,
      log,
      onAlarm: () => undefined,
      storage: whilePowered<ReaderStorage>(power, this.#storage),
      openPort: portOptions =>
        wire.openPort({
          ...portOptions,
          onBytes: bytes => power.isOver || unlessOff(() => portOptions.onBytes(bytes)),
          onClose: reason => power.isOver || unlessOff(() => portOptions.onClose(reason)),
        }),
    });
    const service = createService({ baseUrl: 'http://service', timers, random, log, connect: this.#options.connect });
    const terminal = createTerminal({
      store: whilePowered(power, store),
      service: this.#watched(service, power),
      reader,
      printer: noPrinter,
      clock: time,
      uptime: time,
      timers,
      random,
      ids,
      log,
      systemLocale: 'en-GB',
      appVersion: '1.2.3',
      launchCode: 'K7MTQX',
      platform: 'Test',
      recentLog: () => ['{"msg":"one line"}'],
      serviceAddress: 'http://service',
      networkAddresses: () => [],
    });
    terminal.onView(view => this.#options.onView(view));
    this.#run = Object.assign(power, { terminal, store, service });
    terminal.start();
  }

  /** Cuts its power: what it had not stored and sent by now, it never does. */
  cut(): void {
    const run = this.#run;
    if (!run) return;
    run.isOver = true;
    this.#run = undefined;
    this.#options.wire.cutTerminal();
    // What it had sent may still arrive.
    this.#options.time.after(closeLaterMs, () => void run.service.close());
    run.store.close();
  }

  close(): void {
    this.cut();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Each request and each response is a step. */
  #watched(service: Service, power: { isOver: boolean }): Service {
    const { steps, time, isServiceUp } = this.#options;
    const call: Service['call'] = async (contract, request) => {
      if (power.isOver) return never;
      // Asked every second of virtual time, and of no consequence: answered here.
      if (contract.name === pingTerminal.name)
        return (isServiceUp() ? { kind: 'answered', status: 200, body: serverTime(time) } : notReached) as never;
      const isStep = !signsOfLife.has(contract.name);
      const sent = isStep ? steps.pass({ from: 'terminal', to: 'service', what: contract.name }) : {};
      const asked = sent.isLost ? Promise.resolve(notReached as never) : service.call(contract, request);
      if (power.isOver) return never;
      sent.afterwards?.();
      this.#callsUnderWay += 1;
      const response = await asked.finally(() => {
        this.#callsUnderWay -= 1;
      });
      if (power.isOver) return never;
      const what = `${contract.name} ${response.kind === 'answered' ? response.status : response.kind}`;
      const answered = isStep ? steps.pass({ from: 'service', to: 'terminal', what }) : {};
      if (power.isOver) return never;
      answered.afterwards?.();
      return answered.isLost ? { kind: 'unknown', cause: 'lost' } : response;
    };
    return { call, follow: (contract, request) => service.follow(contract, request), close: () => service.close() };
  }
}

const notReached = { kind: 'not_reached' } as const;
const serverTime = (time: VirtualTime) => ({ serverTime: new Date(time.now()).toISOString() });

/** The storage of a program: it cannot write any more once its power is off. */
function whilePowered<Storage extends object>(power: { readonly isOver: boolean }, storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (power.isOver) throw new PowerIsOff();
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

function unlessOff(task: () => void): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof PowerIsOff)) throw error;
  }
}
