import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createService, type Service } from '@florin/device/core/service/client.ts';
import { openStore, type Store } from '@florin/device/core/store/store.ts';
import { createTerminal, type Terminal } from '@florin/device/core/terminal.ts';
import type { UserAction } from '@florin/device/ipc/user-action.ts';
import { type Screen, type View, view as viewSchema } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import { systemIds, systemRandom, systemTimers } from '@florin/device/main/platform/system.ts';
import type { CardReader } from '@florin/device/readers/reader.ts';
import type { Clock, Timers } from '@florin/shared/ports.ts';
import { logInto } from '../log.ts';
import { SteadyTime } from '../steady-time.ts';
import { ScriptedPrinter } from './scripted-printer.ts';
import { ScriptedReader } from './scripted-reader.ts';
import { ScriptedService } from './scripted-service.ts';

type ScreenNamed<Name extends Screen['name']> = Extract<Screen, { name: Name }>;

/** One run of the terminal program. After it is killed, nothing that it began continues. */
class Run {
  isOver = false;
  steps = 0;
  /** The number of the step at which the power fails. */
  crashesAt: number | undefined;
  readonly onCrash: () => void;

  constructor(onCrash: () => void) {
    this.onCrash = onCrash;
  }

  /** Called before each call to the store, service or reader, and again before its result is used. */
  step(): void {
    if (this.isOver) throw new Error('this run is over');
    this.steps += 1;
    if (this.steps !== this.crashesAt) return;
    this.isOver = true;
    this.onCrash();
    throw new Error('this run is over');
  }
}

const never = new Promise<never>(() => {});

export class TerminalWorld {
  readonly service: ScriptedService;
  readonly reader = new ScriptedReader();
  readonly printer = new ScriptedPrinter();
  readonly directory = mkdtempSync(join(tmpdir(), 'florin-terminal-'));
  readonly logged: string[] = [];
  readonly #log = logInto(this.logged);
  readonly views: View[] = [];
  /** Of the terminal's disk. */
  freeBytes = 10 ** 9;
  readonly #time: SteadyTime;
  #clockShiftMs = 0;
  #store: Store | undefined;
  #terminal: Terminal | undefined;
  #run: Run | undefined;
  /** Of the machine; none without a network. */
  networkAddresses = ['192.0.2.10'];
  readonly #waiting = new Set<() => void>();

  private constructor(options: { speed: number }) {
    this.#time = new SteadyTime({ faster: options.speed, startsAt: Date.UTC(2026, 10, 21, 12) });
    this.service = new ScriptedService({ now: () => this.now() });
  }

  static async begin(options: { speed?: number } = {}): Promise<TerminalWorld> {
    const world = new TerminalWorld({ speed: options.speed ?? 100 });
    await world.service.start();
    world.start();
    return world;
  }

  /** The time of terminal and service, which runs `speed` times as fast as real time, or slower on a busy machine. */
  now(): number {
    return this.#time.clock.now();
  }

  /** Sets the terminal's clock forward or back. */
  shiftClock(byMs: number): void {
    this.#clockShiftMs += byMs;
  }

