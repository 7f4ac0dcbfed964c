import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Cancel } from '@florin/shared/ports.ts';
import { realTimers } from '../platform/real.ts';
import type { Pty } from './pty.ts';

/** Linux constants of posix_openpt and fcntl. */
const openReadWrite = 2;
const openNoControllingTerminal = 0o400;
const openNonBlocking = 0o4000;
const fcntlSetFlags = 4;
/** Larger than any libc's struct termios. */
const termiosBytes = 256;
const retryMs = 1;

/** A pty straight from libc. Rejects where koffi or the calls are missing (another system, no prebuilt library). */
export async function openKoffiPty(): Promise<Pty> {
  if (process.platform !== 'linux') throw new Error('only on Linux');
  const libc = await loadLibc();
  const master = libc.openpt(openReadWrite | openNoControllingTerminal);
  if (master < 0) throw new Error('posix_openpt failed');
  if (libc.grantpt(master) !== 0 || libc.unlockpt(master) !== 0) throw new Error('the pty could not be unlocked');
  const name = Buffer.alloc(128);
  if (libc.ptsname(master, name, name.length) !== 0) throw new Error('the pty has no name');
  const path = name.toString('latin1', 0, name.indexOf(0));
  // Held open so that the line stays up and raw without a host.
  const slave = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const termios = Buffer.alloc(termiosBytes);
  libc.tcgetattr(slave, termios);
  libc.cfmakeraw(termios);
  libc.tcsetattr(slave, 0, termios);
  const reader = new ReadStream(master);
  // ReadStream clears the flag; without it a write to a host that does not read would block the process.
  libc.fcntl(master, fcntlSetFlags, 'int', openReadWrite | openNonBlocking);
  return new KoffiPty(path, { master, slave, reader });
}

class KoffiPty implements Pty {
  readonly backend = 'koffi';
  readonly path: string;
  readonly #master: number;
  readonly #slave: number;
  readonly #reader: ReadStream;
  #queue = Buffer.alloc(0);
  #retry: Cancel | undefined;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(path: string, ends: { master: number; slave: number; reader: ReadStream }) {
    this.path = path;
    this.#master = ends.master;
    this.#slave = ends.slave;
    this.#reader = ends.reader;
    // EIO after the last host end is closed; our own slave end makes this happen only on close.
    this.#reader.on('error', () => undefined);
  }

  onData(listener: (bytes: Buffer) => void): void {
    this.#reader.on('data', listener);
  }

  setPaused(paused: boolean): void {
    if (paused) this.#reader.pause();
    else this.#reader.resume();
  }

  write(bytes: Buffer): void {
    if (this.#closed) return;
    this.#queue = Buffer.concat([this.#queue, bytes]);
    this.#push();
  }

  flushed(): Promise<void> {
    if (this.#closed || this.#queue.length === 0) return Promise.resolve();
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#retry?.();
    this.#reader.destroy();
    closeSync(this.#slave);
    this.#settle();
  }

  #push(): void {
    if (this.#closed || this.#retry !== undefined) return;
    while (this.#queue.length > 0) {
      const written = this.#writeSome();
      if (written === 0) {
        this.#retry = realTimers.after(retryMs, () => {
          this.#retry = undefined;
          this.#push();
        });
        return;
      }
      this.#queue = this.#queue.subarray(written);
    }
    this.#settle();
  }

  /** Bytes accepted by the kernel; 0 if the line is full. */
  #writeSome(): number {
    try {
      return writeSync(this.#master, this.#queue);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
      this.#queue = Buffer.alloc(0);
      return 0;
    }
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

async function loadLibc() {
  const { default: koffi } = await import('koffi');
  const libc = koffi.load('libc.so.6');
  return {
    openpt: libc.func('int posix_openpt(int)') as (flags: number) => number,
    grantpt: libc.func('int grantpt(int)') as (fd: number) => number,
    unlockpt: libc.func('int unlockpt(int)') as (fd: number) => number,
    ptsname: libc.func('int ptsname_r(int, _Out_ char *, size_t)') as (
      fd: number,
      name: Buffer,
      size: number,
    ) => number,
    tcgetattr: libc.func('int tcgetattr(int, _Out_ void *)') as (fd: number, termios: Buffer) => number,
    cfmakeraw: libc.func('void cfmakeraw(_Inout_ void *)') as (termios: Buffer) => void,
    tcsetattr: libc.func('int tcsetattr(int, int, void *)') as (fd: number, when: number, termios: Buffer) => number,
    fcntl: libc.func('int fcntl(int, int, ...)') as (fd: number, command: number, type: 'int', flags: number) => number,
  };
}
