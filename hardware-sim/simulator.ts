import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import type { Frame } from '@florin/shared/reader-line/frame.ts';
import { unreachable } from '@florin/shared/result.ts';
import { type Action, type ActionInput, action } from './actions.ts';
import { cardOf, lastFourOf, type TestCard, wallet } from './cards/wallet.ts';
import { aboutFault, type FaultName } from './faults/armed.ts';
import type { Cable } from './faults/cable.ts';
import { armFault, type OutsideRefusal } from './outside.ts';
import { type ReseedableRandom, realClock, realRandom, realTimers, reseedableRandom } from './platform/real.ts';
import type { PtyBackend } from './pty/pty.ts';
import type { Socket } from './pty/socket.ts';
import type { DialogueRefusal, ReaderDecline } from './readers/dialogue.ts';
import { type OpenReader, openReader, type Protocol } from './readers/open.ts';
import type { ReaderProgram } from './readers/program.ts';
import type { Screen } from './readers/screen.ts';
import { decideNext } from './readers/zvt/next-answer.ts';
import { aboutAction } from './timeline/action-words.ts';
import { watchBank } from './timeline/bank.ts';
import { type Happening, Timeline } from './timeline/timeline.ts';

/** A simulated reader on a real pseudo-terminal, with the actions of a tester. */
export type SimulatorOptions = {
  /** `line` by default. */
  readonly protocol?: Protocol;
  /** ZVT only: over this TCP port instead of a serial one; 0 takes a free one. */
  readonly tcpPort?: number;
  /** ZVT only: whether it leaves unacknowledged payments for the till to ask about. Default: yes. */
  readonly supportsSynchronisation?: boolean;
  /** The symlink for hosts; by default in a new temporary folder. */
  readonly link?: string;
  /** Folder of the reader's non-volatile memory; without it the memory is lost at the end of the program. */
  readonly dataFolder?: string;
  /** The seed of noise, flipped bits and jitter. */
  readonly seed?: number;
  /** Default 115200, as on a real line; `unpaced` for tests that need no pacing. */
  readonly pace?: number | 'unpaced';
  readonly backend?: PtyBackend;
  /** Where the cable is plugged in; a pseudo-terminal or a TCP port if omitted. */
  readonly socket?: Socket;
  /** 6 hexadecimal digits. */
  readonly readerNumber?: string;
  /** ZVT only: 8 digits, by which the merchant's readers are told apart. */
  readonly terminalId?: string;
  readonly blockPieceLength?: number;
  /** The control page of the bank behind the gateway, linked from the page. */
  readonly bankUrl?: string;
  /** The control address of the bitcoin node. */
  readonly nodeUrl?: string;
  /** Whether the page leads to that of a receipt printer. */
  readonly hasPrinter?: boolean;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
};

