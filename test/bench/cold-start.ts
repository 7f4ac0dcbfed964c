import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'undici';

/** From starting a program to its first 200: milliseconds passed, processor time used, and its resident memory then. */
export type ColdStart = { readonly firstAnswerMs: number; readonly cpuMs: number; readonly residentMb: number };

/** A bare node:http server: the cost of starting any Node program. */
export const bareServer = [
  '-e',
  `require('node:http').createServer((q, r) => r.end('ok')).listen(Number(process.argv[1]), '127.0.0.1')`,
];

/** Starts `args` with Node, asks `url` until it answers 200, and stops it with SIGTERM so that caches are written. */
export async function coldStart(options: {
  args: readonly string[];
  url: string;
  env?: Record<string, string>;
}): Promise<ColdStart> {
  const started = performance.now();
  const child = spawn(process.execPath, options.args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await firstAnswer(options.url, child);
    const firstAnswerMs = performance.now() - started;
    return { firstAnswerMs, cpuMs: cpuMs(child), residentMb: residentMb(child) };
  } finally {
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

/** Resident memory of a program, in MB, two seconds after it was ready, when the garbage of its start has been collected. */
export async function memoryOnceReady(args: readonly string[], ready: Promise<void>): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the program ended before it was ready')));
    await Promise.race([ready, ended]);
    await new Promise(resolve => setTimeout(resolve, 2_000));
    return residentMb(child);
  } finally {
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`the program ended with exit ${child.exitCode} before it answered`);
    const answer = await request(url).catch(() => undefined);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  throw new Error(`no answer from ${url}`);
}

function residentMb(child: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Processor time in milliseconds, which the kernel counts in hundredths of a second. */
function cpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
