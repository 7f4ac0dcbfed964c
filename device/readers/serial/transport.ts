import type { Timers } from '@florin/shared/ports.ts';
import { ok, type Result } from '@florin/shared/result.ts';
import { ReadlineParser } from '@serialport/parser-readline';
import type { LineFailure } from '../reader.ts';
import { LengthGuard } from './length-guard.ts';
import {
  type CloseReason,
  type OpenPort,
  type OpenRefusal,
  openSystemPort,
  type Port,
  type WriteRefusal,
} from './port.ts';

/** Whole latin1 lines over one serial port. A new parser each time: an old one would join old bytes to new lines. */
export interface Transport {
  /** Passes a line, without its LF, to the kernel. Only a response of the reader proves that it arrived. */
  write(line: string): Promise<Result<void, WriteRefusal>>;
  /** Idempotent. `onClose` is not called for it. */
  close(): Promise<void>;
}

export type TransportOptions = {
  readonly openPort?: OpenPort | undefined;
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
export async function openTransport(options: TransportOptions): Promise<Result<Transport, OpenRefusal>> {
  const { openPort = openSystemPort, onLine, onFailure, onClose, ...settings } = options;
  const lines = new Lines({ timers: options.timers, onLine, onFailure });
  const opened = await openPort({
    ...settings,
    onBytes: bytes => lines.receive(bytes),
    onClose: reason => {
      lines.end();
      onClose(reason);
    },
  });
  return opened.ok ? ok(transportOver(opened.value, lines)) : opened;
}

function transportOver(port: Port, lines: Lines): Transport {
  return {
    write: line => port.write(Buffer.from(`${line}\n`, 'latin1')),
    close() {
      lines.end();
      return port.close();
    },
  };
}

class Lines {
  readonly #guard: LengthGuard;
  readonly #parser = new ReadlineParser({ delimiter: '\n', encoding: 'latin1' });

  constructor({ timers, onLine, onFailure }: Pick<TransportOptions, 'timers' | 'onLine' | 'onFailure'>) {
    this.#guard = new LengthGuard({ timers, onDropped: onFailure });
    this.#parser.on('data', onLine);
    this.#guard.pipe(this.#parser);
  }

  receive(bytes: Buffer): void {
    // Copied, because a stream may keep it for later.
    if (!this.#guard.destroyed) this.#guard.write(Buffer.from(bytes));
  }

  end(): void {
    this.#guard.destroy();
    this.#parser.removeAllListeners('data');
  }
}
