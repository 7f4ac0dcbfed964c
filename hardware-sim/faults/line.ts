import { rmSync } from 'node:fs';
import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import { pointLink } from '../pty/link.ts';
import { openPty } from '../pty/open.ts';
import type { Pty, PtyBackend } from '../pty/pty.ts';
import { ArmedFaults } from './armed.ts';

/**
 * The cable between the simulated reader and the host: a pseudo-terminal at the speed of a real line, with the faults
 * of cables. The reader's program only handles whole lines.
 */
export type LineOptions = {
  readonly timers: Timers;
  readonly random: Random;
  /** A symlink that stays the same when the pty behind it changes. */
  readonly link: string;
  /** Bits per second at 8N1; undefined sends at full speed. */
  readonly baudRate?: number | undefined;
  readonly backend?: PtyBackend | undefined;
  /** One line of the host, without its LF. */
  readonly onLine: (line: string) => void;
  readonly onChange: () => void;
};

const bitsPerByte = 10;
const sliceMs = 4;
/** The size at which a host's endless line is dropped. */
const maxHostLineLength = 4096;
/** The protocol's limit: a line whose rest does not arrive in time is dropped. */
const restOfLineMs = 500;

export class Line {
  readonly #options: LineOptions;
  #pty: Pty | undefined;
  #path: string;
  #received = '';
  #dropsHalfLine: Cancel | undefined;
  readonly #armed: ArmedFaults;
  #latencyMs = 0;
  #jitterMs = 0;
  #stalled = false;
  #queue: Buffer[] = [];
  #pacing: Cancel | undefined;
  #delayed = new Set<Cancel>();

  constructor(options: LineOptions) {
    this.#options = options;
    this.#path = options.link;
    this.#armed = new ArmedFaults(options.onChange);
  }

  /** The reader's current path. */
  get path(): string {
    return this.#path;
  }

