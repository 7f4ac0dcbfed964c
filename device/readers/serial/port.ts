import type { Timers } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { AutoDetectTypes } from '@serialport/bindings-cpp';
import { SerialPort, type SerialPortOpenOptions } from 'serialport';
import { unplugAwareBinding } from './binding.ts';

/**
 * One connection to one serial port: bytes in and out, and one `onClose`. Never reopened: an old port would send what
 * was written while it was closed.
 */
export interface Port {
  /** Passes bytes to the kernel, in the order of the calls. Only a response of the reader proves that they arrived. */
  write(bytes: Buffer): Promise<Result<void, WriteRefusal>>;
  /** Idempotent. `onClose` is not called for it. */
  close(): Promise<void>;
}

export type WriteRefusal = 'closed' | 'write_failed' | 'write_timeout';
export type OpenRefusal = 'not_there' | 'in_use' | 'no_permission' | 'failed';
export type CloseReason = 'unplugged' | 'write_failed' | 'write_timeout';

/**
 * A reader that stopped reading blocks a write indefinitely. `drain` is not used, because it would occupy one of the few
 * threads that the file system and password hashing need.
 */
const writeTimeoutMs = 2000;

export type PortOptions = {
  readonly path: string;
  readonly baudRate: number;
  /** 1 by default. */
  readonly stopBits?: 1 | 2;
  readonly timers: Timers;
  /** The bytes are valid until it returns: serialport uses their memory again. */
  readonly onBytes: (bytes: Buffer) => void;
  /** The port is there and could not be opened; `reason` is the system's. */
  readonly onOpenFailed: (reason: string) => void;
  readonly onClose: (reason: CloseReason) => void;
};

/** Never rejects: a port that cannot be opened, or whose settings are not accepted, is a refusal. */
export type OpenPort = (options: PortOptions) => Promise<Result<Port, OpenRefusal>>;

/** A serial port of this machine. */
export const openSystemPort: OpenPort = options => {
  const { path, baudRate, stopBits = 1 } = options;
  // SerialPort's types do not declare the `binding` option.
  const settings = { path, baudRate, stopBits, autoOpen: false, binding: unplugAwareBinding() };
  return new Promise(resolve => {
    const refuse = (error: Error) => {
      const refusal = openRefusalOf(error);
      if (refusal !== 'not_there') options.onOpenFailed(error.message);
      resolve(err(refusal));
    };
    let serialPort: SerialPort;
    try {
      serialPort = new SerialPort(settings as SerialPortOpenOptions<AutoDetectTypes>);
    } catch (error) {
      refuse(error as Error);
      return;
    }
    const opened = new SystemPort(serialPort, options);
    serialPort.open(error => (error === null ? resolve(ok(opened.begin())) : refuse(error)));
  });
};

class SystemPort implements Port {
  readonly #port: SerialPort;
  readonly #options: PortOptions;
  #state: 'open' | 'closed' = 'open';
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(port: SerialPort, options: PortOptions) {
    this.#port = port;
    this.#options = options;
    // Both events may occur more than once, and an error without a listener would end the program.
    port.on('error', () => this.#lost('write_failed'));
    port.on('close', () => this.#lost('unplugged'));
  }

  begin(): Port {
    this.#port.on('data', (bytes: Buffer) => {
      if (this.#state === 'open') this.#options.onBytes(bytes);
    });
    return this;
  }

  write(bytes: Buffer): Promise<Result<void, WriteRefusal>> {
    const written = this.#queue.then(() => this.#writeNow(bytes));
    this.#queue = written;
    return written;
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  #writeNow(bytes: Buffer): Promise<Result<void, WriteRefusal>> {
    // serialport would keep a write on a closed port and send it at the next open.
    if (this.#state === 'closed' || !this.#port.isOpen) return Promise.resolve(err('closed'));
    return new Promise(resolve => {
      const cancelTimeout = this.#options.timers.after(writeTimeoutMs, () => {
        resolve(err('write_timeout'));
        this.#lost('write_timeout');
      });
      this.#port.write(bytes, error => {
        cancelTimeout();
        resolve(error ? err('write_failed') : ok(undefined));
        if (error) this.#lost('write_failed');
      });
    });
  }

  #lost(reason: CloseReason): void {
    if (this.#state === 'closed') return;
    void this.close();
    this.#options.onClose(reason);
  }

  #shut(): Promise<void> {
    this.#state = 'closed';
    this.#port.removeAllListeners('data');
    if (!this.#port.isOpen) return Promise.resolve();
    return new Promise(resolve => this.#port.close(() => resolve()));
  }
}

function openRefusalOf(error: Error): OpenRefusal {
  if (/no such file|ENOENT|not found/i.test(error.message)) return 'not_there';
  if (/lock port|busy|access denied/i.test(error.message)) return 'in_use';
  if (/permission denied|EACCES/i.test(error.message)) return 'no_permission';
  return 'failed';
}
