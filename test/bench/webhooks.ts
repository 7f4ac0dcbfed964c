import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { unkeyedWrite } from '@florin/backend/idempotency/call.ts';
import { createLog } from '@florin/backend/platform/log.ts';
import { insertDelivery } from '@florin/backend/webhooks/store.ts';
import { operator } from '@florin/shared/actor.ts';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { Pool } from 'undici';
import { z } from 'zod';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { administer, startPostgres } from '../support/postgres.ts';
import { type Bench, fewRounds, inRounds, type Reading, type Scale, throughput, withinLimit } from './bar.ts';
import { type Measured, measureConcurrently, summarise } from './measure.ts';
import { inFolder, settingsFor } from './place.ts';
import { type ServerProcess, startOnCoreZero } from './processes.ts';
import { enrolTerminal, sellAt } from './sales.ts';
import { benchBusinessId, createShop } from './shop.ts';

/** Bars 4, 7 and 8: the cost of webhooks, the throughput of a backlog, and the delay of the first attempt. */
export const webhooks: Bench = {
  name: 'webhooks',
  about: 'bars 4, 7 and 8: sales with two webhooks each, draining a backlog, from the commit to the first attempt',
  async run(usual) {
    const scale = fewRounds(usual);
    return [
      ...(await inFolder(folder => salesWithWebhooks(scale, folder))),
      ...(await inFolder(folder => drainOfABacklog(scale, folder))),
      ...(await inFolder(folder => startOfAttempts(scale, folder))),
    ];
  },
};

const connections = 10;
const endpoints = 4;
const attemptsAtOnce = 64;
const limitMs = 50;

/** The number of calls that `measureConcurrently` makes. */
const withWarmUp = (times: number) => times + Math.ceil(times / 10);

type Env = Readonly<Record<string, string>>;
const baseEnv = (folder: string): Env => ({
  DATA: folder,
  SECRETS_KEY: secretsKeySetting,
  PORT: '0',
  OUTBOUND_ALLOW_LOOPBACK: 'true',
  RATE_LIMIT_PER_KEY: '1000000000',
});

/** Bar 4: the same server without webhook endpoints and with two. */
async function salesWithWebhooks(scale: Scale, folder: string): Promise<Reading[]> {
  const sink = await startSink();
  const times = scale.times(2_000);
  const shops = {
    without: await aShopOfSales(join(folder, 'without'), []),
    subscribed: await aShopOfSales(join(folder, 'subscribed'), [sink.url, sink.url]),
  };
  const lagsMs: number[] = [];
  const rounds = await inRounds(scale, async () => {
    const ceiling = await shops.without.sell(times);
    await sink.reset();
    const product = await shops.subscribed.sell(times);
    await sink.has(2 * withWarmUp(times));
    lagsMs.push(...(await sink.read()).lagsMs);
    return { product, ceiling };
  });
  await Promise.all([shops.without.stop(), shops.subscribed.stop(), sink.stop()]);
  return [
    throughput(
      {
        bar: `4 sales with 2 webhooks each, ${connections} connections`,
        goal: { sign: '≥', value: 0.7 },
        unit: 'sales/s',
      },
      rounds,
    ),
    withinLimit(
      `4 from the event to its webhook, p99, ${connections} connections`,
      summarise(lagsMs, 1).p99Ms,
      limitMs,
    ),
  ];
}

/** Bar 7: a backlog of deliveries, against undici sending the same number of requests to the same server. */
async function drainOfABacklog(scale: Scale, folder: string): Promise<Reading[]> {
  const sink = await startSink();
  const times = scale.times(10_000);
  const rounds = await inRounds(scale, async round => {
    const env = baseEnv(join(folder, `round${round}`));
    const size = await fillBacklog(env, sink.url, times);
    await sink.reset();
    const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
    await sink.has(times);
    const { elapsedMs } = await sink.read();
    await server.stop();
    const ceiling = await postsByHand(sink.url, 'x'.repeat(size), times);
    return { product: { perSecond: (times / elapsedMs) * 1000, p50Ms: 0, p99Ms: 0 }, ceiling };
  });
  await sink.stop();
  const bar = `7 webhook backlog, ${attemptsAtOnce} attempts at once ÷ bare undici`;
  return [throughput({ bar, goal: { sign: '≥', value: 0.55 }, unit: 'deliveries/s' }, rounds)];
}

/** Bar 8: one sale at a time, so that there is no queue. */
async function startOfAttempts(scale: Scale, folder: string): Promise<Reading[]> {
  const sink = await startSink();
  const times = scale.times(300);
  const postgres = await startPostgres({ durable: true });
  await administer(postgres.socketDirectory, 'CREATE DATABASE webhooks');
  const url = `postgres://postgres@localhost/webhooks?host=${encodeURIComponent(postgres.socketDirectory)}`;
  const places = [
    { name: 'one process', env: {}, roles: ['all'] },
    { name: 'two processes, one SQLite file', env: {}, roles: ['api', 'worker'] },
    { name: 'two processes, PostgreSQL', env: { DATABASE_URL: url }, roles: ['api', 'worker'] },
  ];
  const readings: Reading[] = [];
  for (const [index, { name, env, roles }] of places.entries()) {
    scale.say(name);
    const shop = await aShopOfSales(join(folder, String(index)), [sink.url], { env, roles });
    await sink.reset();
    await shop.sell(times, 1);
    await sink.has(withWarmUp(times));
    const { p50Ms, p99Ms } = summarise((await sink.read()).lagsMs, 1);
    await shop.stop();
    readings.push(withinLimit(`8 from the event to its first attempt, ${name}, p50`, p50Ms, limitMs));
    readings.push(withinLimit(`8 from the event to its first attempt, ${name}, p99`, p99Ms, limitMs));
  }
  await Promise.all([postgres.stop(), sink.stop()]);
  return readings;
}

