import { basename } from 'node:path';
import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import type { Pty } from '../pty/pty.ts';
import type { Socket } from '../pty/socket.ts';
import { ArmedFaults } from './armed.ts';

/**
 * The cable between the simulated reader and the host, at the speed of a real line and with the faults of cables. They
 * apply to messages, whatever those are in the reader's protocol.
 */
export type CableOptions = {
  readonly timers: Timers;
  readonly random: Random;
  /** Where it is plugged in: a serial port or the network. */
  readonly socket: Socket;
  /** Bits per second at 8N1; undefined sends at full speed. */
  readonly baudRate?: number | undefined;
  /** Splits what the host sent; the rest is kept until more arrives, for half a second at most. */
  readonly split: (received: Buffer) => { readonly messages: readonly Buffer[]; readonly rest: Buffer };
  readonly onMessage: (message: Buffer) => void;
  /** The host closed the connection, where that can be seen: over a network. */
  readonly onHangUp?: () => void;
  readonly onChange: () => void;
  /** What the cable does, and what a fault did to the message that was just sent, in words. */
  readonly onEvent: (text: string) => void;
};

/** What a message of the reader is, for the faults that wait for one. */
export type MessageKind = 'approval' | 'result' | 'other';

const bitsPerByte = 10;
const sliceMs = 4;
/** A message whose rest does not arrive in time is dropped. */
const restOfMessageMs = 500;

export class Cable {
  readonly #options: CableOptions;
  #pty: Pty | undefined;
  #plugging: Promise<void> | undefined;
  #path: string;
  #received: Buffer = Buffer.alloc(0);
  #dropsRest: Cancel | undefined;
  readonly #armed: ArmedFaults;
  #latencyMs = 0;
  #jitterMs = 0;
  #stalled = false;
  #queue: Buffer[] = [];
  #pacing: Cancel | undefined;
  #delayed = new Set<Cancel>();

  constructor(options: CableOptions) {
    this.#options = options;
    this.#path = options.socket.paths[0];
    this.#armed = new ArmedFaults(options.onChange);
  }

  /** The reader's current path. */
  get path(): string {
    return this.#path;
  }

  /** Its two paths: the usual one, and the one when plugged in elsewhere. */
  get paths(): readonly [string, string] {
    return this.#options.socket.paths;
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

  get backend(): Pty['backend'] | undefined {
    return this.#pty?.backend;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Connects the cable at the same or the other path. No effect when connected. */
  plug(path: 'same' | 'new' = 'same'): Promise<void> {
    this.#plugging ??= this.#plugIn(path).finally(() => {
      this.#plugging = undefined;
    });
    return this.#plugging;
  }

  async #plugIn(path: 'same' | 'new'): Promise<void> {
    if (this.#pty !== undefined) return;
    if (path === 'new') this.#path = this.paths.find(name => name !== this.#path) ?? this.#path;
    const pty = await this.#options.socket.plugIn(this.#path);
    this.#pty = pty;
    pty.onData(bytes => this.#receive(pty, bytes));
    pty.onHangUp?.(() => this.#options.onHangUp?.());
    pty.setPaused(this.#stalled);
    this.#options.onEvent(`Plugged in, ${basename(this.#path)}`);
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

  /** Sends one message of the reader, subject to the cable's faults. */
  transmit(bytes: Buffer, kind: MessageKind): void {
    const { onEvent } = this.#options;
    if (this.#pty === undefined) return;
    if (this.#stalled) {
      onEvent('Not sent: the reader has stopped');
      return;
    }
    if (kind === 'approval' && this.#armed.takes('approve_then_unplug')) {
      this.#pull('Unplugged before it was sent');
      return;
    }
    if (kind !== 'other' && this.#armed.takes('lose_result')) {
      onEvent('Lost on the line');
      return;
    }
    const pulled = this.#armed.unplugsAt('line');
    if (pulled === 'before_line') {
      this.#pull('Unplugged before it was sent');
      return;
    }
    if (this.#armed.takes('drop')) {
      onEvent('Lost on the line');
      return;
    }
    if (pulled === 'mid_line' || pulled === 'after_line') {
      const sent = pulled === 'mid_line' ? bytes.subarray(0, bytes.length >> 1) : bytes;
      // Written and closed at once, because hosts that read data and hang-up together are a known hazard.
      this.#pty.write(Buffer.concat([...this.#queue.splice(0), sent]));
      this.#pull(pulled === 'mid_line' ? 'Unplugged after half of it' : 'Unplugged with its last byte');
      return;
    }
    if (this.#armed.takes('flip')) {
      this.#flipOneBit(bytes);
      onEvent('One bit flipped on the way');
    }
    this.#write(bytes);
    if (!this.#armed.takes('duplicate')) return;
    this.#write(bytes);
    onEvent('Arrives twice');
  }

  close(): void {
    this.#pull();
  }

  #receive(pty: Pty, bytes: Buffer): void {
    if (pty !== this.#pty) return;
    const { messages, rest } = this.#options.split(Buffer.concat([this.#received, bytes]));
    this.#received = rest;
    this.#awaitRest();
    for (const message of messages) {
      if (this.#pty !== pty) return;
      if (this.#armed.unplugsAt('request') === 'on_request') this.#pull('Unplugged at a request of the terminal');
      else this.#later(this.#transferMs(message.length) + this.#delayMs(), () => this.#options.onMessage(message));
    }
  }

  /** Discards part of a message if the rest does not arrive. */
  #awaitRest(): void {
    this.#dropsRest?.();
    this.#dropsRest = undefined;
    if (this.#received.length === 0) return;
    this.#dropsRest = this.#options.timers.after(restOfMessageMs, () => {
      this.#received = Buffer.alloc(0);
    });
  }

  #pull(how = 'Unplugged'): void {
    if (this.#pty === undefined) return;
    this.#options.socket.unplug(this.#path);
    this.#pty.close();
    this.#pty = undefined;
    this.#queue = [];
    this.#received = Buffer.alloc(0);
    this.#awaitRest();
    this.#pacing?.();
    this.#pacing = undefined;
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
    this.#options.onEvent(how);
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
    // Not the last byte, which ends a line.
    const index = at % Math.max(1, bytes.length - 1);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (bit % 7));
  }
}
