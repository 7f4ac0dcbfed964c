import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { Pool } from 'undici';
import { administer, startPostgres } from '../support/postgres.ts';
import { type Bench, fewRounds, inRounds, type Reading, type Scale, throughput, withinLimit } from './bar.ts';
import { type Measured, measureConcurrently, summarise } from './measure.ts';
import { inFolder } from './place.ts';
import { offCoreZero, type ServerProcess, startOnCoreZero } from './processes.ts';
import { enrolTerminal, sellAt } from './sales.ts';
import { addEndpoint, baseEnv, type Env, prepare, startSink } from './webhook-endpoint.ts';

/** Bar 4: the cost of webhooks. */
export const webhooks: Bench = {
  name: 'webhooks',
  about: 'bar 4: sales with two webhooks each',
  run: scale => inFolder(folder => offCoreZero(() => salesWithWebhooks(fewRounds(scale), folder))),
};

/** Bar 8: the delay of the first attempt. */
export const firstAttempts: Bench = {
  name: 'first-attempts',
  about: 'bar 8: from the event to the first attempt of its webhook',
  run: scale => inFolder(folder => startOfAttempts(scale, folder)),
};

const connections = 10;
const limitMs = 50;

/** The number of calls that `measureConcurrently` makes. */
const withWarmUp = (times: number) => times + Math.ceil(times / 10);

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
    scale.print(name);
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
