import type { Timers } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { AutoDetectTypes } from '@serialport/bindings-cpp';
import { ReadlineParser } from '@serialport/parser-readline';
import { SerialPort, type SerialPortOpenOptions } from 'serialport';
import type { LineFailure } from '../reader.ts';
import { unplugAwareBinding } from './binding.ts';
import { LengthGuard } from './length-guard.ts';

/**
 * One connection to one serial port: whole latin1 lines in and out, and one `onClose`. Never reopened: an old port
 * would send what was written while it was closed, and an old parser would join old bytes to new lines.
 */
export interface Transport {
  /** Passes a line, without its LF, to the kernel. Only a response of the reader proves that it arrived. */
  write(line: string): Promise<Result<void, WriteRefusal>>;
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

export type TransportOptions = {
  readonly path: string;
  readonly baudRate: number;
  readonly timers: Timers;
  readonly onLine: (line: string) => void;
  /** Bytes were dropped because they were not a whole line. */
  readonly onFailure: (cause: LineFailure) => void;
  /** The port is there and could not be opened; `reason` is the system's. */
  readonly onOpenFailed: (reason: string) => void;
  readonly onClose: (reason: CloseReason) => void;
};

/** Never rejects: a port that cannot be opened, or whose settings are not accepted, is a refusal. */
export function openTransport(options: TransportOptions): Promise<Result<Transport, OpenRefusal>> {
  // SerialPort's types do not declare the `binding` option.
  const settings = { path: options.path, baudRate: options.baudRate, autoOpen: false, binding: unplugAwareBinding() };
  return new Promise(resolve => {
    const refuse = (error: Error) => {
      const refusal = openRefusalOf(error);
      if (refusal !== 'not_there') options.onOpenFailed(error.message);
      resolve(err(refusal));
    };
    let port: SerialPort;
    try {
      port = new SerialPort(settings as SerialPortOpenOptions<AutoDetectTypes>);
    } catch (error) {
      refuse(error as Error);
      return;
    }
    const transport = new SerialTransport(port, options);
    port.open(error => (error === null ? resolve(ok(transport.begin())) : refuse(error)));
  });
}

class SerialTransport implements Transport {
  readonly #port: SerialPort;
  readonly #options: TransportOptions;
  readonly #guard: LengthGuard;
  readonly #parser = new ReadlineParser({ delimiter: '\n', encoding: 'latin1' });
  #state: 'open' | 'closed' = 'open';
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(port: SerialPort, options: TransportOptions) {
    this.#port = port;
    this.#options = options;
    this.#guard = new LengthGuard({ timers: options.timers, onDropped: options.onFailure });
    // Both events may occur more than once, and an error without a listener would end the program.
    port.on('error', () => this.#lost('write_failed'));
    port.on('close', () => this.#lost('unplugged'));
  }

  begin(): Transport {
    this.#parser.on('data', (line: string) => {
      if (this.#state === 'open') this.#options.onLine(line);
    });
    this.#port.pipe(this.#guard).pipe(this.#parser);
    return this;
  }

  write(line: string): Promise<Result<void, WriteRefusal>> {
    const written = this.#queue.then(() => this.#writeNow(`${line}\n`));
    this.#queue = written;
    return written;
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  #writeNow(text: string): Promise<Result<void, WriteRefusal>> {
    // serialport would keep a write on a closed port and send it at the next open.
    if (this.#state === 'closed' || !this.#port.isOpen) return Promise.resolve(err('closed'));
    return new Promise(resolve => {
      const cancelTimeout = this.#options.timers.after(writeTimeoutMs, () => {
        resolve(err('write_timeout'));
        this.#lost('write_timeout');
      });
      this.#port.write(text, 'latin1', error => {
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
    this.#port.unpipe(this.#guard);
    this.#guard.destroy();
    this.#parser.removeAllListeners('data');
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
