import type { Random, Timers } from '@florin/shared/ports.ts';
import type { Socket } from '../pty/socket.ts';
import { Cable } from './cable.ts';

/** A cable whose messages are lines. */
export type LineOptions = {
  readonly timers: Timers;
  readonly random: Random;
  readonly socket: Socket;
  /** Bits per second at 8N1; undefined sends at full speed. */
  readonly baudRate?: number | undefined;
  /** One line of the host, without its LF. */
  readonly onLine: (line: string) => void;
  readonly onChange: () => void;
  readonly onEvent: (text: string) => void;
};

const lineFeed = 0x0a;
/** The size at which a host's endless line is dropped. */
const maxHostLineLength = 4096;

export class Line extends Cable {
  constructor({ onLine, ...options }: LineOptions) {
    super({
      ...options,
      split: linesOf,
      onMessage: message => onLine(message.toString('latin1', 0, message.length - 1)),
    });
  }

  /** Sends one line of the reader, without its LF, subject to the cable's faults. */
  send(line: string): void {
    const isResult = line.startsWith('R ');
    const isApproval = isResult && line.includes('outcome=approved');
    this.transmit(Buffer.from(`${line}\n`, 'latin1'), isApproval ? 'approval' : isResult ? 'result' : 'other');
  }
}

function linesOf(received: Buffer): { messages: readonly Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let start = 0;
  for (let end = received.indexOf(lineFeed); end >= 0; end = received.indexOf(lineFeed, start)) {
    messages.push(received.subarray(start, end + 1));
    start = end + 1;
  }
  return { messages, rest: Buffer.from(received.subarray(start).subarray(-maxHostLineLength)) };
}
