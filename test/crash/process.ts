import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { secretsKeySetting } from '../support/gateway-account.ts';

const packages = join(import.meta.dirname, '../../node_modules');
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
  POLLING_INTERVALS_MS: '150',
  // On a busy machine the first lookup may time out: the next must not wait five minutes.
  POLLING_LATE_INTERVAL_MS: '150',
  POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: '3500',
  RECOVERY_EVERY_MS: '100',
  LEASE_SECONDS: '2',
  IDEMPOTENCY_POLL_MS: '50',
  STAFF_NONCE_SECONDS: '3600',
  LOCKOUT_ATTEMPTS: '1000000',
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  RATE_LIMIT_STAFF_CHALLENGES: '1000000',
} as const;

/** The environment of every process: packages that are not in the bundle are found beside the sources. */
export function environment(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: process.env.HOME, NODE_PATH: packages };
}

/** Starts the built backend as an operator would and resolves once it announces that it is ready. */
export async function startBackend(env: Readonly<Record<string, string>>): Promise<BackendProcess> {
  const program = process.env.CRASH_BACKEND;
  if (program === undefined) throw new Error('the backend was not built (program.ts)');
  const child = spawn(process.execPath, [program], {
    env: {
      ...environment(),
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

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