/** A shop with a terminal and webhook endpoints for its sales, served by processes with the given roles. */
async function aShopOfSales(
  folder: string,
  urls: readonly string[],
  { env: more = {}, roles = ['all'] }: { readonly env?: Env; readonly roles?: readonly string[] } = {},
) {
  makeFolder(folder);
  const env = { ...baseEnv(folder), ...more };
  const till = await prepare(env, async backend => {
    for (const url of urls) await addEndpoint(backend, url);
    return enrolTerminal(backend, 'bench');
  });
  const servers: ServerProcess[] = [];
  for (const ROLE of roles)
    servers.push(await startOnCoreZero('server.ts', { env: { ...env, ROLE }, logFile: join(folder, 'backend.log') }));
  const pool = new Pool(servers[0]?.url ?? '', { connections, pipelining: 1 });
  let sales = 0;
  return {
    sell: (times: number, concurrency = connections): Promise<Measured> =>
      measureConcurrently({ times, concurrency }, () => {
        sales += 1;
        return sellAt(pool, till, `sale_bench${String(sales).padStart(8, '0')}`);
      }),
    async stop() {
      await pool.close();
      for (const server of servers) await server.stop();
    },
  };
}

/** Called with the shop before a process serves it. */
async function prepare<Value>(env: Env, work: (backend: Backend) => Promise<Value>): Promise<Value> {
  const log = createLog({ level: 'error' });
  const backend = await openBackend({
    settings: settingsFor({ ...env, ROLE: 'api' }),
    log,
    publicUrl: 'http://127.0.0.1',
  });
  try {
    await createShop(backend.database);
    return await work(backend);
  } finally {
    await backend.close();
  }
}

async function addEndpoint({ services, database }: Backend, url: string): Promise<string> {
  const endpoint = { url, eventType: 'terminal.sale.completed', description: null } as const;
  const made = await services.webhooks.create(benchBusinessId, endpoint, operator, unkeyedWrite(database));
  if (!made.ok) throw new Error(`no endpoint: ${made.refusal.kind}`);
  return made.value.webhook.id;
}

/** Inserts deliveries that are due, as after an outage of the endpoints; returns the size of a body. */
async function fillBacklog(env: Env, url: string, times: number): Promise<number> {
  const now = Date.now();
  const sale = { checkoutId: 'sale_bench', externalId: null, status: 'COMPLETE', amount: 500, currency: 'GBP' };
  const body = JSON.stringify({ eventType: 'terminal.sale.completed', ...sale, network: null, txIds: [] });
  await prepare(env, async backend => {
    const ids: string[] = [];
    for (let index = 0; index < endpoints; index += 1) ids.push(await addEndpoint(backend, url));
    await backend.database.write(async tx => {
      for (let index = 0; index < times; index += 1)
        await tx.run(insertDelivery, {
          id: `del_bench${String(index).padStart(8, '0')}`,
          businessId: benchBusinessId,
          webhookId: ids[index % endpoints] ?? '',
          eventId: `evt_bench${index}`,
          eventType: 'terminal.sale.completed',
          isTest: 0,
          sequence: index,
          eventNumber: index,
          body,
          status: 'pending',
          series: 1,
          attemptCount: 0,
          isUnderWay: 0,
          nextAttemptAt: now,
          createdAt: now,
          finishedAt: null,
        });
    });
  });
  return body.length;
}

async function postsByHand(url: string, body: string, times: number): Promise<Measured> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: attemptsAtOnce, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  const measured = await measureConcurrently({ times, concurrency: attemptsAtOnce }, async () => {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
  });
  await pool.close();
  return measured;
}

const statistics = z.object({ count: z.number(), elapsedMs: z.number(), lagsMs: z.array(z.number()) });

/** The merchant's server of `webhook-sink.ts`. */
async function startSink() {
  const child = fork(join(import.meta.dirname, 'webhook-sink.ts'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  async function ask(message: 'read' | 'reset'): Promise<z.infer<typeof statistics>> {
    const answer = once(child, 'message');
    child.send(message);
    return statistics.parse((await answer)[0]);
  }
  return {
    url,
    read: () => ask('read'),
    reset: () => ask('reset'),
    /** Resolves once it has received this many requests. */
    async has(count: number): Promise<void> {
      for (let waits = 0; (await ask('read')).count < count; waits += 1) {
        if (waits > 1_200) throw new Error(`the endpoint of the bench was not sent ${count} webhooks`);
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
