import { createConnection, type Socket } from 'node:net';
import { type Cancel, type Timers, wait } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { LineFailure } from '../reader.ts';
import { type OpenPort, type OpenRefusal, openSystemPort, type Port } from '../serial/port.ts';
import { type Apdu, decodeApdu, encodeApdu, lengthOfApdu } from './apdu.ts';
import { ack, BlockReader, encodeBlock, nak } from './frame.ts';

/** One connection to one reader: APDUs in and out, over a serial line or TCP, until it is lost. Never reopened. */
export interface Link {
  /** False if it was not delivered; the link is then lost. */
  send(apdu: Apdu): Promise<boolean>;
  /** Idempotent. `onLost` is not called for it. */
  close(): Promise<void>;
}

export type LinkOptions = {
  readonly openPort?: OpenPort | undefined;
  /** A serial port, or tcp://host:port. */
  readonly path: string;
  readonly baudRate: number;
  readonly timers: Timers;
  readonly onApdu: (apdu: Apdu) => void;
  readonly onFailure: (cause: LineFailure) => void;
  /** The port is there and could not be opened; `reason` is the system's. */
  readonly onOpenFailed: (reason: string) => void;
  readonly onLost: () => void;
};

/** T2: within it a block is acknowledged. */
const acknowledgementMs = 5000;
/** The same until something was received: a reader answers at once, and other ports have to be tried too. */
const firstAnswerMs = 1000;
/** A block is sent three times at most. */
const attempts = 3;
/** T3: within it the rest of an APDU arrives; also the longest wait for a TCP connection. */
const restOfApduMs = 5000;
const usualTcpPort = 20_007;
const tcpPath = /^tcp:\/\/(\[[\da-f:]+\]|[^:/[\]]+)(?::(\d{1,5}))?$/i;

/** Whether this path names a reader in the network. */
export function isTcpPath(path: string): boolean {
  return tcpPath.test(path);
}

/** Never rejects. */
export function openLink(options: LinkOptions): Promise<Result<Link, OpenRefusal>> {
  return isTcpPath(options.path) ? openTcpLink(options) : openSerialLink(options);
}

async function openSerialLink(options: LinkOptions): Promise<Result<Link, OpenRefusal>> {
  const { openPort = openSystemPort, path, baudRate, timers, onOpenFailed } = options;
  let link: SerialLink | undefined;
  const opened = await openPort({
    path,
    baudRate,
    stopBits: 2,
    timers,
    onOpenFailed,
    onBytes: bytes => link?.receive(bytes),
    onClose: () => link?.lose(),
  });
  if (!opened.ok) return opened;
  link = new SerialLink(opened.value, options);
  return ok(link);
}

type Sending = {
  readonly block: Buffer;
  readonly isAnswer: boolean;
  answered: (byte: typeof ack | typeof nak | undefined) => void;
};

class SerialLink implements Link {
  readonly #port: Port;
  readonly #options: LinkOptions;
  readonly #reader: BlockReader;
  #queue: Promise<unknown> = Promise.resolve();
  #sending: Sending | undefined;
  #isOver = false;
  #hasAnswered = false;
  /** The last block received, until one of this end is acknowledged after it: the same bytes again are a repetition. */
  #lastReceived: Buffer | undefined;