  get terminal(): Terminal {
    if (!this.#terminal) throw new Error('the terminal is off');
    return this.#terminal;
  }

  get store(): Store {
    if (!this.#store) throw new Error('the terminal is off');
    return this.#store;
  }

  get databaseFile(): string {
    return join(this.directory, 'terminal.db');
  }

  get steps(): number {
    return this.#run?.steps ?? 0;
  }

  crashAt(step: number): void {
    if (this.#run) this.#run.crashesAt = step;
  }

  get hasCrashed(): boolean {
    return this.#run?.isOver ?? true;
  }

  /** Switches the terminal on with the data of its last run. */
  start(): void {
    const run = new Run(() => this.#wakeAll());
    const store = openStore({
      file: this.databaseFile,
      secrets: fileSecretBox(join(this.directory, 'secret.key')),
      freeBytes: () => this.freeBytes,
    });
    const service = createService({
      baseUrl: this.service.url,
      timers: systemTimers,
      random: systemRandom,
      log: this.#log,
    });
    this.#run = run;
    this.#store = store;
    this.#terminal = createTerminal({
      store: crashableStore(store, run),
      service: crashableService(service, run),
      reader: crashableReader(this.reader, run),
      printer: this.printer,
      clock: { now: () => this.now() + this.#clockShiftMs } satisfies Clock,
      uptime: { now: () => this.now() },
      timers: this.#timersOf(run),
      random: systemRandom,
      ids: systemIds,
      log: this.#log,
      systemLocale: 'en-GB',
      appVersion: '1.2.3',
      launchCode: 'K7MTQX',
      platform: 'Test',
      recentLog: () => ['{"msg":"one line"}'],
      serviceAddress: 'http://127.0.0.1:4100',
      networkAddresses: () => this.networkAddresses,
    });
    this.#terminal.onView(view => {
      this.views.push(viewSchema.parse(view));
      this.#wakeAll();
    });
    this.#terminal.start();
  }

  /** Cuts the power: the program has no chance to finish anything. */
  kill(): void {
    const run = this.#run;
    if (run) run.isOver = true;
    this.#store?.close();
    this.#store = undefined;
    this.#terminal = undefined;
  }

  restart(): void {
    this.kill();
    this.start();
  }

  async end(): Promise<void> {
    if (this.#terminal && !this.hasCrashed) this.#terminal.close();
    this.kill();
    await this.service.stop();
    this.#time.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #timersOf(run: Run): Timers {
    return {
      after: (delayMs, task) =>
        this.#time.timers.after(delayMs, () => {
          if (run.isOver) return;
          try {
            task();
          } catch (error) {
            if (!run.isOver) throw error;
          }
        }),
    };
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }

  async send(action: UserAction): Promise<string> {
    try {
      return (await this.terminal.send(action)).kind;
    } catch (error) {
      if (this.hasCrashed) return 'dead';
      throw error;
    }
  }

  /**
   * Waits until the condition holds; on a timeout the error contains the screen. The terminal's time slows down on a busy
   * machine and this limit does not, so it is far above what anything takes.
   */
  async until<Found>(what: string, find: () => Found | undefined | false): Promise<Found> {
    const deadline = performance.now() + 45_000;
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (performance.now() > deadline) {
        const shown =
          this.#terminal && !this.hasCrashed ? JSON.stringify(this.#terminal.view(), null, 1) : 'nothing: it is off';
        throw new Error(
          `timed out waiting for ${what}; the screen shows ${shown}\n${this.logged.slice(-15).join('\n')}`,
        );
      }
      await new Promise<void>(resolve => {
        const wake = () => {
          this.#waiting.delete(wake);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(wake, 20);
        this.#waiting.add(wake);
      });
    }
  }

  /** Waits for a screen of this name that satisfies the condition. */
  async screen<Name extends Screen['name']>(
    name: Name,
    fits: (screen: ScreenNamed<Name>) => boolean = () => true,
  ): Promise<ScreenNamed<Name>> {
    return this.until(`the screen ${name}`, () => {
      const { screen } = this.terminal.view();
      return screen.name === name && fits(screen as ScreenNamed<Name>) ? (screen as ScreenNamed<Name>) : undefined;
    });
  }

  async enrol(): Promise<void> {
    await this.screen('enrolment');
    await this.send({ name: 'enrol', code: this.service.enrolmentCode });
    await this.screen('keypad');
    await this.until('the connection', () => this.terminal.view().header.service === 'online');
  }

  /** Takes a whole approved sale and returns to the keypad. */
  async approvedSale(amountMinor: number): Promise<string> {
    await this.send({ name: 'start_sale', amountMinor });
    const result = await this.screen('sale_result', screen => screen.outcome === 'approved');
    const saleId = result.sale?.saleId ?? '';
    await this.until('the sale to be completed', () => this.service.sales.get(saleId)?.completed);
    await this.send({ name: 'show_keypad' });
    return saleId;
  }

