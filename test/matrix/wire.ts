import type { OpenPort, Port, PortOptions } from '@florin/device/readers/serial/port.ts';
import type { Pty } from '@florin/hardware-sim/pty/pty.ts';
import type { Socket } from '@florin/hardware-sim/pty/socket.ts';
import { err, ok } from '@florin/shared/result.ts';
import type { VirtualTime } from '../simulation/seeded.ts';
import type { Passing } from './steps.ts';

type End = 'terminal' | 'reader';
type Plug = { onData: (bytes: Buffer) => void };
type OpenedPort = { readonly options: PortOptions; isOpen: boolean };

const transferMs = 3;

/** A serial line in virtual time: the reader's plug at one end, the terminal's port at the other. */
export class Wire {
  readonly path = '/dev/reader';
  readonly #time: VirtualTime;
  /** Decides what becomes of each message. */
  readonly #pass: (from: End, bytes: Buffer) => Passing;
  #plug: Plug | undefined;
  #port: OpenedPort | undefined;
  /** When the last byte of each end arrives: nothing overtakes on a line. */
  readonly #busyUntil = { terminal: 0, reader: 0 };

  constructor(time: VirtualTime, pass: (from: End, bytes: Buffer) => Passing) {
    this.#time = time;
    this.#pass = pass;
  }

  /** For the simulated reader. */
  readonly socket: Socket = {
    paths: ['/dev/reader', '/dev/reader-1'],
    plugIn: async path => this.#plugIn(path),
    unplug: () => undefined,
  };

  /** For the terminal's driver. */
  readonly openPort: OpenPort = async options => {
    if (!this.#plug) return err('not_there');
    if (this.#port?.isOpen) return err('in_use');
    const port: OpenedPort = { options, isOpen: true };
    this.#port = port;
    return ok(this.#portOf(port));
  };

  /** The terminal lost its power. */
  cutTerminal(): void {
    if (this.#port) this.#port.isOpen = false;
    this.#port = undefined;
  }

  #plugIn(path: string): Pty {
    const plug: Plug = { onData: () => undefined };
    this.#plug = plug;
    return {
      backend: 'koffi',
      path,
      onData(listener) {
        plug.onData = listener;
      },
      setPaused: () => undefined,
      write: bytes => this.#send('reader', Buffer.from(bytes)),
      flushed: async () => undefined,
      close: () => {
        if (this.#plug !== plug) return;
        this.#plug = undefined;
        const port = this.#port;
        if (port?.isOpen) this.#time.after(0, () => this.#lose(port));
      },
    };
  }

  #portOf(port: OpenedPort): Port {
    return {
      write: bytes => {
        if (!port.isOpen || !this.#plug) return Promise.resolve(err('closed'));
        this.#send('terminal', Buffer.from(bytes));
        // A terminal that lost its power at this message goes no further.
        return port.isOpen ? Promise.resolve(ok(undefined)) : new Promise(() => undefined);
      },
      close: async () => {
        port.isOpen = false;
      },
    };
  }

  #lose(port: OpenedPort): void {
    if (!port.isOpen) return;
    port.isOpen = false;
    port.options.onClose('unplugged');
  }

  #send(from: End, bytes: Buffer): void {
    const plug = this.#plug;
    const port = this.#port;
    const { isLost = false, delayMs = 0, change = only, afterwards } = this.#pass(from, bytes);
    const arrivesAt = Math.max(this.#time.now() + transferMs + delayMs, this.#busyUntil[from] + 1);
    this.#busyUntil[from] = arrivesAt;
    this.#time.after(arrivesAt - this.#time.now(), () => {
      const isThere = plug !== undefined && plug === this.#plug;
      if (!isLost && isThere) for (const piece of change(bytes)) this.#arrive(from, plug, port, piece);
      afterwards?.();
    });
  }

  #arrive(from: End, plug: Plug, port: OpenedPort | undefined, bytes: Buffer): void {
    if (from === 'terminal') plug.onData(bytes);
    else if (port?.isOpen) port.options.onBytes(bytes);
  }
}

const only = (bytes: Buffer): readonly Buffer[] => [bytes];
