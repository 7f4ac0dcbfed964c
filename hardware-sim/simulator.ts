import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import type { Frame } from '@florin/shared/reader-line/frame.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import { unreachable } from '@florin/shared/result.ts';
import { type Action, type ActionInput, action } from './actions.ts';
import { cardOf, lastFourOf, type TestCard, wallet } from './cards/wallet.ts';
import { aboutFault, type FaultName } from './faults/armed.ts';
import { Line } from './faults/line.ts';
import { realClock, realRandom, realTimers, seededRandom } from './platform/real.ts';
import type { PtyBackend } from './pty/pty.ts';
import type { DialogueRefusal, ReaderDecline } from './readers/line/dialogue.ts';
import { Firmware } from './readers/line/firmware.ts';
import { ReaderMemory } from './readers/line/memory.ts';
import type { Screen } from './readers/line/screen.ts';

/** A simulated reader on a real pseudo-terminal, with the actions of a tester. */
export type SimulatorOptions = {
  /** The symlink for hosts; by default in a new temporary folder. */
  readonly link?: string;
  /** Folder of the reader's non-volatile memory; without it the memory is lost at the end of the program. */
  readonly dataFolder?: string;
  /** The seed of noise, flipped bits and jitter. */
  readonly seed?: number;
  /** Default 115200, as on a real line; `unpaced` for tests that need no pacing. */
  readonly pace?: number | 'unpaced';
  readonly backend?: PtyBackend;
  /** 6 hexadecimal digits. */
  readonly readerNumber?: string;
  readonly blockPieceLength?: number;
  /** The control page of the bank behind the gateway, linked from the page. */
  readonly bankUrl?: string;
  /** Whether the page leads to that of a receipt printer. */
  readonly hasPrinter?: boolean;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
};

export type LogEntry = {
  /** Counts up from 1. */
  readonly number: number;
  readonly at: number;
  readonly direction: 'host' | 'reader' | 'cable';
  readonly text: string;
};

/** The state shown on the page: never a PAN, a PIN or a card block. */
export type SimulatorState = {
  readonly plugged: boolean;
  readonly path: string;
  readonly screen: Screen;
  readonly amount: { readonly amountMinor: number; readonly currency: string; readonly exponent: number } | null;
  readonly batteryPercent: number;
  readonly tampered: boolean;
  readonly stalled: boolean;
  readonly latencyMs: number;
  /** Armed faults with their descriptions. */
  readonly armed: readonly { readonly fault: FaultName | 'decline'; readonly about: string }[];
  readonly bootId: string;
  readonly insertedCard: string | null;
  readonly nextDecline: ReaderDecline | null;
  readonly bankUrl: string | null;
  /** Whether there is a receipt printer beside it. */
  readonly hasPrinter: boolean;
  readonly wallet: readonly {
    readonly id: string;
    readonly name: string;
    readonly scheme: string;
    readonly lastFour: string;
    readonly hint: string;
    readonly contactless: boolean;
  }[];
  readonly transactions: readonly {
    readonly txn: string;
    readonly state: string;
    readonly outcome: string | null;
    readonly amountMinor: number;
    readonly currency: string;
    readonly exponent: number;
    readonly confirmed: boolean;
  }[];
};

export type ActRefusal =
  | { readonly kind: DialogueRefusal }
  | { readonly kind: 'no_such_card' }
  | { readonly kind: 'bad_action'; readonly message: string };

const defaultBaudRate = 115_200;
const keptLogEntries = 300;

export class ReaderSimulator {
  readonly #clock: Clock;
  readonly #line: Line;
  readonly #firmware: Firmware;
  readonly #memory: ReaderMemory;
  readonly #log: LogEntry[] = [];
  #logNumber = 0;
  readonly #changeListeners = new Set<() => void>();
  readonly #frameListeners = new Set<(direction: 'host' | 'reader', frame: Frame) => void>();
  readonly #temporaryFolder: string | undefined;
  readonly #bankUrl: string | null;
  readonly #hasPrinter: boolean;

