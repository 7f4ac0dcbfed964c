import { renameSync, rmSync, symlinkSync } from 'node:fs';
import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import { openPty } from '../pty/open.ts';
import type { Pty, PtyBackend } from '../pty/pty.ts';
import { ArmedFaults } from './armed.ts';

/**
 * The cable between the simulated reader and the host: a pseudo-terminal at the pace of a real line, with everything
 * that happens to cables. The reader's program only sees whole lines.
 */
export type LineOptions = {
  readonly timers: Timers;
  readonly random: Random;
  /** A symlink that stays the same however often the pty behind it changes. */
  readonly link: string;
  /** Bits per second at 8N1; undefined sends as fast as the kernel takes it. */
  readonly baudRate?: number | undefined;
  readonly backend?: PtyBackend | undefined;
  /** One line of the host, without its LF. */
  readonly onLine: (line: string) => void;
  readonly onChange: () => void;
};

const bitsPerByte = 10;
const sliceMs = 4;
/** What a reader would hold of a host's line that never ends. */
const longestHostLine = 4096;
/** The protocol's: a line whose rest does not come within this time is dropped. */
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

  /** Where a host finds the reader now. */
  get path(): string {
    return this.#path;
  }

  /** The two names it goes by: the usual one, and the one it has when it is plugged in elsewhere. */
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

  /** Connects the cable, under the same name or its other one. Harmless when connected. */
  async plug(path: 'same' | 'new' = 'same'): Promise<void> {
    if (this.#pty !== undefined) return;
    const pty = await openPty(this.#options.backend);
    if (path === 'new') this.#path = this.paths.find(name => name !== this.#path) ?? this.#path;
    this.#pty = pty;
    pty.onData(bytes => this.#receive(pty, bytes));
    pty.setPaused(this.#stalled);
    // Made aside and moved into place, so that a host never finds a half-made name.
    const fresh = `${this.#path}.new`;
    rmSync(fresh, { force: true });
    symlinkSync(pty.path, fresh);
    renameSync(fresh, this.#path);
    this.#options.onChange();
  }

  /** Pulls the cable. */
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

  /** Bytes no reader would send, with or without line ends. */
  garbage(bytes: number, lineFeeds: boolean): void {
    const noise = Buffer.from(this.#options.random.bytes(bytes));
    for (let index = 0; index < noise.length; index++) if (!lineFeeds && noise[index] === 0x0a) noise[index] = 0x0b;
    if (lineFeeds) noise[noise.length - 1] = 0x0a;
    this.#write(noise);
  }

  /** Sends one line of the reader, without its LF, through whatever is wrong with the cable. */
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
      // Straight into the kernel and hung up at once: the hazard is a host that reads data and end together.
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
    this.#received = (lines.pop() ?? '').slice(-longestHostLine);
    this.#awaitRest();
    for (const line of lines) {
      if (this.#pty !== pty) return;
      if (this.#armed.unplugsAt('request') === 'on_request') this.#pull();
      else this.#later(this.#transferMs(line.length + 1) + this.#delayMs(), () => this.#options.onLine(line));
    }
  }

  /** Half a line is forgotten when its rest does not come. */
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

  /** The kernel takes any amount at once; a UART does not. */
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
