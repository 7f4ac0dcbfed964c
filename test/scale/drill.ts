import { readFileSync } from 'node:fs';
import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { Cluster } from '../crash/cluster.ts';
import { make, type Operation } from '../crash/operations.ts';
import type { BackendProcess } from '../crash/process.ts';
import { type DatabaseRecords, postgresReader } from '../crash/records.ts';
import { pause, until } from '../crash/until.ts';
import { clientOf } from '../support/client.ts';
import { hasPgBouncer, pooledUrl, startPgBouncer } from '../support/pgbouncer.ts';
import { administer, startPostgres } from '../support/postgres.ts';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.ts';
import { type Market, nothingSeen, type Seen, trade } from './customers.ts';
import { startProxy } from './proxy.ts';
import { startRelay } from './relay.ts';

export type DrillOptions = {
  /** How long the customers trade with one, two and three processes, and on each side of the failover. */
  readonly phaseMs: number;
  readonly customers: number;
  readonly atTheEnd: (end: () => Promise<void> | void) => void;
};

export type Figures = {
  readonly isPooled: boolean;
  readonly operations: number;
  /** Answered operations per second with one, two and three processes that serve. */
  readonly perSecond: readonly number[];
  /** Processor time of the processes that serve, in milliseconds for each answer. */
  readonly processorMs: readonly number[];
  /** From the kill to the end of the promotion, and to the first answer after it, in milliseconds. */
  readonly promotedAfterMs: number;
  readonly answeredAfterMs: number;
  readonly failures: ReadonlyMap<string, number>;
  /** Payments and refunds whose outcome was not known when the last customer had an answer. */
  readonly unknown: number;
  readonly webhooks: {
    readonly events: number;
    readonly received: number;
    readonly lost: number;
    readonly unexpected: number;
  };
  /** Differences between the service's records, the gateway's ledger and the answers. */
  readonly violations: readonly string[];
};

const roles = ['api', 'api', 'api', 'worker', 'worker'] as const;
const serving = 3;
const database = 'scale';
const settledPayments = 12;
const rounds = 4;

/** The service as it runs for many shops: processes behind a proxy, PgBouncer, PostgreSQL and its synchronous standby. */
async function startService(atTheEnd: DrillOptions['atTheEnd']) {
  const postgres = await startPostgres({ durable: true, standby: true });
  atTheEnd(() => postgres.stop());
  await administer(postgres.socketDirectory, `CREATE DATABASE ${database}`);
  const relay = await startRelay(postgres.socketDirectory);
  atTheEnd(() => relay.close());
  const pooler = hasPgBouncer ? await startPgBouncer(postgres.socketDirectory, { sessions: 20 }) : undefined;
  if (pooler) atTheEnd(() => pooler.stop());
  const direct = relay.url(database);
  const env = pooler
    ? { DATABASE_URL: pooledUrl(pooler.directory, database), DATABASE_DIRECT_URL: direct }
    : { DATABASE_URL: direct };
  const proxy = await startProxy();
  atTheEnd(() => proxy.close());
  const cluster = await Cluster.start({
    place: { env, reader: postgresReader(direct), remove: async () => undefined },
    processes: roles.length,
    roles,
    env: {
      OUTBOUND_ALLOW_LOOPBACK: 'true',
      WEBHOOK_RETRY_SECONDS: '1,1,2,2',
      // The gateway shares a busy machine with everything else.
      GATEWAY_TIMEOUT_SECONDS: '5',
      POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: '8000',
    },
    atTheEnd,
  });
  const apis = cluster.processes.slice(0, serving);
  proxy.targets = apis.map(({ url }) => url);
  cluster.tap.serviceUrl = proxy.url;
  return {
    cluster,
    proxy,
    apis,
    isPooled: pooler !== undefined,
    /** Kills the primary, and leads everybody to the standby once it has taken over. */
    async failOver() {
      const killedAtMs = performance.now();
      await postgres.failOver();
      const promotedAtMs = performance.now();
      const standby = postgres.standbyDirectory ?? '';
      relay.leadTo(standby);
      pooler?.leadTo(standby);
      return { killedAtMs, promotedAtMs };
    },
  };
}

