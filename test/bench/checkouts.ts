import { createConnection } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startLightningNodeSandbox } from '@florin/backend/programs/sandbox/lightning-node/server.ts';
import { startRatesSandbox } from '@florin/backend/programs/sandbox/rates/server.ts';
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
import { offCoreZero, onCoreZero, type ServerProcess, startOnCoreZero } from './processes.ts';
import { benchBusinessId, createShop } from './shop.ts';

const connections = 10;

/** Bars 9 and 14, and checkouts made per second. */
export const checkouts: Bench = {
  name: 'checkouts',
  about: 'bars 9 and 14: 10,000 streams of a checkout, the scripts of the pages of payers; checkouts made per second',
  run: scale => inFolder(folder => offCoreZero(() => measureCheckouts(fewRounds(scale), folder))),
};

async function measureCheckouts(scale: Scale, folder: string): Promise<Reading[]> {
  const [rates, node] = await Promise.all([startRatesSandbox(), startLightningNodeSandbox({ file: ':memory:' })]);
  const env = {
    SECRETS_KEY: secretsKeySetting,
    PORT: '0',
    RATE_SOURCES: Object.entries(rates.urls)
      .map(([kind, url]) => `${kind}=${url}`)
      .join(','),
    BITCOIN_NODE_ALLOW_PRIVATE: 'true',
    MAX_CONNECTIONS: '20000',
    MAX_STREAMS_PER_RECORD: '20000',
    MAX_STREAMS_PER_ADDRESS: '20000',
    MAX_STREAMS_WITHOUT_KEY: '20000',
    SOCKET_TIMEOUT_SECONDS: String(socketTimeoutMs / 1_000),
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_ADDRESS: '1000000000',
    RATE_LIMIT_PAGES: '1000000000',
  };
  const place = async (name: string): Promise<Place> => {
    const own = { ...env, DATA: join(folder, name) };
    return { env: own, folder, apiKey: await prepare(own, backend => seedRecords(backend, node)) };
  };
  const readings = [
    ...(await madePerSecond(scale, await place('made'))),
    ...(await manyStreams(scale, await place('streams'))),
  ];
  await Promise.all([rates.close(), node.close()]);
  return readings;
}

/** A shop on a database of its own, and the API key of its business. */
type Place = { readonly env: Readonly<Record<string, string>>; readonly folder: string; readonly apiKey: string };

