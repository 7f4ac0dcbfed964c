import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../test/support/backend.ts';
import { testClock } from '../../test/support/clock.ts';
import { aNetwork, anAnswer, type Behaviour, type SentRequest } from '../../test/support/network.ts';
import { aShop } from '../../test/support/shop.ts';
import { aRealTerminal } from '../../test/support/terminal/real-terminal.ts';
import { createClient, createKioskClient, FlorinError, followSale, type Ports, unwrap } from './index.ts';

/** A kiosk whose terminal waits for cards, on a network where the test decides what happens to each connection. */
async function aKiosk(decide?: (request: SentRequest) => Behaviour | Promise<Behaviour>, more?: Partial<Ports>) {
  const shop = await aShop('sqlite', ['devices:read', 'devices:write', 'terminal-sales:read', 'terminal-sales:write']);
  const { world, client, key } = shop;
  const terminal = await aRealTerminal(world, key);
  terminal.reader.presentsByItself = false;
  const body = { name: 'Foyer', deviceIds: [terminal.deviceId] };
  const made = await client.call(createKioskKey, { body }, { key });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const kioskKey = made.body.key ?? '';
  const network = aNetwork(decide);
  const ports = { ...network.ports, ...more };
  const kiosk = createKioskClient({ baseUrl: world.url, kioskKey, ports });
  const florin = createClient({ baseUrl: world.url, apiKey: key });
  const serial = unwrap(await florin.listDevices()).items[0]?.serial ?? '';
  const start = async () => {
    const sale = { serial, amountInCents: 1_250, currency: 'GBP' };
    return unwrap(await kiosk.startKioskSale({ body: sale })).saleId;
  };
  return { ...shop, terminal, kiosk, kioskKey, florin, network, start };
}

/** A response whose body the test can break off, as a lost connection does. */
function breakable(response: Response) {
  const broken = new AbortController();
  const body = response.body?.pipeThrough(new TransformStream(), { signal: broken.signal }) ?? null;
  const { status, headers } = response;
  const behaviour: Behaviour = { status, headers, body, text: () => new Response(body).text() };
  return { behaviour, break: () => broken.abort(new Error('the cable was pulled')) };
}

test('a broken stream resumes after its last event, until the sale has ended', async () => {
  const connections: { break: () => void; readonly lastEventId: string | undefined }[] = [];
  const { terminal, kiosk, start } = await aKiosk(async ({ url, ...request }) => {
    if (!url.endsWith('/events')) return 'sent';
    const { behaviour, break: end } = breakable(await fetch(url, request));
    connections.push({ break: end, lastEventId: request.headers['last-event-id'] });
    return behaviour;
  });
  const saleId = await start();
  const sequences: number[] = [];
  const ids: (string | undefined)[] = [];
  for await (const { data, id } of kiosk.followKioskSale({ params: { saleId } })) {
    sequences.push(data.sequence);
    ids.push(id);
    if (data.statusReason === 'awaiting_card') {
      connections[0]?.break();
      terminal.reader.present();
    }
    if (data.status === 'COMPLETE') break;
    if (data.statusReason === 'authorising') connections.at(-1)?.break();
  }
  expect(sequences.length).toBeGreaterThan(4);
  const [first = 0] = sequences;
  expect(sequences).toEqual(sequences.map((_, index) => first + index));
  expect(connections.length).toBeGreaterThan(1);
  for (const { lastEventId } of connections.slice(1)) expect(ids).toContain(lastEventId);
});

test('a stream resumes at another backend when its backend stops', async () => {
  const { world, kioskKey, network, start } = await aKiosk();
  const other = await aBackend({ sharing: world });
  const saleId = await start();
  const urls = [world.url, other.url];
  const fetchBalanced: Ports['fetch'] = (url, request) =>
    fetch(url.replace('http://florin.example', urls[0] ?? ''), request);
  const ports = { ...network.ports, fetch: fetchBalanced };
  const balanced = createKioskClient({ baseUrl: 'http://florin.example', kioskKey, ports });
  const statuses: string[] = [];
  for await (const { data } of balanced.followKioskSale({ params: { saleId } })) {
    statuses.push(data.status);
    if (statuses.length > 1) continue;
    urls.shift();
    await world.stop();
    unwrap(await balanced.cancelKioskSale({ params: { saleId } }));
  }
  expect(statuses.at(-1)).toBe('CANCELLED');
});