/** The state shown on the page: never a PAN, a PIN or a card block. */
export type SimulatorState = {
  readonly plugged: boolean;
  /** Whether it is gone for as long as its restart takes. */
  readonly restarting: boolean;
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
  /** Whether the reader authorises by itself, with a bank that testers decide for. */
  readonly hasOwnBank: boolean;
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
  | { readonly kind: 'bad_action'; readonly message: string }
  | OutsideRefusal;

/** A refusal in words, for testers. */
export function refusalText(refusal: ActRefusal): string {
  return 'message' in refusal ? refusal.message : refusal.kind.replaceAll('_', ' ');
}

const defaultBaudRate = 115_200;
/** A ZVT reader that restarts is gone from its USB port or the network for as long. */
const bootMs = 2000;

/** What the reader reports, from the moment the simulator exists. */
type Hooks = {
  changed: () => void;
  frame: (direction: 'host' | 'reader', frame: Frame) => void;
  happened: (event: Happening) => void;
};

export class ReaderSimulator {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #protocol: Protocol;
  readonly #reader: OpenReader;
  readonly timeline: Timeline;
  readonly #stopWatching: () => void;
  #restarting = false;
  readonly #changeListeners = new Set<() => void>();
  readonly #frameListeners = new Set<(direction: 'host' | 'reader', frame: Frame) => void>();
  readonly #temporaryFolder: string | undefined;
  readonly #bankUrl: string | null;
  readonly #nodeUrl: string | null;
  readonly #noise: ReseedableRandom;
  readonly #actListeners = new Set<(performed: Action) => void>();
  readonly #hasPrinter: boolean;

  private constructor(
    options: SimulatorOptions,
    parts: { temporaryFolder: string | undefined; reader: OpenReader; noise: ReseedableRandom; hooks: Hooks },
  ) {
    const { temporaryFolder, reader, hooks } = parts;
    this.#noise = parts.noise;
    this.#clock = options.clock ?? realClock;
    this.#timers = options.timers ?? realTimers;
    this.#protocol = options.protocol ?? 'line';
    this.#bankUrl = options.bankUrl ?? null;
    this.#nodeUrl = options.nodeUrl ?? null;
    this.#hasPrinter = options.hasPrinter ?? false;
    this.#temporaryFolder = temporaryFolder;
    this.#reader = reader;
    this.timeline = new Timeline({ clock: this.#clock, onChange: () => this.#changed() });
    this.#stopWatching = watchBank({
      controlUrl: this.#bankUrl,
      timers: this.#timers,
      onEvent: event => this.timeline.add(event),
    });
    hooks.changed = () => this.#changed();
    hooks.happened = event => this.timeline.add(event);
    hooks.frame = (direction, frame) => {
      for (const listener of this.#frameListeners) listener(direction, frame);
    };
  }

  static async start(options: SimulatorOptions): Promise<ReaderSimulator> {
    const temporaryFolder = options.link === undefined ? mkdtempSync(join(tmpdir(), 'florin-reader-')) : undefined;
    const pace = options.pace ?? defaultBaudRate;
    const noise = reseedableRandom(options.seed ?? 1);
    const hooks: Hooks = { changed: () => undefined, frame: () => undefined, happened: () => undefined };
    const reader = await openReader({
      protocol: options.protocol ?? 'line',
      link: options.link ?? join(temporaryFolder ?? tmpdir(), 'reader'),
      tcpPort: options.tcpPort,
      dataFolder: options.dataFolder,
      baudRate: pace === 'unpaced' ? undefined : pace,
      backend: options.backend,
      socket: options.socket,
      readerNumber: options.readerNumber ?? '5A17C0',
      terminalId: options.terminalId,
      blockPieceLength: options.blockPieceLength,
      supportsSynchronisation: options.supportsSynchronisation,
      clock: options.clock ?? realClock,
      timers: options.timers ?? realTimers,
      random: options.random ?? realRandom,
      noise,
      onChange: () => hooks.changed(),
      onFrame: (direction, frame) => hooks.frame(direction, frame),
      onEvent: event => hooks.happened(event),
    });
    const simulator = new ReaderSimulator(options, { temporaryFolder, reader, noise, hooks });
    await reader.cable.plug();
    return simulator;
  }

  get #cable(): Cable {
    return this.#reader.cable;
  }

  get #program(): ReaderProgram {
    return this.#reader.program;
  }

  /** The ZVT reader's own processor. */
  get zvt(): OpenReader['zvt'] {
    return this.#reader.zvt;
  }

  /** The reader's current path. */
  get path(): string {
    return this.#cable.path;
  }

  /** Its two paths: see `replug`. */
  get paths(): readonly [string, string] {
    return this.#cable.paths;
  }

  get backend(): Cable['backend'] {
    return this.#cable.backend;
  }

  get plugged(): boolean {
    return this.#cable.plugged;
  }

  get stage(): string | undefined {
    return this.#program.stage;
  }

  get noiseCount(): number {
    return this.#program.noiseCount;
  }

  state(): SimulatorState {
    const firmware = this.#program;
    const amount = firmware.amount();
    return {
      plugged: this.#cable.plugged,
      restarting: this.#restarting,
      path: this.#cable.path,
      screen: firmware.screen(),
      amount: amount === undefined ? null : { ...amount, currency: currencyName(amount.currency) },
      batteryPercent: firmware.batteryPercent,
      tampered: firmware.tampered,
      stalled: this.#cable.stalled,
      latencyMs: this.#cable.latencyMs,
      armed: this.#armed(),
      bootId: firmware.bootId,
      insertedCard: firmware.insertedCard?.id ?? null,
      nextDecline: firmware.nextDecline ?? null,
      bankUrl: this.#bankUrl,
      hasOwnBank: this.zvt !== undefined,
      hasPrinter: this.#hasPrinter,
      wallet: wallet.map(card => ({
        id: card.id,
        name: card.name,
        scheme: card.scheme,
        lastFour: lastFourOf(card),
        hint: card.hint,
        contactless: card.contactless,
      })),
      transactions: firmware.transactions().map(listed => ({
        txn: listed.txn,
        state: listed.state,
        outcome: listed.outcome,
        amountMinor: listed.amountMinor,
        currency: currencyName(listed.currency),
        exponent: listed.exponent,
        confirmed: listed.confirmed,
      })),
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

  /** Reports every action that was performed. */
  onAct(listener: (performed: Action) => void): () => void {
    this.#actListeners.add(listener);
    return () => this.#actListeners.delete(listener);
  }

  /** From here on noise, flipped bits and jitter are those of this seed. */
  reseed(seed: number): void {
    this.#noise.reseed(seed);
  }

  get seed(): number {
    return this.#noise.seed();
  }

  get protocol(): Protocol {
    return this.#protocol;
  }

  /** Performs an action of a tester or customer; a refusal gives the reason. */
  async act(input: ActionInput): Promise<ActRefusal | undefined> {
    const parsed = action.safeParse(input);
    if (!parsed.success) return { kind: 'bad_action', message: parsed.error.issues[0]?.message ?? '' };
    const refusal = await this.#performAndTell(parsed.data);
    if (refusal !== undefined) return typeof refusal === 'string' ? { kind: refusal } : refusal;
    for (const listener of this.#actListeners) listener(parsed.data);
    return undefined;
  }

  close(): void {
    this.#stopWatching();
    this.#program.stop();
    this.#cable.close();
    if (this.#temporaryFolder !== undefined) rmSync(this.#temporaryFolder, { recursive: true, force: true });
  }

  /** Tells the timeline what is done, before what that brings about; what the bank has to hear of first, afterwards. */
  async #performAndTell(asked: Action): Promise<DialogueRefusal | ActRefusal | undefined> {
    const happening = aboutAction(asked);
    if (happening === undefined) return this.#perform(asked);
    if (asked.do !== 'bank') return this.timeline.addUnlessRefused(happening, () => this.#perform(asked));
    const refusal = await this.#perform(asked);
    if (refusal === undefined) this.timeline.add(happening);
    return refusal;
  }

  async #perform(asked: Action): Promise<DialogueRefusal | ActRefusal | undefined> {
    if (isCableAction(asked)) return this.#doToCable(asked);
    const firmware = this.#program;
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
        firmware.wipe();
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
      case 'wait':
        await wait(this.#timers, asked.ms);
        return undefined;
      case 'bank':
        if (this.zvt) return decideNext(this.zvt.processor, this.#timers, asked);
        return armFault(this.#bankUrl, asked);
      case 'node':
        return armFault(this.#nodeUrl, asked);
      default:
        return unreachable(asked);
    }
  }

  async #doToCable(asked: CableAction): Promise<undefined> {
    const line = this.#cable;
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
        this.#reader.say(asked.text);
        return;
      default:
        return unreachable(asked);
    }
  }

  /** A restart ends every fault except the cable's latency. */
  #reboot(announced: boolean): void {
    this.#clear();
    this.#cable.stall(false);
    this.#program.reboot({ announced });
    if (this.#protocol === 'line' || !announced || !this.#cable.plugged) return;
    this.#restarting = true;
    this.#cable.unplug();
    this.#timers.after(bootMs, () => {
      this.#restarting = false;
      void this.#cable.plug();
    });
  }

  #clear(fault?: FaultName | 'decline'): void {
    if (fault === undefined || fault === 'decline') this.#program.chooseDecline(undefined);
    if (fault !== 'decline') this.#cable.faults.clear(fault);
  }

  #armed(): SimulatorState['armed'] {
    const decline = this.#program.nextDecline;
    return [
      ...this.#cable.faults.list().map(armed => ({ fault: armed.fault, about: aboutFault(armed) })),
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
    const pin = this.#program.insertedCard?.pin;
    if (pin === undefined) return 'no_pin_expected';
    const digits = right ? pin : pin.split('').reverse().join('');
    for (const digit of digits) {
      const refused = this.#program.key(digit);
      if (refused !== undefined) return refused;
    }
    return this.#program.key('enter');
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
