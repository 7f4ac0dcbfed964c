import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { operator } from '@florin/shared/actor.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { followCommands } from '@florin/shared/contracts/device-v1/commands.ts';
import { Pool } from 'undici';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { type Bench, type Reading, type Scale, withinLimit } from './bar.ts';
import { measureConcurrently, summarise } from './measure.ts';
import { inFolder, settingsFor } from './place.ts';
import { startOnCoreZero } from './processes.ts';
import { processorTimes, returnAtOnce } from './returning-terminals.ts';
import { type EnrolledTerminal, enrolTerminal, sellAt } from './sales.ts';
import { benchBusinessId, createShop } from './shop.ts';

const terminals = 1_000;
/** How many return at one moment. */
const returning = [200, 2_000];
const enrolments = Math.max(terminals, ...returning);
const limitMs = 300;

/** A thousand terminals waiting for commands from one backend. */
export const thousandTerminals: Bench = {
  name: 'terminals',
  about:
    '1,000 terminals at one backend: memory of their streams, from the API call to the command while sales run, and 2,000 that return',
  run: scale => inFolder(folder => measureTerminals(scale, folder)),
};

async function measureTerminals(scale: Scale, folder: string): Promise<Reading[]> {
  const env = {
    DATA: folder,
    SECRETS_KEY: secretsKeySetting,
    PORT: '0',
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_ADDRESS: '1000000000',
    // A terminal that returns has two connections.
    MAX_CONNECTIONS: String(4 * enrolments),
  };
  scale.print(`enrolling ${enrolments} terminals`);
  const shop = await prepare(env);
  const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
  const idle = shop.enrolled.slice(0, terminals);
  const [till] = shop.enrolled.slice(enrolments);
  if (!till) throw new Error('the shop has no till');
  const pool = new Pool(server.url, { connections: 20, pipelining: 1 });
  const start = (serial: string) => startSale(pool, shop.apiKey, serial);
  const before = await server.residentMb();
  scale.print('opening their streams');
  const openedAt = performance.now();
  const streams = await openStreams(server.url, idle);
  const openMs = performance.now() - openedAt;
  const eachKb = (((await server.residentMb()) - before) * 1024) / terminals;

  scale.print('one command at a time, while sales are taken');
  let isOver = false;
  let sales = 0;
  const selling = measureConcurrently({ times: 1, concurrency: 4 }, async () => {
    while (!isOver) {
      sales += 1;
      await sellAt(pool, till, `sale_bench${String(sales).padStart(8, '0')}`);
    }
  });
  const half = terminals / 2;
  const times = scale.times(half);
  const sequential: number[] = [];
  for (const { serial } of idle.slice(0, times)) sequential.push(await streams.received(serial, start));
  isOver = true;
  await selling;

  scale.print('commands to all the others at once');
  const others = idle.slice(half);
  const beganAt = performance.now();
  const atOnce = await Promise.all(others.map(({ serial }) => streams.received(serial, start)));
  const allMs = performance.now() - beganAt;
  streams.close();
  const returned: Reading[] = [];
  for (const count of returning) {
    scale.print(`${count} terminals return at one moment`);
    returned.push(await returnAtOnce(server.url, shop.enrolled.slice(0, count)));
  }
  scale.print('processor times');
  const sell = (index: number) => sellAt(pool, till, `sale_benchcpu${String(index).padStart(8, '0')}`);
  const costs = await processorTimes(server, till, { times: scale.times(2_000), sell });
  await pool.close();
  await server.stop();
  const [one, all] = [summarise(sequential, 1), summarise(atOnce, 1)];
  return [
    withinLimit('from the API call to the command at its terminal, p50', one.p50Ms, limitMs),
    withinLimit('from the API call to the command at its terminal, p99', one.p99Ms, limitMs),
    withoutGoal(
      `  the same, ${others.length} at once, the last`,
      allMs / limitMs,
      `${allMs.toFixed(0)} ms`,
      `p50 ${all.p50Ms.toFixed(0)} ms`,
    ),
    withoutGoal(`  memory of an idle terminal's stream`, eachKb / 31.5, `${eachKb.toFixed(1)} kB`, '31.5 kB'),
    withoutGoal(`  ${terminals} streams opened`, openMs / 1_000, `${openMs.toFixed(0)} ms`, '1 ms each'),
    ...returned,
    ...costs,
  ];
}

function withoutGoal(bar: string, ratio: number, measured: string, ceiling: string): Reading {
  return { bar, goal: undefined, ratio, measured, ceiling };
}

async function prepare(env: Readonly<Record<string, string>>) {
  const log = createLog({ level: 'error' });
  const backend = await openBackend({ settings: settingsFor(env), log, publicUrl: 'http://127.0.0.1' });
  try {
    await createShop(backend.database);
    const serials = Array.from({ length: enrolments + 1 }, (_, index) => `bench-${index}`);
    const enrolled = await Promise.all(serials.map(serial => enrolTerminal(backend, serial)));
    const key = await backend.services.apiKeys.create(
      benchBusinessId,
      { name: 'bench', preset: 'CUSTOM', permissions: ['terminal-sales:write'], expiresAt: null },
      operator,
    );
    if (!key.ok) throw new Error('no API key');
    return { enrolled, apiKey: key.value.secret };
  } finally {
    await backend.close();
  }
}

async function startSale(pool: Pool, apiKey: string, serial: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const body = JSON.stringify({ serial, amountInCents: 500, currency: 'GBP' });
  const answer = await pool.request({ method: 'POST', path: startTerminalSale.path, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`a sale was not started: ${answer.statusCode} ${text}`);
}

/** The command streams of the terminals, each on its own connection. */
async function openStreams(url: string, idle: readonly EnrolledTerminal[]) {
  const waiting = new Map<string, () => void>();
  const requests = idle.map(({ serial, token }) => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    const request = get(`${url}${followCommands.path}`, { agent: false, headers });
    const opened = once(request, 'response').then(([response]: IncomingMessage[]) => {
      if (response?.statusCode !== 200) throw new Error(`a stream was answered ${response?.statusCode}`);
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (text.includes('start_sale')) waiting.get(serial)?.();
      });
      response.on('error', () => undefined);
    });
    return { request, opened };
  });
  await Promise.all(requests.map(({ opened }) => opened));
  return {
    /** Measures the time from requesting a sale until its terminal has the command. */
    async received(serial: string, start: (serial: string) => Promise<void>): Promise<number> {
      const beganAt = performance.now();
      const command = new Promise<number>(resolve => {
        waiting.set(serial, () => resolve(performance.now() - beganAt));
      });
      const [tookMs] = await Promise.all([command, start(serial)]);
      return tookMs;
    },
    close() {
      for (const { request } of requests) request.destroy();
    },
  };
}