  constructor(port: Port, options: LinkOptions) {
    this.#port = port;
    this.#options = options;
    this.#reader = new BlockReader({
      timers: options.timers,
      onBlock: apdu => this.#received(apdu),
      onAcknowledged: byte => this.#answered(byte),
      onNoise: () => options.onFailure('framing'),
      onDamaged: cause => {
        options.onFailure(cause);
        void this.#port.write(Buffer.from([nak]));
      },
    });
  }

  receive(bytes: Buffer): void {
    if (!this.#isOver) this.#reader.receive(bytes);
  }

  send({ control, data }: Apdu): Promise<boolean> {
    const apdu = { control, data };
    const block = encodeBlock(encodeApdu(control, data));
    const sent = this.#queue.then(() => this.#deliver(block, isAnswer(apdu)));
    this.#queue = sent;
    return sent;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#port.close();
  }

  lose(): void {
    if (this.#isOver) return;
    void this.close();
    this.#options.onLost();
  }

  async #deliver(block: Buffer, isAnswerBlock: boolean): Promise<boolean> {
    for (let attempt = 1; attempt <= attempts && !this.#isOver; attempt += 1) {
      const answer = await this.#transmit(block, isAnswerBlock);
      if (answer === ack) return true;
      if (answer === undefined && !this.#isOver) this.#options.onFailure('timeout');
    }
    this.lose();
    return false;
  }

  /** The answer to one transmission; undefined if none came in time. */
  #transmit(block: Buffer, isAnswerBlock: boolean): Promise<typeof ack | typeof nak | undefined> {
    return new Promise(resolve => {
      const waitMs = this.#hasAnswered ? acknowledgementMs : firstAnswerMs;
      const stopTimer = this.#options.timers.after(waitMs, () => answered(undefined));
      const answered = (byte: typeof ack | typeof nak | undefined) => {
        stopTimer();
        this.#sending = undefined;
        resolve(byte);
      };
      this.#sending = { block, isAnswer: isAnswerBlock, answered };
      void this.#port.write(block);
    });
  }

  #answered(byte: typeof ack | typeof nak): void {
    if (byte === ack && this.#sending) this.#lastReceived = undefined;
    this.#sending?.answered(byte);
  }

  #received(bytes: Buffer): void {
    const apdu = decodeApdu(bytes);
    if (apdu && !isAnswer(apdu) && this.#sending?.block.equals(encodeBlock(bytes))) {
      // The line returns what is written to it: another device, or a plug with its wires joined.
      this.#options.onFailure('echo');
      this.lose();
      return;
    }
    this.#hasAnswered = true;
    // First of all, as the protocol requires. A block that is no APDU is whole as well.
    void this.#port.write(Buffer.from([ack]));
    if (!apdu) {
      this.#options.onFailure('fields');
      return;
    }
    const isRepeated = this.#lastReceived?.equals(bytes) === true;
    this.#lastReceived = bytes;
    // An answer proves that the command arrived, and the next command that the answer did, although the acknowledgement
    // was lost.
    if (isAnswer(apdu) || (this.#sending?.isAnswer && !isRepeated)) this.#answered(ack);
    if (!isRepeated) this.#options.onApdu(apdu);
  }

  #end(): void {
    this.#isOver = true;
    this.#reader.end();
    this.#sending?.answered(undefined);
  }
}

function isAnswer({ control }: Apdu): boolean {
  return control >>> 8 === 0x80 || control >>> 8 === 0x84;
}

async function openTcpLink(options: LinkOptions): Promise<Result<Link, OpenRefusal>> {
  const [, host = '', port] = tcpPath.exec(options.path) ?? [];
  const socket = createConnection({
    host: host.replace(/[[\]]/g, ''),
    port: Number(port ?? usualTcpPort),
    noDelay: true,
  });
  const given = new AbortController();
  const connected = await Promise.race([
    new Promise<string>(resolve => {
      socket.once('connect', () => resolve('connected'));
      socket.once('error', error => resolve(error.message));
    }),
    wait(options.timers, restOfApduMs, given.signal).then(() => 'no answer'),
  ]);
  given.abort();
  if (connected === 'connected') return ok(new TcpLink(socket, options));
  // Its later errors have no consequence.
  socket.on('error', () => undefined);
  socket.destroy();
  return err('not_there');
}

/** Over TCP an APDU is sent as it is: the connection itself delivers it, in order and undamaged. */
class TcpLink implements Link {
  readonly #socket: Socket;
  readonly #options: LinkOptions;
  #held = Buffer.alloc(0);
  #givesUp: Cancel | undefined;
  #isOver = false;

  constructor(socket: Socket, options: LinkOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', () => this.#lose());
    socket.on('close', () => this.#lose());
  }

  send({ control, data }: Apdu): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise(resolve => this.#socket.write(encodeApdu(control, data), error => resolve(!error)));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#givesUp?.();
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#givesUp?.();
    this.#givesUp = undefined;
    this.#held = Buffer.concat([this.#held, bytes]);
    for (;;) {
      const length = lengthOfApdu(this.#held);
      if (length === undefined || length > this.#held.length || this.#isOver) break;
      const apdu = decodeApdu(this.#held.subarray(0, length));
      this.#held = this.#held.subarray(length);
      if (apdu) this.#options.onApdu(apdu);
    }
    if (this.#held.length === 0 || this.#isOver) return;
    this.#givesUp = this.#options.timers.after(restOfApduMs, () => {
      this.#options.onFailure('partial_line');
      this.#lose();
    });
  }

  #lose(): void {
    if (this.#isOver) return;
    void this.close();
    this.#options.onLost();
  }
}
