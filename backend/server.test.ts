import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { contract } from '@florin/shared/contracts/contract.ts';
import { eventStream, json } from '@florin/shared/contracts/responses.ts';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { aBackend, eachDatabase } from '../test/support/backend.ts';
import { DatabaseUnavailable } from './foundation/database/database.ts';
import { respond, respondEvents, route } from './foundation/http/route.ts';

const root = join(import.meta.dirname, '..');

type Program = { readonly child: ChildProcess; readonly lines: string[]; readonly ended: Promise<number | null> };

/** The backend as its own process, as an operator starts it. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const command = ['--import', './backend/foundation/platform/node-24.mjs', 'backend/main.ts', ...args];
  const child = spawn(process.execPath, command, { cwd: root, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => lines.push(line));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, lines, ended: new Promise(resolve => child.once('close', code => resolve(code))) };
}

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'florin-main-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const readyLine = z.object({ ready: z.literal(true), name: z.literal('backend'), url: z.string() });

async function ready(program: Program): Promise<string> {
  await expect.poll(() => program.lines[0], { timeout: 30_000 }).toBeDefined();
  return readyLine.parse(JSON.parse(program.lines[0] ?? '')).url;
}

test('the program announces when it is ready, serves, and stops on SIGTERM', async () => {
  const program = start(['--port', '0', '--data', aDirectory()]);
  const url = await ready(program);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const second = start(['--port', new URL(url).port, '--data', aDirectory()]);
  expect(await second.ended).toBe(1);
  expect(second.lines.join('\n')).toContain('EADDRINUSE');
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
});

test('behind a proxy a stop is announced at /readyz, and requests that still come are served and end their connection', async () => {
  const program = start(['--port', '0', '--data', aDirectory()], { TRUSTED_PROXIES: '127.0.0.1' });
  const url = await ready(program);
  program.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await program.ended).toBe(0);
});

test('requests that come while the service starts wait for it', async () => {
  // A port that was just in use.
  const earlier = start(['--port', '0', '--data', aDirectory()]);
  const url = await ready(earlier);
  earlier.child.kill('SIGTERM');
  await earlier.ended;
  const program = start(['--port', new URL(url).port, '--data', aDirectory()]);
  const answers: number[] = [];
  while (program.lines.length === 0) {
    const answer = await fetch(`${url}/api/v1/devices`).catch(() => undefined);
    if (answer !== undefined) answers.push(answer.status);
  }
  expect(new Set(answers)).toEqual(new Set([401]));
  program.child.kill('SIGTERM');
  await program.ended;
});

test('invalid settings and flags are reported, and nothing is opened', async () => {
  const data = join(aDirectory(), 'never');
  const wrongSettings = start(['--data', data, '--role', 'boss'], { PORT: 'x', DATABASE_URL: 'mysql://h/d' });
  expect(await wrongSettings.ended).toBe(2);
  const message = wrongSettings.lines.join('\n');
  for (const name of ['ROLE:', 'PORT:', 'DATABASE_URL:']) expect(message).toContain(name);
  const wrongFlag = start(['--prot', '1', '--data', data]);
  expect(await wrongFlag.ended).toBe(2);
  expect(wrongFlag.lines.join('\n')).toContain("'--prot'");
  expect(existsSync(data)).toBe(false);
});

const slow = contract({
  name: 'slow',
  method: 'GET',
  path: '/api/v1/test/slow',
  authentication: ['none'],
  summary: 'Answer when told',
  tag: 'Test',
  responses: { 200: json(z.object({ done: z.literal(true) })) },
});

test('a stop refuses new requests and finishes those in progress', async () => {
  let release = () => {};
  let begun = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const underWay = new Promise<void>(resolve => {
    begun = resolve;
  });
  const slowRoute = route(slow, async () => {
    begun();
    await held;
    return respond(200, { done: true });
  });
  const { url, stop } = await aBackend({ extraRoutes: [slowRoute] });
  const answered = fetch(`${url}/api/v1/test/slow`);
  await underWay;
  const stopped = stop();
  await expect.poll(() => connects(url)).toBe(false);
  release();
  expect(await (await answered).json()).toEqual({ done: true });
  await stopped;
});

const quiet = contract({
  name: 'quiet',
  method: 'GET',
  path: '/api/v1/test/quiet',
  authentication: ['none'],
  summary: 'Tell nothing',
  tag: 'Test',
  responses: { 200: eventStream({ open: z.object({}) }) },
});

test('a stop closes connections without a request and ends event streams', async () => {
  const quietRoute = route(quiet, async ({ over }) =>
    respondEvents(
      200,
      (async function* () {
        yield { event: 'open', data: {} } as const;
        await once(over, 'abort');
        return undefined;
      })(),
    ),
  );
  const { url, stop } = await aBackend({ extraRoutes: [quietRoute] });
  const { hostname, port } = new URL(url);
  for (const begun of ['', 'GET /healthz HTTP/1.1\r\nHo']) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(begun);
  }
  // The connections that fetch leaves when a call is aborted while connecting.
  await Promise.all(
    Array.from({ length: 10 }, async (_, delayMs) => {
      const signal = AbortSignal.timeout(delayMs);
      await fetch(`${url}${quiet.path}`, { signal }).catch(error => expect(error.name).toBe('TimeoutError'));
    }),
  );
  const stream = await fetch(`${url}${quiet.path}`);
  await stop();
  expect(await stream.text()).toBe('event: open\ndata: {}\n\n');
});

function connects(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const asked = request(`${url}/healthz`, { agent: false }, response => {
      response.resume();
      resolve(true);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

test('a worker serves only its probes', async () => {
  const { url } = await aBackend({ env: { ROLE: 'worker' } });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/api/v1/api-keys`)).status).toBe(404);
});

eachDatabase('a server whose database is unavailable', kind => {
  test('is healthy but not ready, with the standard error body', async () => {
    const { url, backend } = await aBackend({ database: kind });
    const { write } = backend.database;
    Object.assign(backend.database, { write: () => Promise.reject(new DatabaseUnavailable('the disk is full')) });
    onTestFinished(() => void Object.assign(backend.database, { write }));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 503, metadata: { reason: 'not_ready' } } });
  });
});
