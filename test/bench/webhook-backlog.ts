import { join } from 'node:path';
import { insertDelivery } from '@florin/backend/messaging/webhooks/store.ts';
import SqliteConnection from 'better-sqlite3';
import { Pool } from 'undici';
import { type Bench, fewRounds, inRounds, type Reading, type Scale, throughput } from './bar.ts';
import { type Measured, perSecondOf } from './measure.ts';
import { inFolder } from './place.ts';
import { offCoreZero, onCoreZero, startOnCoreZero } from './processes.ts';
import { benchBusinessId } from './shop.ts';
import { addEndpoint, baseEnv, type Env, prepare, startSink } from './webhook-endpoint.ts';

/** Bar 7: a backlog of deliveries, against undici sending as many requests as large to the same server. */
export const webhookBacklog: Bench = {
  name: 'webhook-backlog',
  about: 'bar 7: draining a backlog of webhooks, each attempt and its outcome recorded',
  run: scale => inFolder(folder => offCoreZero(() => drainOfABacklog(fewRounds(scale), folder))),
};

const endpoints = 4;
const attemptsAtOnce = 64;

/** Product and ceiling send from core 0 and are timed by the endpoint, from the end of a warm-up to the last request. */
async function drainOfABacklog(scale: Scale, folder: string): Promise<Reading[]> {
  const sink = await startSink();
  const times = scale.times(30_000);
  const warmUp = times / 5;
  const count = times + warmUp;
  async function timed(send: () => Promise<void>): Promise<Measured> {
    await sink.reset(warmUp);
    await send();
    return perSecondOf(times, (await sink.read()).elapsedMs);
  }
  const rounds = await inRounds(scale, async round => {
    const env = baseEnv(join(folder, `round${round}`));
    const body = await fillBacklog(env, sink.url, count);
    const product = await timed(async () => {
      const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
      await sink.has(count);
      await server.stop();
    });
    checkDelivered(env, count);
    const ceiling = await timed(() => onCoreZero(() => postByHand(sink.url, body, count)));
    return { product, ceiling };
  });
  await sink.stop();
  const bar = `7 webhook backlog, ${attemptsAtOnce} attempts at once ÷ bare undici`;
  return [throughput({ bar, goal: { sign: '≥', value: 0.55 }, unit: 'deliveries/s' }, rounds)];
}

/** Inserts deliveries that are due, as after an outage of the endpoints; returns what each of them sends. */
async function fillBacklog(env: Env, url: string, count: number): Promise<string> {
  const now = Date.now();
  const sale = { checkoutId: 'sale_bench', externalId: null, status: 'COMPLETE', amount: 500, currency: 'GBP' };
  const body = JSON.stringify({ eventType: 'terminal.sale.completed', ...sale, network: null, txIds: [] });
  await prepare(env, async backend => {
    const ids: string[] = [];
    for (let index = 0; index < endpoints; index += 1) ids.push(await addEndpoint(backend, url));
    await backend.database.write(async tx => {
      for (let index = 0; index < count; index += 1)
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
          attemptStartedAt: null,
          nextAttemptAt: now,
          createdAt: now,
          finishedAt: null,
          trace: null,
        });
    });
  });
  return body;
}

/** Throws unless each was delivered by one attempt. */
function checkDelivered(env: Env, count: number): void {
  const db = new SqliteConnection(join(env.DATA ?? '', 'backend.db'), { readonly: true });
  const countOf = (sql: string) => db.prepare<[], number>(sql).pluck().get();
  const found = {
    delivered: countOf(`SELECT count(*) FROM "webhookDeliveries" WHERE status = 'delivered' AND "attemptCount" = 1`),
    attempts: countOf(`SELECT count(*) FROM "webhookAttempts" WHERE outcome = 'delivered'`),
  };
  db.close();
  if (found.delivered !== count || found.attempts !== count)
    throw new Error(`of ${count} webhooks the database has ${JSON.stringify(found)}`);
}

async function postByHand(url: string, body: string, count: number): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: attemptsAtOnce, pipelining: 1 });
  // As long as those of a delivery.
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-webhook-signature': `t=1790000000,v1=${'0'.repeat(64)}`,
    'X-Webhook-Timestamp': '1790000000',
    'X-Webhook-Event': 'terminal.sale.completed',
    'X-Webhook-Delivery': 'del_bench00000000',
    'X-Webhook-Attempt': '1',
    'X-Webhook-Sequence': '10000',
    'X-Webhook-Event-Number': '10000',
  };
  let left = count;
  async function caller(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: 'POST', path, headers, body });
      await answer.body.dump();
    }
  }
  await Promise.all(Array.from({ length: attemptsAtOnce }, caller));
  await pool.close();
}