  async openSale(saleId: string): Promise<void> {
    await this.send({ name: 'show_recent_sales' });
    await this.screen('recent_sales', screen => !screen.busy && screen.sales.some(sale => sale.saleId === saleId));
    await this.send({ name: 'show_sale', saleId });
    await this.screen('sale_detail');
  }

  /** Goes to the password screen of a void, or of a refund of `amountMinor`. */
  async toPassword(options: { saleId: string; amountMinor?: number; staffNumber: string }): Promise<void> {
    const { saleId, amountMinor, staffNumber } = options;
    await this.openSale(saleId);
    await this.send({ name: 'return_money', saleId });
    if (amountMinor !== undefined) {
      await this.screen('refund_amount');
      await this.send({ name: 'enter_refund_amount', amountMinor });
    }
    await this.screen('staff_id');
    await this.send({ name: 'enter_staff_number', staffNumber });
    await this.screen('staff_password', screen => !screen.busy);
  }
}

function crashableStore(store: Store, run: Run): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        // Only writes are steps; a read changes nothing that a crash before or after it could show.
        const isWrite = /^(save|enrol|record|acknowledge|remove|add|forget)/.test(String(name));
        if (run.isOver) throw new Error('this run is over');
        if (isWrite) run.step();
        const result: unknown = Reflect.apply(value, target, args);
        if (isWrite) run.step();
        return result;
      };
    },
  });
}

/** Never settles if the run ends first, whether the call succeeds or fails. */
async function unlessOver<Value>(run: Run, call: () => Promise<Value>): Promise<Value> {
  if (run.isOver) return never;
  try {
    const value = await call();
    return run.isOver ? await never : value;
  } catch (error) {
    if (run.isOver) return never;
    throw error;
  }
}

/** The power may fail before the call, and before its result is used. */
function crashable<Value>(run: Run, call: () => Promise<Value>): Promise<Value> {
  return unlessOver(run, async () => {
    run.step();
    const value = await call();
    if (!run.isOver) run.step();
    return value;
  });
}

function crashableService(service: Service, run: Run): Service {
  return {
    close: () => service.close(),
    follow: (contract, request) => unlessOver(run, () => service.follow(contract, request)),
    call(contract, request) {
      const call = () => service.call(contract, request);
      // A heartbeat changes nothing that a crash before or after it could show.
      const isSignOfLife = contract.name === 'pingTerminal' || contract.name === 'reportTerminalStatus';
      return isSignOfLife ? unlessOver(run, call) : crashable(run, call);
    },
  };
}

function crashableReader(reader: ScriptedReader, run: Run): CardReader {
  return {
    protocol: reader.protocol,
    get authorisation() {
      return reader.authorisation;
    },
    status: () => reader.status(),
    onStatus: listener => reader.onStatus(status => (run.isOver ? undefined : listener(status))),
    sale: request =>
      crashable(run, () =>
        reader.sale({
          ...request,
          onStage: stage => (run.isOver ? undefined : request.onStage(stage)),
          authorise: card => (run.isOver ? never : crashable(run, () => request.authorise(card))),
        }),
      ),
    get endOfDay(): CardReader['endOfDay'] {
      const { endOfDay } = reader;
      return endOfDay && (store => crashable(run, () => endOfDay(totals => (run.isOver ? undefined : store(totals)))));
    },
    void: () => crashable(run, () => reader.void()),
    refund: () => crashable(run, () => reader.refund()),
    last: transactionId => crashable(run, () => reader.last(transactionId)),
    confirm: transactionId => crashable(run, () => reader.confirm(transactionId)),
    cancel: transactionId => crashable(run, () => reader.cancel(transactionId)),
    close: () => reader.close(),
  };
}