/** Measures with one, two and three processes, lets the standby take over under load, and compares everybody's records. */
export async function scaleDrill({ phaseMs, customers, atTheEnd }: DrillOptions): Promise<Figures> {
  const { cluster, proxy, apis, isPooled, failOver } = await startService(atTheEnd);
  const { shop } = cluster;
  const inbox = await startWebhookServer();
  atTheEnd(() => inbox.close());
  for (const eventType of ['payment.created', 'payment.completed'] as const)
    await clientOf(proxy.url).call(createWebhook, { body: { url: inbox.url, eventType } }, { key: shop.apiKey });
  const settled = await cluster.linkPayments(settledPayments, 2_000);
  const market: Market = { url: proxy.url, tokenUrl: cluster.sandbox.tokenUrl, shop, settled };

  // Not measured: new processes compile their code first.
  const { seen: warmUp } = await tradeFor(phaseMs, market, customers);
  const all: Operation[] = [...warmUp.operations];
  const measured = apis.map(() => ({ answers: 0, usedMs: 0 }));
  // In turn, because what else the machine does changes with time.
  for (let round = 0; round < rounds; round += 1)
    for (const [index, sums] of measured.entries()) {
      proxy.targets = apis.slice(0, index + 1).map(({ url }) => url);
      const before = processorMsOf(apis);
      const { seen } = await tradeFor(phaseMs / rounds, market, customers);
      sums.usedMs += processorMsOf(apis) - before;
      sums.answers += seen.answeredAtMs.length;
      all.push(...seen.operations);
    }
  const { seen, during } = await tradeFor(2 * phaseMs, market, customers, () => pause(phaseMs).then(failOver));
  all.push(...seen.operations);
  const { killedAtMs, promotedAtMs } = during;
  const unknown = await cluster.reader.pending();
  await cluster.everyOutcomeIsKnown();
  // Each key once more: a repetition is answered with the same record.
  for (const operation of all) if (operation.isKeyed) await make(operation, proxy.url);
  return {
    isPooled,
    operations: all.length,
    perSecond: measured.map(({ answers }) => (answers / phaseMs) * 1_000),
    processorMs: measured.map(({ answers, usedMs }) => usedMs / answers),
    promotedAfterMs: promotedAtMs - killedAtMs,
    answeredAfterMs: Math.min(...seen.answeredAtMs.filter(at => at > promotedAtMs)) - killedAtMs,
    failures: seen.failures,
    unknown,
    webhooks: await webhooksOf(cluster, inbox),
    violations: await cluster.violations(all),
  };
}

/** The processor time that these processes have used, in milliseconds: the kernel counts it in hundredths of a second. */
function processorMsOf(processes: readonly BackendProcess[]): number {
  const tickMs = 10;
  return processes.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * tickMs;
  }, 0);
}

/** Lets the customers trade for this long, while something happens; each ends with an answer. */
async function tradeFor<Value = undefined>(
  ms: number,
  market: Market,
  customers: number,
  happening: () => Promise<Value> = async () => undefined as Value,
): Promise<{ seen: Seen; during: Value }> {
  const seen = nothingSeen();
  const until = performance.now() + ms;
  const [during] = await Promise.all([happening(), trade(market, customers, () => performance.now() > until, seen)]);
  return { seen, during };
}

/** Compares what the endpoint received, each delivery counted once, with the payments on links. */
async function webhooksOf(cluster: Cluster, inbox: WebhookServer): Promise<Figures['webhooks']> {
  const received = () => inbox.received.map(({ headers }) => String(headers['x-webhook-delivery']));
  const expected = ({ payments, events }: DatabaseRecords) => {
    const onLinks = new Set(payments.filter(({ paymentLinkId }) => paymentLinkId !== null).map(({ id }) => id));
    const types = ['payment.started', 'payment.approved'];
    return events.filter(({ type, subjectId }) => types.includes(type) && onLinks.has(subjectId));
  };
  await until('every webhook is delivered', async () => {
    const records = await cluster.records();
    const { webhookDeliveries: all } = records;
    return all.length >= expected(records).length && all.every(({ status }) => status !== 'pending');
  });
  const records = await cluster.records();
  const events = new Set(expected(records).map(({ id }) => id));
  const arrived = new Set(received());
  const delivered = records.webhookDeliveries.filter(({ id }) => arrived.has(id)).map(({ eventId }) => eventId);
  const known = new Set(records.webhookDeliveries.map(({ id }) => id));
  return {
    events: events.size,
    received: inbox.received.length,
    lost: [...events].filter(id => !delivered.includes(id)).length,
    unexpected: [...arrived].filter(id => !known.has(id)).length + (delivered.length - new Set(delivered).size),
  };
}
