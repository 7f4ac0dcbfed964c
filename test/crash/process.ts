import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import { secretsKeySetting } from '../support/gateway-account.ts';

const root = join(import.meta.dirname, '../..');
const program = ['--import', './backend/platform/node-24.mjs', 'backend/main.ts'];
const announcement = z.object({ ready: z.literal(true), url: z.string() });

export type BackendProcess = {
  readonly url: string;
  readonly pid: number;
  /** Sends SIGKILL. Idempotent. */
  kill(): void;
  /** Resolves once the process has exited. */
  readonly gone: Promise<void>;
  isRunning(): boolean;
  /** Its error output, for the report of a failure. */
  output(): string;
};

/** Short times in production's proportions, so that recovery takes seconds. */
export const shortTimes = {
  SECRETS_KEY: secretsKeySetting,
  GATEWAY_TIMEOUT_SECONDS: '1',
  POLLING_LEASE_MS: '1500',
  POLLING_INTERVALS_MS: '150',
  // On a busy machine the first lookup may time out: the next must not wait five minutes.
  POLLING_LATE_INTERVAL_MS: '150',
  POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: '3500',
  RECOVERY_EVERY_MS: '100',
  IDEMPOTENCY_LEASE_SECONDS: '2',
  IDEMPOTENCY_POLL_MS: '50',
  STAFF_NONCE_SECONDS: '3600',
  LOCKOUT_ATTEMPTS: '1000000',
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  RATE_LIMIT_STAFF_CHALLENGES: '1000000',
} as const;

/** Starts `backend/main.ts` as an operator would and resolves once it announces that it is ready. */
export async function startBackend(env: Readonly<Record<string, string>>): Promise<BackendProcess> {
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: await compileCache(),
      PORT: '0',
      LOG_LEVEL: 'error',
      ...shortTimes,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the backend could not be started');
  running.add(child);
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve())).finally(() => running.delete(child));
  let lastOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastOutput = (lastOutput + chunk.toString()).slice(-20_000);
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const parsed = announcement.safeParse(parseJson(line));
      if (parsed.success) resolve(parsed.data.url);
      else lastOutput += `${line}\n`;
    });
    void gone.then(() => reject(new Error(`the backend ended before it was ready:\n${lastOutput}`)));
  });
  return {
    url,
    pid,
    kill() {
      if (isRunning()) process.kill(pid, 'SIGKILL');
    },
    gone,
    isRunning,
    output: () => lastOutput,
  };
}

const running = new Set<ChildProcess>();
let cache: { directory: string; filled: Promise<void> } | undefined;

/** One compile cache for all starts of a run, because a killed process does not write one. */
async function compileCache(): Promise<string> {
  if (!cache) {
    const directory = mkdtempSync(join(tmpdir(), 'florin-compiled-'));
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: directory };
    const filled = promisify(execFile)(process.execPath, [...program, '--help'], { cwd: root, env }).then(
      () => undefined,
    );
    cache = { directory, filled };
  }
  await cache.filled;
  return cache.directory;
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  if (cache) rmSync(cache.directory, { recursive: true, force: true });
});

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
