import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';

/** A server in a separate process, which reports its address and its processor time over IPC. */
export type ServerProcess = {
  readonly url: string;
  /** Processor time used so far, in microseconds. */
  cpuUs(): Promise<number>;
  /** Memory in use after a garbage collection. */
  residentMb(): Promise<number>;
  stop(): Promise<void>;
};

const message = z.object({
  url: z.string().optional(),
  cpuUs: z.number().optional(),
  residentMb: z.number().optional(),
});
const hasTaskset = spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;

/** Starts `program` of this folder on core 0 and writes its log to a file. */
export async function startOnCoreZero(
  program: string,
  options: { readonly env: Readonly<Record<string, string>>; readonly logFile: string },
): Promise<ServerProcess> {
  const command = [process.execPath, '--expose-gc', join(import.meta.dirname, program)];
  const [executable = '', ...args] = hasTaskset ? ['taskset', '-c', '0', ...command] : command;
  const log = openSync(options.logFile, 'a');
  const child = spawn(executable, args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const { url = '' } = await nextMessage(child);
  const ask = (what: 'processor' | 'memory') => {
    const reply = nextMessage(child);
    child.send(what);
    return reply;
  };
  return {
    url,
    cpuUs: async () => (await ask('processor')).cpuUs ?? 0,
    residentMb: async () => (await ask('memory')).residentMb ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<z.infer<typeof message>> {
  const answered = new AbortController();
  const ended = once(child, 'exit', { signal: answered.signal }).then(([code]) => {
    throw new Error(`a server of the bench ended unexpectedly (exit ${code})`);
  });
  try {
    const [received] = await Promise.race([once(child, 'message'), ended]);
    return message.parse(received);
  } finally {
    // Otherwise each message of a long run leaves its listeners at the process.
    ended.catch(() => undefined);
    answered.abort();
  }
}

/** The server process's side of `startOnCoreZero`. */
export function announce(url: string, stop: () => Promise<void>): void {
  process.on('message', what => {
    // A last-resort collection also releases the reserve of the young generation.
    if (what === 'memory') globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, residentMb: process.memoryUsage.rss() / 2 ** 20 });
  });
  process.once('SIGTERM', () => void stop().then(() => process.exit()));
  // The bench ended without stopping this process.
  process.once('disconnect', () => process.exit(1));
  process.send?.({ url });
}

/** Listens on a free port, and announces it. */
export function listenAndAnnounce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    announce(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
    });
  });
}

/** Keeps this process and its children off core 0, where the server runs, while `work` runs. */
export async function offCoreZero<Value>(work: () => Promise<Value>): Promise<Value> {
  const [, last] = /-(\d+)$/.exec(coresOf() ?? '') ?? [];
  if (last === undefined) return work();
  confine(last === '1' ? '1' : `1-${last}`);
  try {
    return await work();
  } finally {
    confine(`0-${last}`);
  }
}

/**
 * Runs a ceiling alone on the core of the product's server: a disk signals completion to one core, and a process that waits
 * on the other core resumes later.
 */
export async function onCoreZero<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  const cores = coresOf();
  if (cores === undefined) return work();
  confine('0');
  try {
    return await work();
  } finally {
    confine(cores);
  }
}

function coresOf(): string | undefined {
  if (!hasTaskset) return undefined;
  return execFileSync('taskset', ['-pc', String(process.pid)])
    .toString()
    .trim()
    .split(' ')
    .at(-1);
}

function confine(cores: string): void {
  execFileSync('taskset', ['-apc', cores, String(process.pid)], { stdio: 'ignore' });
}
