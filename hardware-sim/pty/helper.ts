import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { realTimers } from '../platform/real.ts';
import type { Pty } from './pty.ts';

/**
 * A pty held by a small helper program, for machines where libc cannot be called: the host's bytes come out of its
 * stdout, ours go into its stdin, and ending it hangs the line up.
 */
export const helperNames = ['script', 'socat', 'python'] as const;
export type HelperName = (typeof helperNames)[number];

const pythonProgram = `
import os, pty, select, sys, tty
master, slave = pty.openpty()
tty.setraw(slave)
sys.stderr.write('READY ' + os.ttyname(slave) + '\\n'); sys.stderr.flush()
while True:
    ready, _, _ = select.select([master, 0], [], [])
    if master in ready: os.write(1, os.read(master, 4096))
    if 0 in ready:
        data = os.read(0, 4096)
        if not data: break
        while data: data = data[os.write(master, data):]
`;

const commands: Record<HelperName, readonly [string, ...string[]]> = {
  // script's child owns the host's end: it makes the line raw, tells its name, and holds it.
  script: ['script', '-qfec', 'stty raw -echo; echo "READY $(tty)"; exec sleep 2147483647', '/dev/null'],
  socat: ['socat', '-d', '-d', 'PTY,raw,echo=0', 'STDIO'],
  python: ['python3', '-c', pythonProgram],
};
const announcement = /(?:READY|PTY is) (\/\S+)\r?\n/;
const startTimeoutMs = 5000;

export function openHelperPty(name: HelperName): Promise<Pty> {
  const [program, ...parameters] = commands[name];
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let heard = '';
    const fail = (reason: string) => {
      patience();
      child.kill('SIGKILL');
      reject(new Error(reason));
    };
    const patience = realTimers.after(startTimeoutMs, () => fail('no answer'));
    child.once('error', error => fail(error.message));
    child.once('exit', code => fail(`ended with ${code}`));
    const listen = (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      const path = announcement.exec(heard)?.[1];
      if (path === undefined) return;
      patience();
      child.stdout.off('data', listen);
      child.stderr.off('data', listen);
      child.removeAllListeners('exit');
      child.stderr.resume();
      resolve(new HelperPty(name, path, child));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
  });
}

class HelperPty implements Pty {
  readonly backend: HelperName;
  readonly path: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(backend: HelperName, path: string, child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.backend = backend;
    this.path = path;
    this.#child = child;
    child.stdin.on('error', () => undefined);
  }

  onData(listener: (bytes: Buffer) => void): void {
    this.#child.stdout.on('data', listener);
  }

  setPaused(paused: boolean): void {
    if (paused) this.#child.stdout.pause();
    else this.#child.stdout.resume();
  }

  write(bytes: Buffer): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes);
  }

  flushed(): Promise<void> {
    if (!this.#child.stdin.writable || this.#child.stdin.writableLength === 0) return Promise.resolve();
    return new Promise(resolve => this.#child.stdin.once('drain', resolve));
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}
