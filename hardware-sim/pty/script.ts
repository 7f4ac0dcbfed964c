import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { realTimers } from '../platform/real.ts';
import type { Pty } from './pty.ts';

/** The child process of `script` owns the host's end: it sets raw mode, prints its path, and holds it open. */
const holdLine = 'stty raw -echo; echo "READY $(tty)"; exec sleep 2147483647';
const announcement = /READY (\/\S+)\r?\n/;
const startTimeoutMs = 5000;

/**
 * A pty held by util-linux's `script`, for machines where libc cannot be called: the host's bytes are on its stdout,
 * ours go to its stdin, and ending it hangs up.
 */
export function openScriptPty(): Promise<Pty> {
  const child = spawn('script', ['-qfec', holdLine, '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string) => {
      cancelTimeout();
      child.kill('SIGKILL');
      reject(new Error(reason));
    };
    const cancelTimeout = realTimers.after(startTimeoutMs, () => fail('no answer'));
    child.once('error', error => fail(error.message));
    child.once('exit', code => fail(`ended with ${code}`));
    const listen = (chunk: Buffer) => {
      output += chunk.toString('latin1');
      const path = announcement.exec(output)?.[1];
      if (path === undefined) return;
      cancelTimeout();
      child.stdout.off('data', listen);
      child.removeAllListeners('exit');
      child.stderr.resume();
      resolve(new ScriptPty(path, child));
    };
    child.stdout.on('data', listen);
  });
}

class ScriptPty implements Pty {
  readonly backend = 'script';
  readonly path: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(path: string, child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.path = path;
    this.#child = child;
    // Writes after the line was hung up.
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