  /** Its two paths: the usual one, and the one when plugged in elsewhere. */
  get paths(): readonly [string, string] {
    return [this.#options.link, `${this.#options.link}-1`];
  }

  get faults(): ArmedFaults {
    return this.#armed;
  }

  get latencyMs(): number {
    return this.#latencyMs;
  }

  get plugged(): boolean {
    return this.#pty !== undefined;
  }

  get backend(): PtyBackend | undefined {
    return this.#pty?.backend;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Connects the cable at the same or the other path. No effect when connected. */
  async plug(path: 'same' | 'new' = 'same'): Promise<void> {
    if (this.#pty !== undefined) return;
    const pty = await openPty(this.#options.backend);
    if (path === 'new') this.#path = this.paths.find(name => name !== this.#path) ?? this.#path;
    this.#pty = pty;
    pty.onData(bytes => this.#receive(pty, bytes));
    pty.setPaused(this.#stalled);
    pointLink(this.#path, pty.path);
    this.#options.onChange();
  }

  /** Disconnects the cable. */
  unplug(): void {
    this.#pull();
  }

  setLatency(latencyMs: number, jitterMs: number): void {
    this.#latencyMs = latencyMs;
    this.#jitterMs = jitterMs;
    this.#options.onChange();
  }

  stall(on: boolean): void {
    this.#stalled = on;
    this.#pty?.setPaused(on);
    this.#options.onChange();
  }

  /** Random bytes, with or without line ends. */
  garbage(bytes: number, lineFeeds: boolean): void {
    const noise = Buffer.from(this.#options.random.bytes(bytes));
    for (let index = 0; index < noise.length; index++) if (!lineFeeds && noise[index] === 0x0a) noise[index] = 0x0b;
    if (lineFeeds) noise[noise.length - 1] = 0x0a;
    this.#write(noise);
  }

  /** Sends one line of the reader, without its LF, subject to the cable's faults. */
  send(line: string): void {
    if (this.#pty === undefined || this.#stalled) return;
    const isResult = line.startsWith('R ');
    if (isResult && line.includes('outcome=approved') && this.#armed.takes('approve_then_unplug')) {
      this.#pull();
      return;
    }
    if (isResult && this.#armed.takes('lose_result')) return;
    const pulled = this.#armed.unplugsAt('line');
    if (pulled === 'before_line') {
      this.#pull();
      return;
    }
    if (this.#armed.takes('drop')) return;
    const bytes = Buffer.from(`${line}\n`, 'latin1');
    if (pulled === 'mid_line' || pulled === 'after_line') {
      const sent = pulled === 'mid_line' ? bytes.subarray(0, bytes.length >> 1) : bytes;
      // Written and closed at once, because hosts that read data and hang-up together are a known hazard.
      this.#pty.write(Buffer.concat([...this.#queue.splice(0), sent]));
      this.#pull();
      return;
    }
    if (this.#armed.takes('flip')) this.#flipOneBit(bytes);
    this.#write(bytes);
    if (this.#armed.takes('duplicate')) this.#write(bytes);
  }

  close(): void {
    this.#pull();
  }

  #receive(pty: Pty, bytes: Buffer): void {
    if (pty !== this.#pty) return;
    this.#received += bytes.toString('latin1');
    const lines = this.#received.split('\n');
    this.#received = (lines.pop() ?? '').slice(-maxHostLineLength);
    this.#awaitRest();
    for (const line of lines) {
      if (this.#pty !== pty) return;
      if (this.#armed.unplugsAt('request') === 'on_request') this.#pull();
      else this.#later(this.#transferMs(line.length + 1) + this.#delayMs(), () => this.#options.onLine(line));
    }
  }

  /** Discards a partial line if the rest does not arrive. */
  #awaitRest(): void {
    this.#dropsHalfLine?.();
    this.#dropsHalfLine = undefined;
    if (this.#received === '') return;
    this.#dropsHalfLine = this.#options.timers.after(restOfLineMs, () => {
      this.#received = '';
    });
  }

  #pull(): void {
    if (this.#pty === undefined) return;
    rmSync(this.#path, { force: true });
    this.#pty.close();
    this.#pty = undefined;
    this.#queue = [];
    this.#received = '';
    this.#awaitRest();
    this.#pacing?.();
    this.#pacing = undefined;
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
    this.#options.onChange();
  }

  #write(bytes: Buffer): void {
    const delayMs = this.#delayMs();
    if (delayMs === 0) this.#enqueue(bytes);
    else this.#later(delayMs, () => this.#enqueue(bytes));
  }

  #enqueue(bytes: Buffer): void {
    if (this.#options.baudRate === undefined) {
      this.#pty?.write(bytes);
      return;
    }
    this.#queue.push(bytes);
    if (this.#pacing === undefined) this.#drip();
  }

  /** Paces the output like a UART; the kernel accepts any amount at once. */
  #drip(): void {
    const waiting = Buffer.concat(this.#queue);
    const slice = Math.max(1, Math.floor(((this.#options.baudRate ?? 0) / bitsPerByte / 1000) * sliceMs));
    this.#pty?.write(waiting.subarray(0, slice));
    const left = waiting.subarray(slice);
    this.#queue = left.length === 0 ? [] : [left];
    this.#pacing = this.#options.timers.after(sliceMs, () => {
      this.#pacing = undefined;
      if (this.#queue.length > 0) this.#drip();
    });
  }

  #transferMs(bytes: number): number {
    const { baudRate } = this.#options;
    return baudRate === undefined ? 0 : (bytes * bitsPerByte * 1000) / baudRate;
  }

  #delayMs(): number {
    if (this.#jitterMs === 0) return this.#latencyMs;
    return this.#latencyMs + ((this.#options.random.bytes(1)[0] ?? 0) / 255) * this.#jitterMs;
  }

  #later(delayMs: number, task: () => void): void {
    if (delayMs === 0) {
      task();
      return;
    }
    const cancel = this.#options.timers.after(delayMs, () => {
      this.#delayed.delete(cancel);
      task();
    });
    this.#delayed.add(cancel);
  }

  #flipOneBit(bytes: Buffer): void {
    const [at = 0, bit = 0] = this.#options.random.bytes(2);
    const index = at % (bytes.length - 1);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (bit % 7));
  }
}
