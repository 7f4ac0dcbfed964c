import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/platform/log.ts';
import { startLightningNodeSandbox } from '@florin/backend/sandbox/lightning-node/server.ts';
import { startRatesSandbox } from '@florin/backend/sandbox/rates/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { cancelCheckout, createCheckout, followCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import SqliteConnection from 'better-sqlite3';
import { request } from 'undici';
import { z } from 'zod';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { type Bench, fewRounds, inRounds, middle, type Reading, type Scale, throughput } from './bar.ts';
import { load } from './load.ts';
import { type Measured, measure } from './measure.ts';
import { inFolder, settingsFor } from './place.ts';
import { onCoreZero, type ServerProcess, startOnCoreZero } from './processes.ts';
import { benchBusinessId, createShop } from './shop.ts';

const connections = 10;

/** Bars 9 and 14, and checkouts made per second. */
export const checkouts: Bench = {
  name: 'checkouts',
  about: 'bars 9 and 14: 10,000 streams of a checkout, the scripts of the pages of payers; checkouts made per second',
  run: scale => inFolder(folder => measureCheckouts(fewRounds(scale), folder)),
};

async function measureCheckouts(scale: Scale, folder: string): Promise<Reading[]> {
  const [rates, node] = await Promise.all([startRatesSandbox(), startLightningNodeSandbox({ file: ':memory:' })]);
  const env = {
    DATA: join(folder, 'shop'),
    SECRETS_KEY: secretsKeySetting,
    PORT: '0',
    RATE_SOURCES: Object.entries(rates.urls)
      .map(([kind, url]) => `${kind}=${url}`)
      .join(','),
    BITCOIN_NODE_ALLOW_PRIVATE: 'true',
    MAX_CONNECTIONS: '20000',
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_ADDRESS: '1000000000',
    RATE_LIMIT_PAGES: '1000000000',
  };
  const shop = await prepare(env, async backend => {
    await createShop(backend.database);
    const config = { url: node.url, certificate: node.certificate };
    const settings = { adapter: 'lnd', config, secrets: { macaroon: node.macaroons.admin } };
    const set = await backend.services.bitcoinBackends.set(benchBusinessId, settings, operator);
    const permissions = ['take-payments:write', 'take-payments:read'] as const;
    const given = { name: 'bench', preset: 'CUSTOM' as const, permissions: [...permissions], expiresAt: null };
    const key = await backend.services.apiKeys.create(benchBusinessId, given, operator);
    if (!set.ok || !key.ok) throw new Error('the shop could not be prepared');
    return { apiKey: key.value.secret };
  });
  const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
  const readings = [
    ...(await madePerSecond(scale, { folder, server, ...shop, env })),
    ...(await manyStreams(scale, { folder, env, ...shop })),
    ...(await scripts(server, shop)),
  ];
  await server.stop();
  await Promise.all([rates.close(), node.close()]);
  return readings;
}

