import { connect, type Socket } from 'node:net';
import type { Timers } from '@florin/shared/ports.ts';
import type { AutoDetectTypes } from '@serialport/bindings-cpp';
import { SerialPort, type SerialPortOpenOptions } from 'serialport';
import { unplugAwareBinding } from '../../readers/serial/binding.ts';

/** Where a receipt printer is connected. */
export type LinkAddress =
  | { readonly kind: 'serial'; readonly path: string; readonly baudRate: number }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** An open connection to a printer, for one piece of work: it is closed after it, so that others can use the printer. */
export interface Link {
  /** False if the bytes were not passed on, or not all of them. */
  write(bytes: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}

export type LinkOptions = {
  readonly timers: Timers;
  readonly onData: (bytes: Uint8Array) => void;
};

const connectTimeoutMs = 3_000;
/** A printer that takes no more bytes for this long has stopped. */
const writeTimeoutMs = 10_000;

/** Opens a connection; undefined if there is none, for whatever reason. */
export function openLink(address: LinkAddress, options: LinkOptions): Promise<Link | undefined> {
  return address.kind === 'serial' ? openSerial(address, options) : openTcp(address, options);
}

type Stream = Pick<Socket, 'write' | 'on'>;

/** Resolves once the system has all of the bytes. */
function written(stream: Stream, bytes: Uint8Array, timers: Timers): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = timers.after(writeTimeoutMs, () => resolve(false));
    stream.write(bytes, error => {
      cancel();
      resolve(!error);
    });
  });
}

function openSerial(
  { path, baudRate }: Extract<LinkAddress, { kind: 'serial' }>,
  { timers, onData }: LinkOptions,
): Promise<Link | undefined> {
  // SerialPort's types do not declare the `binding` option.
  const settings = { path, baudRate, autoOpen: false, binding: unplugAwareBinding() };
  return new Promise(resolve => {
    const port = new SerialPort(settings as SerialPortOpenOptions<AutoDetectTypes>);
    // An error without a listener would end the program; a write or an answer that fails is noticed by its own.
    port.on('error', () => undefined);
    port.on('data', onData);
    port.open(error => {
      if (error) return resolve(undefined);
      resolve({
        write: bytes => (port.isOpen ? written(port as unknown as Stream, bytes, timers) : Promise.resolve(false)),
        close: () => (port.isOpen ? new Promise(closed => port.close(() => closed())) : Promise.resolve()),
      });
    });
  });
}

function openTcp(
  { host, port }: Extract<LinkAddress, { kind: 'tcp' }>,
  { timers, onData }: LinkOptions,
): Promise<Link | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host, port, noDelay: true });
    const cancel = timers.after(connectTimeoutMs, () => socket.destroy(new Error('no answer')));
    socket.on('data', onData);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      cancel();
      resolve(undefined);
    });
    socket.once('connect', () => {
      cancel();
      resolve({
        write: bytes => (socket.writable ? written(socket, bytes, timers) : Promise.resolve(false)),
        close: () =>
          new Promise(closed => {
            if (socket.destroyed) return closed();
            const kill = timers.after(connectTimeoutMs, () => socket.destroy());
            socket.once('close', () => {
              kill();
              closed();
            });
            socket.end();
          }),
      });
    });
  });
}
