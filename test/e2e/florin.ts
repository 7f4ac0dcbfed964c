import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

/** A running `npm start`, used through what it printed. */
export type Florin = {
  /** The directory to run `npm` commands in. */
  readonly directory: string;
  /** Returns the part of the printed welcome that the pattern's group matches. */
  printed(pattern: RegExp): string;
  /** Waits for a later line that matches, and returns what the pattern's group matches. */
  printedLine(pattern: RegExp): Promise<string>;
  readonly backendUrl: string;
  readonly terminalUrl: string;
  readonly readerUrl: string;
  readonly enrolmentCode: string;
  readonly staff: Readonly<Record<string, { name: string; temporaryPassword: string }>>;
  /** An API key with every permission. */
  readonly apiKey: string;
  /** Makes a GET request to the backend with that key. */
  get(path: string): Promise<unknown>;
  /** Settles all sales at the sandbox bank. */
  settle(): Promise<void>;
  /** Returns the sandbox bank's ledger: the amounts taken and returned, by sale. */
  ledger(): Promise<readonly BankSale[]>;
  /** Changes the sandbox bank through its control interface. */
  controlBank(method: 'POST' | 'DELETE', path: '/settle' | '/faults', body?: object): Promise<void>;
  /** Runs `npm run admin -- …`; returns its exit code and output. */
  admin(...args: string[]): Promise<{ code: number | null; output: string }>;
  stop(): Promise<void>;
};

const bankSale = z.object({ takenMinor: z.int(), returnedMinor: z.int(), state: z.string() });
export type BankSale = z.infer<typeof bankSale>;

/** Starts everything exactly as `npm start` does, with a separate data folder, and reads its welcome. */
export async function startFlorin(): Promise<Florin> {
  const data = mkdtempSync(join(tmpdir(), 'florin-e2e-'));
  const portBase = await freePortBase();
  const child = spawn(process.execPath, ['backend/programs/demo/main.ts', '--data', data], {
    cwd: root,
    env: { ...process.env, PORT_BASE: String(portBase) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', line => errors.push(line));
  const welcome = await readWelcome(child);
  const find = (pattern: RegExp) => {
    const found = pattern.exec(welcome)?.[1];
    if (found === undefined) throw new Error(`the welcome has no match of ${pattern}:\n${welcome}`);
    return found;
  };
  const staff = [...welcome.matchAll(/^ {4}(\d+) {2}(.+?) +temporary password (\S+)/gm)];
  const key = find(/API key +(\S+)/);
  const backendUrl = find(/Backend +(\S+)/);
  const controlUrl = `http://127.0.0.1:${portBase + 13}`;
  const controlBank: Florin['controlBank'] = async (method, path, body = {}) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(`${controlUrl}/control${path}`, { method, headers, body: JSON.stringify(body) });
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
  };
  return {
    directory: root,
    printed: find,
    async printedLine(pattern) {
      for (;;) {
        const found = errors.map(line => pattern.exec(line)?.[1]).find(one => one !== undefined);
        if (found !== undefined) return found;
        await once(child.stderr, 'data');
      }
    },
    backendUrl,
    terminalUrl: find(/Terminal +(\S+)/),
    readerUrl: find(/Card reader +(\S+)/),
    apiKey: key,
    enrolmentCode: find(/Enrolment code +(\S+)/),
    staff: Object.fromEntries(
      staff.map(([, number, name, temporaryPassword]) => [number, { name, temporaryPassword }]),
    ) as Florin['staff'],
    async get(path) {
      const answer = await request(`${backendUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
      if (answer.statusCode !== 200)
        throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
      return answer.body.json();
    },
    controlBank,
    settle: () => controlBank('POST', '/settle'),
    async ledger() {
      const answer = await request(`${controlUrl}/control/ledger`);
      return z.array(bankSale).parse(await answer.body.json());
    },
    admin: (...args) => runAdmin([...args, '--data', data]),
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function readWelcome(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  if (!child.stdout) throw new Error('npm start has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('Ctrl-C stops everything')) {
      child.stdout.resume();
      return lines.join('\n');
    }
  }
  throw new Error(`npm start ended before its welcome:\n${lines.join('\n')}`);
}

function runAdmin(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['backend/programs/admin/cli.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
  return new Promise(resolve => child.once('close', code => resolve({ code, output })));
}

const portsOfAShop = 20;

/**
 * The programs listen at fixed offsets from PORT_BASE, so a whole range must be free: one for each worker, below the
 * ports that the system assigns.
 */
async function freePortBase(): Promise<number> {
  const workers = 8;
  const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0) % workers;
  for (let tries = 0; tries < 50; tries += 1) {
    const stretch = Math.floor(Math.random() * 75) * workers + worker;
    const base = 20_000 + stretch * portsOfAShop;
    const free = await Promise.all(Array.from({ length: portsOfAShop }, (_, offset) => isFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free range of ports');
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
