import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import type { Frame } from '@florin/shared/reader-line/frame.ts';
import { Cable, type MessageKind } from '../faults/cable.ts';
import { Line } from '../faults/line.ts';
import type { PtyBackend } from '../pty/pty.ts';
import { type Socket, serialSocket, tcpSocket } from '../pty/socket.ts';
import { bytesOf } from '../raw/escapes.ts';
import type { Happening } from '../timeline/timeline.ts';
import { describeLine } from './line/describe.ts';
import { Firmware } from './line/firmware.ts';
import { ReaderMemory } from './line/memory.ts';
import type { ReaderProgram } from './program.ts';
import { describe } from './zvt/describe.ts';
import { ZvtMemory } from './zvt/memory.ts';
import { ZvtReader } from './zvt/reader.ts';

export const protocols = ['line', 'zvt'] as const;
export type Protocol = (typeof protocols)[number];

export type OpenOptions = {
  readonly protocol: Protocol;
  /** The symlink for hosts. */
  readonly link: string;
  /** Speaks over this TCP port instead of a serial one; 0 takes a free one. Only ZVT. */
  readonly tcpPort: number | undefined;
  readonly dataFolder: string | undefined;
  readonly baudRate: number | undefined;
  readonly backend: PtyBackend | undefined;
  /** Instead of a pseudo-terminal or a TCP port. */
  readonly socket: Socket | undefined;
  readonly readerNumber: string;
  /** Only ZVT. */
  readonly terminalId: string | undefined;
  readonly blockPieceLength: number | undefined;
  readonly supportsSynchronisation: boolean | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** The randomness of noise, flipped bits and jitter. */
  readonly noise: Random;
  readonly onChange: () => void;
  readonly onFrame: (direction: 'host' | 'reader', frame: Frame) => void;
  /** Everything on the line, and what happens in the reader's own processor. */
  readonly onEvent: (event: Happening) => void;
};

/** A reader's program and its cable. */
export type OpenReader = {
  readonly program: ReaderProgram;
  readonly cable: Cable;
  /** Present for a ZVT reader, which has a processor of its own. */
  readonly zvt?: ZvtReader;
  /** Sends what a tester typed. */
  say(text: string): void;
};

/** A reader of this protocol, which is not plugged in yet. */
export function openReader(options: OpenOptions): Promise<OpenReader> {
  return options.protocol === 'zvt' ? openZvtReader(options) : Promise.resolve(openLineReader(options));
}

function openLineReader(options: OpenOptions): OpenReader {
  const { timers, noise, link, baudRate, backend, onChange, onEvent, blockPieceLength } = options;
  const memory = ReaderMemory.open({
    readerNumber: options.readerNumber,
    ...(options.dataFolder === undefined ? {} : { folder: options.dataFolder }),
  });
  const line: Line = new Line({
    timers,
    random: noise,
    socket: options.socket ?? serialSocket(link, backend),
    baudRate,
    onChange,
    onEvent: text => onEvent({ lane: 'line', text }),
    onLine(text) {
      onEvent(describeLine(text, 'terminal'));
      firmware.receive(text);
    },
  });
  const say = (text: string) => {
    if (line.plugged) onEvent(describeLine(text, 'reader'));
    line.send(text);
  };
  const firmware = new Firmware({
    memory,
    clock: options.clock,
    timers,
    random: options.random,
    ...(blockPieceLength === undefined ? {} : { blockPieceLength }),
    send: say,
    onChange,
    onFrame: options.onFrame,
  });
  return { program: firmware, cable: line, say };
}

async function openZvtReader(options: OpenOptions): Promise<OpenReader> {
  const { timers, noise, link, backend, onChange, onEvent, tcpPort, dataFolder } = options;
  const medium = tcpPort === undefined ? 'serial' : 'tcp';
  const cable = new Cable({
    timers,
    random: noise,
    socket: options.socket ?? (tcpPort === undefined ? serialSocket(link, backend) : await tcpSocket(tcpPort)),
    baudRate: medium === 'serial' ? options.baudRate : undefined,
    // The reader itself takes the bytes apart.
    split: received => ({ messages: [Buffer.from(received)], rest: Buffer.alloc(0) }),
    onMessage(bytes) {
      onEvent(describe(bytes, { lane: 'terminal', medium }));
      zvt.line.receive(bytes);
    },
    onHangUp: () => zvt.hungUp(),
    onChange,
    onEvent: text => onEvent({ lane: 'line', text }),
  });
  const transmit = (bytes: Buffer, kind: MessageKind) => {
    if (cable.plugged) onEvent(describe(bytes, { lane: 'reader', medium }));
    cable.transmit(Buffer.from(bytes), kind);
  };
  const zvt = new ZvtReader({
    medium,
    memory: ZvtMemory.open(dataFolder, options.terminalId),
    clock: options.clock,
    timers,
    random: options.random,
    transmit,
    onChange,
    onFrame: options.onFrame,
    onProcessor: text => onEvent({ lane: 'bank', text }),
    ...(options.supportsSynchronisation === undefined
      ? {}
      : { supportsSynchronisation: options.supportsSynchronisation }),
  });
  const say = (text: string) => transmit(bytesOf(text) ?? Buffer.from(text, 'latin1'), 'other');
  return { program: zvt, cable, zvt, say };
}