async function prepare<Value>(
  env: Readonly<Record<string, string>>,
  work: (backend: Backend) => Promise<Value>,
): Promise<Value> {
  const log = createLog({ level: 'error' });
  const backend = await openBackend({ settings: settingsFor(env), log, publicUrl: 'http://127.0.0.1' });
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

type Shop = { readonly apiKey: string };

const made = z.object({ id: z.string(), url: z.string() });

async function post(server: ServerProcess, path: string, { apiKey }: Shop, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const answer = await request(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  return text;
}

const order = { amount: 1_000, currency: 'GBP', orderId: 'order-7' };

/** Over HTTP against the same row inserted by hand, one for each commit. */
async function madePerSecond(
  scale: Scale,
  { server, apiKey, folder, env }: Shop & { server: ServerProcess; folder: string; env: Record<string, string> },
): Promise<Reading[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const call = { path: createCheckout.path, headers, body: JSON.stringify(order) };
  const times = scale.times(4_000);
  const rounds = await inRounds(scale, async round => {
    const check = (status: number, text: string) => {
      if (status !== 201) throw new Error(`a checkout was answered ${status}: ${text}`);
    };
    const product = await load({ url: server.url, connections, times, call: () => call, check });
    const place = { ...env, DATA: join(folder, `hand${round}`) };
    await prepare(place, async () => undefined);
    return { product, ceiling: await onCoreZero(() => rowsByHand(env.DATA ?? '', place.DATA, times)) };
  });
  const bar = `checkouts made, ${connections} connections ÷ the same row by hand`;
  return [throughput({ bar, goal: { sign: '≥', value: 0.3 }, unit: 'checkouts/s' }, rounds)];
}

function rowsByHand(from: string, to: string, times: number): Measured {
  const made = new SqliteConnection(join(from, 'backend.db'), { readonly: true });
  const row = made.prepare<[], Record<string, unknown>>('SELECT * FROM checkouts LIMIT 1').get() ?? {};
  made.close();
  const db = new SqliteConnection(join(to, 'backend.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const names = Object.keys(row);
  const columns = names.map(name => `"${name}"`).join();
  const insert = db.prepare(`INSERT INTO checkouts (${columns}) VALUES (${names.map(() => '?').join()})`);
  const ownOf = (index: number): Record<string, unknown> => ({ ...row, id: `chk_${index}`, invoiceId: `bin_${index}` });
  const measured = measure(times, index => {
    const own = ownOf(index);
    insert.run(...names.map(name => own[name]));
  });
  db.close();
  return measured;
}

/** Bar 9: what each stream takes, and how long until the last of them has heard. */
async function manyStreams(
  scale: Scale,
  { folder, env, ...shop }: Shop & { folder: string; env: Record<string, string> },
): Promise<Reading[]> {
  const count = scale.times(10_000);
  const rounds = await inRounds(scale, async () => {
    const product = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'streams.log') });
    const checkout = made.parse(JSON.parse(await post(product, createCheckout.path, shop, order)));
    const cancel = cancelCheckout.path.replace('{id}', checkout.id);
    const florin = await streams(product, `${followCheckout.path}?checkoutId=${checkout.id}`, count, () =>
      post(product, cancel, shop, {}),
    );
    await product.stop();
    const bare = await startOnCoreZero('bare-streams.ts', { env: {}, logFile: join(folder, 'bare.log') });
    const text = `id: 1\nevent: checkout-status-changed\ndata: ${JSON.stringify(checkout)}\n\n`;
    const ceiling = await streams(bare, '/', count, () => request(bare.url, { method: 'POST', body: text }));
    await bare.stop();
    return { florin, ceiling };
  });
  const reading = (bar: string, goal: number, unit: string, of: (one: Streams) => number): Reading => ({
    bar,
    goal: { sign: '≤', value: goal },
    ratio: middle(rounds.map(({ florin, ceiling }) => of(florin) / of(ceiling))),
    measured: `${middle(rounds.map(({ florin }) => of(florin))).toFixed(1)} ${unit}`,
    ceiling: `${middle(rounds.map(({ ceiling }) => of(ceiling))).toFixed(1)} ${unit}`,
  });
  return [
    reading(`9 ${count} streams of a checkout: memory of each`, 1.5, 'kB', ({ eachKb }) => eachKb),
    reading(`9 ${count} streams of a checkout: a change, to the last`, 1.3, 'ms', ({ toLastMs }) => toLastMs),
  ];
}

type Streams = { readonly eachKb: number; readonly toLastMs: number };

/** Opens `count` streams, and lets `change` be told on all of them. */
async function streams(
  server: ServerProcess,
  path: string,
  count: number,
  change: () => Promise<unknown>,
): Promise<Streams> {
  const before = await server.residentMb();
  const open: { readonly close: () => void; readonly changed: Promise<void> }[] = [];
  while (open.length < count) {
    const some = Array.from({ length: Math.min(200, count - open.length) }, () => openStream(server.url + path));
    open.push(...(await Promise.all(some)));
  }
  const eachKb = (((await server.residentMb()) - before) * 1024) / count;
  const beganAt = performance.now();
  await Promise.all([change(), ...open.map(({ changed }) => changed)]);
  const toLastMs = performance.now() - beganAt;
  for (const { close } of open) close();
  return { eachKb, toLastMs };
}

/** Resolves once the first event has arrived. */
async function openStream(url: string) {
  const asked = get(url, { agent: false, headers: { accept: 'text/event-stream' } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`);
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  let isOpen = false;
  const opened = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  response.on('data', (text: string) => {
    if (text.includes('checkout-status-changed')) changed.resolve();
    else if (!isOpen && text.includes('event: open')) {
      isOpen = true;
      opened.resolve();
    }
  });
  await opened.promise;
  return { close: () => asked.destroy(), changed: changed.promise };
}

/** Bar 14: what a customer's browser loads of us before it can work with the page. */
async function scripts(server: ServerProcess, shop: Shop): Promise<Reading[]> {
  const link = { description: 'Invoice 7', amountInCents: 1_000, currency: 'GBP' };
  const pages = [
    {
      name: 'checkout',
      limitKb: 60,
      url: made.parse(JSON.parse(await post(server, createCheckout.path, shop, order))),
    },
    { name: 'link', limitKb: 100, url: made.parse(JSON.parse(await post(server, createPaymentLink.path, shop, link))) },
  ];
  return Promise.all(
    pages.map(async ({ name, limitKb, url: { url } }) => {
      const html = await textOf(server.url + new URL(url).pathname);
      const own = [...html.matchAll(/<script[^>]+src="(\/[^"]+)"/g)].map(([, path = '']) => server.url + path);
      if (own.length === 0) throw new Error(`the page of a ${name} has no script`);
      const bodies = await Promise.all(own.map(textOf));
      const kb = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_000;
      return {
        bar: `14 scripts of the page of a ${name}, gzip`,
        goal: { sign: '≤', value: 1 },
        ratio: kb / limitKb,
        measured: `${kb.toFixed(1)} kB`,
        ceiling: `${limitKb} kB`,
      } as const;
    }),
  );
}

async function textOf(url: string): Promise<string> {
  const { statusCode, body } = await request(url);
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}`);
  return text;
}