test('a silent connection is reopened', async () => {
  const clock = testClock();
  const streams: SentRequest[] = [];
  const { kiosk, start } = await aKiosk(
    ({ url, signal, ...request }) => {
      if (!url.endsWith('/events')) return 'sent';
      streams.push({ url, signal, ...request });
      if (streams.length > 1) return 'sent';
      const body = new ReadableStream<Uint8Array>({
        start: each => signal.addEventListener('abort', () => each.error(signal.reason)),
      });
      const headers = new Headers({ 'content-type': 'text/event-stream' });
      return { status: 200, headers, body, text: async () => '' };
    },
    { timers: clock },
  );
  const saleId = await start();
  const following = kiosk.followKioskSale({ params: { saleId } });
  onTestFinished(() => void following.return());
  const opened = following.next();
  await expect.poll(() => streams.length, { interval: 5 }).toBe(1);
  const later = () => {
    clock.advance({ seconds: 10 });
    return streams.length;
  };
  await expect.poll(later, { interval: 5 }).toBe(2);
  expect((await opened).value).toMatchObject({ event: 'open', data: { saleId } });
});

const tooMany = { error: { code: 429, message: 'Too many event streams are open' } };

test.each([
  ['blocked', anAnswer(502, '<h1>Bad gateway</h1>')],
  ['refused because too many are open', anAnswer(429, tooMany, { 'retry-after': '3600' })],
])('a sale is followed to its end if its stream is %s', async (_, answer) => {
  const { terminal, kiosk, florin, network, start } = await aKiosk(({ url }) =>
    url.endsWith('/events') ? answer : 'sent',
  );
  for (const client of [kiosk, florin]) {
    const saleId = await start();
    const seen: { status: string; sequence: number }[] = [];
    for await (const sale of followSale(client, saleId, network.ports)) {
      seen.push(sale);
      if (sale.statusReason === 'awaiting_card') terminal.reader.present();
    }
    expect(seen.at(-1)?.status).toBe('COMPLETE');
    const sequences = seen.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
    await terminal.shows('sale_result');
  }
});

test('a stream that is refused before the record is read is raised where the caller waits, and nowhere else', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
  const { promise: streamRefused, resolve: refuseStream } = Promise.withResolvers<void>();
  const refusal = JSON.stringify({ error: { code: 401, message: 'The kiosk key is unknown, revoked or expired' } });
  const fetch: Ports['fetch'] = async url => {
    if (String(url).endsWith('/events')) setImmediate(refuseStream);
    else await streamRefused;
    return new Response(refusal, { status: 401, headers: { 'content-type': 'application/json' } });
  };
  const client = createKioskClient({ baseUrl: 'http://127.0.0.1:1', kioskKey: 'nobody', ports: { fetch } });
  await expect(followSale(client, 'sale_1').next()).rejects.toThrow(FlorinError);
  expect(unhandled).toEqual([]);
});

test('a sale is followed over its stream, and a caller without access gets the error', async () => {
  const { terminal, kiosk, world, network, start } = await aKiosk();
  const saleId = await start();
  const seen: string[] = [];
  for await (const sale of followSale(kiosk, saleId)) {
    seen.push(sale.statusReason);
    if (sale.statusReason === 'awaiting_card') terminal.reader.present();
  }
  expect(seen.at(-1)).toBe('completed');
  expect(network.requests.filter(({ url }) => url.endsWith('/events'))).toHaveLength(1);
  const unknownClient = createKioskClient({ baseUrl: world.url, kioskKey: 'nobody', ports: network.ports });
  const ask = async () => {
    for await (const _ of followSale(unknownClient, saleId)) expect.unreachable();
  };
  await expect(ask()).rejects.toThrow(FlorinError);
  const stream = unknownClient.followKioskSale({ params: { saleId } });
  await expect(stream.next()).rejects.toMatchObject({ answer: { outcome: 'refused', status: 401 } });
});