/** Creates a business that takes bitcoin; returns an API key of it. */
async function seedRecords(
  backend: Backend,
  node: Awaited<ReturnType<typeof startLightningNodeSandbox>>,
): Promise<string> {
  await createShop(backend.database);
  const config = { url: node.url, certificate: node.certificate };
  const settings = { adapter: 'lnd', config, secrets: { macaroon: node.macaroons.admin } };
  const set = await backend.services.bitcoinBackends.set(benchBusinessId, settings, operator);
  const permissions = ['take-payments:write', 'take-payments:read'] as const;
  const given = { name: 'bench', preset: 'CUSTOM' as const, permissions: [...permissions], expiresAt: null };
  const key = await backend.services.apiKeys.create(benchBusinessId, given, operator);
  if (!set.ok || !key.ok) throw new Error('the shop could not be prepared');
  return key.value.secret;
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

const made = z.object({ id: z.string(), url: z.string(), endedAt: z.string().nullish() });

async function post(server: ServerProcess, path: string, { apiKey }: Place, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const answer = await request(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  return text;
}

const order = { amount: 1_000, currency: 'GBP', orderId: 'order-7' };

/** Checkouts created over HTTP against the same row inserted by hand, one per commit; and bar 14, on the same server. */
async function madePerSecond(scale: Scale, place: Place): Promise<Reading[]> {
  const { env, folder, apiKey } = place;
  const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const call = { path: createCheckout.path, headers, body: JSON.stringify(order) };
  const times = scale.times(4_000);
  const check = (status: number, text: string) => {
    if (status !== 201) throw new Error(`a checkout was answered ${status}: ${text}`);
  };
  const rounds = await inRounds(scale, async round => {
    const product = await load({ url: server.url, connections, times, call: () => call, check });
    const hand = { ...env, DATA: join(folder, `hand${round}`) };
    await prepare(hand, async () => undefined);
    return { product, ceiling: await onCoreZero(() => rowsByHand(env.DATA ?? '', hand.DATA, times)) };
  });
  const bar = `checkouts made, ${connections} connections ÷ the same row by hand`;
  const readings = [
    throughput({ bar, goal: { sign: '≥', value: 0.3 }, unit: 'checkouts/s' }, rounds),
    ...(await scripts(server, place)),
  ];
  await server.stop();
  return readings;
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

const socketTimeoutMs = 120_000;

/** Bar 9: the memory of each stream, and the time until a change has reached the last of them. */
async function manyStreams(scale: Scale, place: Place): Promise<Reading[]> {
  const { env, folder } = place;
  const count = scale.times(10_000);
  const rounds = await inRounds(scale, async () => {
    const product = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'streams.log') });
    const checkout = made.parse(JSON.parse(await post(product, createCheckout.path, place, order)));
    const cancel = cancelCheckout.path.replace('{id}', checkout.id);
    const path = `${followCheckout.path}?checkoutId=${checkout.id}`;
    const florin = await streams(product, path, count, async () => {
      const { endedAt } = made.parse(JSON.parse(await post(product, cancel, place, {})));
      return Date.parse(endedAt ?? '');
    });
    await product.stop();
    const { headers, opening, change } = florin.received;
    const same = { headers: headers.flat(), opening, socketTimeoutMs };
    const logFile = join(folder, 'bare.log');
    const bare = await startOnCoreZero('bare-streams.ts', { env: { STREAMS: JSON.stringify(same) }, logFile });
    const ceiling = await streams(bare, '/', count, async () => {
      const askedAt = Date.now();
      await request(bare.url, { method: 'POST', body: change });
      return askedAt;
    });
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

/** What a server sent on a stream: its own headers, the first event and the change. */
type StreamParts = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly opening: string;
  readonly change: string;
};
type Streams = { readonly eachKb: number; readonly toLastMs: number; readonly received: StreamParts };

const atOnce = 200;

/** Opens `count` streams and makes a change that is sent on all of them; `change` returns when it was made. */
async function streams(
  server: ServerProcess,
  path: string,
  count: number,
  change: () => Promise<number>,
): Promise<Streams> {
  const openSome = (number: number) => Promise.all(Array.from({ length: number }, () => openStream(server.url + path)));
  // The first streams compile and allocate what all later ones share.
  for (const { close } of await openSome(atOnce)) close();
  const before = await server.residentMb();
  const open: Awaited<ReturnType<typeof openSome>> = [];
  while (open.length < count) open.push(...(await openSome(Math.min(atOnce, count - open.length))));
  const eachKb = (((await server.residentMb()) - before) * 1024) / count;
  const lastAt = Promise.all(open.map(({ changed }) => changed)).then(() => Date.now());
  const [changedAt, arrivedAt] = await Promise.all([change(), lastAt]);
  for (const { close } of open) close();
  return { eachKb, toLastMs: arrivedAt - changedAt, received: partsOf((await open[0]?.changed) ?? '') };
}

/** Opens a stream on a bare socket, which costs little compared with the server; resolves with its first event. */
async function openStream(url: string) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.setEncoding('utf8');
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`);
  const opened = Promise.withResolvers<string>();
  const changed = Promise.withResolvers<string>();
  socket.on('error', opened.reject);
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
    if (received.includes('event: checkout-status-changed')) changed.resolve(received);
    else if (received.includes('event: open')) opened.resolve(received);
    else if (!received.startsWith('HTTP/1.1 200')) opened.reject(new Error(`a stream was answered ${received}`));
  });
  await opened.promise;
  return { close: () => socket.destroy(), changed: changed.promise };
}

/** Returns the headers, without those that Node.js adds itself, and the events of a stream that has ended. */
function partsOf(received: string): StreamParts {
  const [head = '', body = ''] = received.split('\r\n\r\n', 2);
  const [, ...lines] = head.split('\r\n');
  const own = lines.filter(line => !/^(date|connection|keep-alive|transfer-encoding):/i.test(line));
  const [opening = '', change = ''] = body.match(/(?:id: .*\n)?event: .*\ndata: .*\n\n/g) ?? [];
  return { headers: own.map(line => line.split(/: (.*)/s, 2) as [string, string]), opening, change };
}

/** Bar 14: the size of the scripts that a customer's browser loads with a page. */
async function scripts(server: ServerProcess, place: Place): Promise<Reading[]> {
  const link = { description: 'Invoice 7', amountInCents: 1_000, currency: 'GBP' };
  const pages = [
    { name: 'checkout', limitKb: 60, made: await post(server, createCheckout.path, place, order) },
    { name: 'link', limitKb: 100, made: await post(server, createPaymentLink.path, place, link) },
  ];
  return Promise.all(
    pages.map(async ({ name, limitKb, made: answer }) => {
      const page = server.url + new URL(made.parse(JSON.parse(answer)).url).pathname;
      const html = await textOf(page);
      const found = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path = '']) => new URL(path, page));
      if (found.length === 0) throw new Error(`the page of a ${name} has no script`);
      const bodies = await withImports(found.map(String));
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

/** Returns the scripts at these addresses and everything they import, each once. */
async function withImports(urls: readonly string[]): Promise<string[]> {
  const bodies = new Map<string, string>();
  const waiting = [...urls];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (bodies.has(url)) continue;
    const body = await textOf(url);
    bodies.set(url, body);
    const imports = body.matchAll(/\b(?:from|import)\s*\(?\s*["'`]([./][^"'`]*)["'`]/g);
    for (const [, path = ''] of imports) waiting.push(new URL(path, url).href);
  }
  return [...bodies.values()];
}

async function textOf(url: string): Promise<string> {
  const { statusCode, body } = await request(url);
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}`);
  return text;
}