  private constructor(options: SimulatorOptions) {
    this.#clock = options.clock ?? realClock;
    const timers = options.timers ?? realTimers;
    this.#bankUrl = options.bankUrl ?? null;
    this.#hasPrinter = options.hasPrinter ?? false;
    this.#temporaryFolder = options.link === undefined ? mkdtempSync(join(tmpdir(), 'florin-reader-')) : undefined;
    const link = options.link ?? join(this.#temporaryFolder ?? tmpdir(), 'reader');
    this.#memory = ReaderMemory.open({
      readerNumber: options.readerNumber ?? '5A17C0',
      ...(options.dataFolder === undefined ? {} : { folder: options.dataFolder }),
    });
    const pace = options.pace ?? defaultBaudRate;
    this.#line = new Line({
      timers,
      random: seededRandom(options.seed ?? 1),
      link,
      baudRate: pace === 'unpaced' ? undefined : pace,
      backend: options.backend,
      onLine: line => this.#receiveLine(line),
      onChange: () => this.#changed(),
    });
    this.#firmware = new Firmware({
      memory: this.#memory,
      clock: this.#clock,
      timers,
      random: options.random ?? realRandom,
      ...(options.blockPieceLength === undefined ? {} : { blockPieceLength: options.blockPieceLength }),
      send: line => this.#sendLine(line),
      onChange: () => this.#changed(),
      onFrame: (direction, frame) => {
        for (const listener of this.#frameListeners) listener(direction, frame);
      },
    });
  }

  static async start(options: SimulatorOptions): Promise<ReaderSimulator> {
    const simulator = new ReaderSimulator(options);
    await simulator.#line.plug();
    return simulator;
  }

  /** The reader's current path. */
  get path(): string {
    return this.#line.path;
  }

  /** Its two paths: see `replug`. */
  get paths(): readonly [string, string] {
    return this.#line.paths;
  }

  get backend(): PtyBackend | undefined {
    return this.#line.backend;
  }

  get plugged(): boolean {
    return this.#line.plugged;
  }

  get stage(): string | undefined {
    return this.#firmware.stage;
  }

  get log(): readonly LogEntry[] {
    return this.#log;
  }

  get noiseCount(): number {
    return this.#firmware.noiseCount;
  }

  state(): SimulatorState {
    const firmware = this.#firmware;
    const amount = firmware.amount();
    return {
      plugged: this.#line.plugged,
      path: this.#line.path,
      screen: firmware.screen(),
      amount: amount === undefined ? null : { ...amount, currency: currencyName(amount.currency) },
      batteryPercent: firmware.batteryPercent,
      tampered: firmware.tampered,
      stalled: this.#line.stalled,
      latencyMs: this.#line.latencyMs,
      armed: this.#armed(),
      bootId: firmware.bootId,
      insertedCard: firmware.insertedCard?.id ?? null,
      nextDecline: firmware.nextDecline ?? null,
      bankUrl: this.#bankUrl,
      hasPrinter: this.#hasPrinter,
      wallet: wallet.map(card => ({
        id: card.id,
        name: card.name,
        scheme: card.scheme,
        lastFour: lastFourOf(card),
        hint: card.hint,
        contactless: card.contactless,
      })),
      transactions: this.#memory.transactions.map(
        ({ txn, state, amountMinor, currency, exponent, confirmed, result }) => ({
          txn,
          state,
          amountMinor,
          currency: currencyName(currency),
          exponent,
          confirmed,
          outcome: result?.outcome ?? null,
        }),
      ),
    };
  }

  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** Reports every frame in either direction, as the reader parsed it. */
  onFrame(listener: (direction: 'host' | 'reader', frame: Frame) => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  /** Performs an action of a tester or customer; a refusal gives the reason. */
  async act(input: ActionInput): Promise<ActRefusal | undefined> {
    const parsed = action.safeParse(input);
    if (!parsed.success) return { kind: 'bad_action', message: parsed.error.issues[0]?.message ?? '' };
    const refusal = await this.#perform(parsed.data);
    return refusal === undefined || typeof refusal !== 'string' ? refusal : { kind: refusal };
  }

  close(): void {
    this.#firmware.stop();
    this.#line.close();
    if (this.#temporaryFolder !== undefined) rmSync(this.#temporaryFolder, { recursive: true, force: true });
  }

  async #perform(asked: Action): Promise<DialogueRefusal | ActRefusal | undefined> {
    if (isCableAction(asked)) return this.#doToCable(asked);
    const firmware = this.#firmware;
    switch (asked.do) {
      case 'insert':
        return this.#withCard(asked.card, card => firmware.insert(card));
      case 'tap':
        return this.#withCard(asked.card, card => firmware.tap(card));
      case 'swipe':
        return this.#withCard(asked.card, card => firmware.swipe(card));
      case 'remove':
        return firmware.remove();
      case 'key':
        return firmware.key(asked.key);
      case 'pin':
        return this.#typePin(asked.pin === 'ok');
      case 'decline':
        firmware.chooseDecline(asked.reason === 'none' ? undefined : asked.reason);
        return undefined;
      case 'host_timeout':
        firmware.setHostTimeout(asked.ms);
        return undefined;
      case 'reboot':
        this.#reboot(asked.announced);
        return undefined;
      case 'wipe':
        this.#memory.wipe();
        this.#reboot(asked.announced);
        return undefined;
      case 'clear':
        this.#clear(asked.fault);
        return undefined;
      case 'battery':
        firmware.setBattery(asked.percent);
        return undefined;
      case 'tamper':
        firmware.setTampered(asked.open);
        return undefined;
      default:
        return unreachable(asked);
    }
  }

  async #doToCable(asked: CableAction): Promise<undefined> {
    const line = this.#line;
    if (asked.do !== 'say') this.#note('cable', JSON.stringify(asked));
    switch (asked.do) {
      case 'unplug':
        if (asked.mode === 'clean') line.unplug();
        else line.faults.arm({ fault: 'unplug', point: asked.mode, lines: asked.afterLines });
        return;
      case 'replug':
        await line.plug(asked.path);
        return;
      case 'latency':
        line.setLatency(asked.ms, asked.jitterMs);
        return;
      case 'garbage':
        line.garbage(asked.bytes, asked.lineFeeds);
        return;
      case 'flip':
      case 'drop':
      case 'duplicate':
        line.faults.arm({ fault: asked.do, lines: asked.lines });
        return;
      case 'stall':
        line.stall(asked.on);
        return;
      case 'lose_result':
      case 'approve_then_unplug':
        line.faults.arm({ fault: asked.do, lines: 1 });
        return;
      case 'say':
        this.#sendLine(asked.text);
        return;
      default:
        return unreachable(asked);
    }
  }

  /** A restart ends every fault except the cable's latency. */
  #reboot(announced: boolean): void {
    this.#clear();
    this.#line.stall(false);
    this.#firmware.reboot({ announced });
  }

  #clear(fault?: FaultName | 'decline'): void {
    if (fault === undefined || fault === 'decline') this.#firmware.chooseDecline(undefined);
    if (fault !== 'decline') this.#line.faults.clear(fault);
  }

  #armed(): SimulatorState['armed'] {
    const decline = this.#firmware.nextDecline;
    return [
      ...this.#line.faults.list().map(armed => ({ fault: armed.fault, about: aboutFault(armed) })),
      ...(decline === undefined
        ? []
        : [{ fault: 'decline' as const, about: `Declines the next transaction: ${decline.replaceAll('_', ' ')}` }]),
    ];
  }

  #withCard(
    id: string,
    use: (card: TestCard) => DialogueRefusal | undefined,
  ): DialogueRefusal | ActRefusal | undefined {
    const card = cardOf(id);
    return card === undefined ? { kind: 'no_such_card' } : use(card);
  }

  #typePin(right: boolean): DialogueRefusal | undefined {
    const pin = this.#firmware.insertedCard?.pin;
    if (pin === undefined) return 'no_pin_expected';
    const digits = right ? pin : pin.split('').reverse().join('');
    for (const digit of digits) {
      const refused = this.#firmware.key(digit);
      if (refused !== undefined) return refused;
    }
    return this.#firmware.key('enter');
  }

  #receiveLine(line: string): void {
    this.#note('host', maskLine(line));
    this.#firmware.receive(line);
  }

  #sendLine(line: string): void {
    if (this.#line.plugged) this.#note('reader', maskLine(line));
    this.#line.send(line);
  }

  #note(direction: LogEntry['direction'], text: string): void {
    this.#logNumber += 1;
    this.#log.push({ number: this.#logNumber, at: this.#clock.now(), direction, text });
    if (this.#log.length > keptLogEntries) this.#log.shift();
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#changeListeners) listener();
  }
}

const cableActions = [
  'unplug',
  'replug',
  'latency',
  'garbage',
  'flip',
  'drop',
  'duplicate',
  'stall',
  'lose_result',
  'approve_then_unplug',
  'say',
] as const;
type CableAction = Extract<Action, { do: (typeof cableActions)[number] }>;

function isCableAction(asked: Action): asked is CableAction {
  return cableActions.some(verb => verb === asked.do);
}

function currencyName(numeric: string): string {
  return currencyOfNumeric(numeric) ?? numeric;
}

/**
 * A line for display: card blocks are replaced by their length, and lines that may contain a card number are hidden.
 */
export function maskLine(line: string): string {
  if (holdsPan(line)) return '(hidden: may hold a card number)';
  const printable = line.replace(/[^\x20-\x7e]/g, '·').slice(0, 400);
  return printable.replace(/block=(\S+?)(?=\s)/, (_, block: string) => `block=(${block.length})`);
}
