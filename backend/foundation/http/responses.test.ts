import { createConnection, type Socket } from 'node:net';
import { contract } from '@florin/shared/contracts/contract.ts';
import { eventStream, file, json, page, redirect } from '@florin/shared/contracts/responses.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { aBackend, type BackendWorld } from '../../../test/support/backend.ts';
import { bearerAuthenticator } from './authenticate.ts';
import { type Route, respond, respondEvents, respondFile, respondPage, respondRedirect, route } from './route.ts';

const about = { method: 'GET', summary: 'Test', tag: 'Test' } as const;
const events = { open: z.object({ n: z.int() }), moved: z.object({ n: z.int(), note: z.string() }) };

/** An error fails the source, undefined ends it. */
type StreamItem = number | Error | undefined;
/** This one comes with the end. */
const last = 1_000;

/** What the stream tells next; a test pushes. */
class Source {
  readonly #waiting: ((n: StreamItem) => void)[] = [];
  readonly #queued: StreamItem[] = [];
  lastEventId: string | null = null;
  over = false;
  taken = 0;

  push(n: StreamItem): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(n);
    else this.#queued.push(n);
  }

  next(): Promise<StreamItem> {
    this.taken += 1;
    if (this.#queued.length > 0) return Promise.resolve(this.#queued.shift());
    return new Promise(resolve => this.#waiting.push(resolve));
  }
}

let source = new Source();
const long = 'x'.repeat(1024 * 1024);

const routes: Route[] = [
  route(
    contract({
      ...about,
      name: 'stream',
      path: '/api/v1/test/stream',
      authentication: ['none'],
      responses: { 200: eventStream(events) },
    }),
    async ({ lastEventId, over }) => {
      const here = source;
      here.lastEventId = lastEventId;
      over.addEventListener('abort', () => {
        here.over = true;
      });
      async function* moves() {
        yield { event: 'open', data: { n: 0 }, id: '0' } as const;
        for (;;) {
          const n = await here.next();
          if (n === undefined) return undefined;
          if (n instanceof Error) throw n;
          const moved = { event: 'moved', data: { n, note: n < 0 ? long : 'line\nbreak' }, id: String(n) } as const;
          if (n === last) return moved;
          yield moved;
        }
      }
      return respondEvents(200, moves());
    },
  ),
  route(
    contract({
      ...about,
      name: 'page',
      path: '/test/page',
      authentication: ['none'],
      responses: { 200: page(), 303: redirect() },
      query: z.object({ to: z.string().optional() }),
    }),
    async ({ query }) => (query.to === undefined ? respondPage(200, '<p>Hello</p>') : respondRedirect(303, query.to)),
  ),
  route(
    contract({
      ...about,
      name: 'file',
      path: '/api/v1/test/file',
      authentication: ['none'],
      responses: { 200: file('application/zip') },
      query: z.object({ inPieces: z.string().optional() }),
    }),
    async ({ query }) => {
      async function* pieces() {
        yield Buffer.from('zip');
        yield Buffer.from('ped');
      }
      const content = query.inPieces === undefined ? Buffer.from('zipped') : pieces();
      return respondFile(200, content, 'back up.zip');
    },
  ),
  route(
    contract({
      ...about,
      name: 'either',
      path: '/test/either',
      authentication: ['kioskKey', 'apiKey', 'none'],
      permissions: ['sales:read'],
      responses: { 200: json(z.object({ kind: z.string() })) },
    }),
    async ({ caller }) => respond(200, { kind: caller.kind }),
  ),
];

let world: BackendWorld;
let key: string;
const end: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const kioskKey = {
    ...bearerAuthenticator('kiosk key', async (given: string) =>
      given === 'kiosk-1'
        ? ({
            kind: 'kioskKey',
            businessId: 'biz_1',
            kioskKeyId: 'kkey_1',
            name: 'Kiosk',
            terminalIds: new Set<string>(),
          } as const)
        : undefined,
    ),
    howToSend: 'x-api-key: <kiosk key>',
    challenge: 'x-api-key',
    read: (request: { headers: Record<string, string | string[] | undefined> }) =>
      request.headers['x-api-key'] as string | undefined,
  };
  world = await aBackend({ extraRoutes: routes, authenticators: { kioskKey }, until: end });
  key = await (await world.aBusiness()).key('take-payments:read');
});
afterAll(async () => {
  for (const stop of end.reverse()) await stop();
});

/** Reads an event stream by hand, so that it can also be left unread. */
async function open(headers = ''): Promise<{ socket: Socket; received: () => string; ended: Promise<void> }> {
  source = new Source();
  const { hostname, port } = new URL(world.url);
  const socket = createConnection(Number(port), hostname);
  let received = '';
  socket.on('data', data => {
    received += data.toString();
  });
  const ended = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/test/stream HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  await expect.poll(() => received).toContain('event: open');
  return { socket, received: () => received, ended };
}

test('events are sent as they happen, with their ids, and the stream ends with its source', async () => {
  const { received, socket, ended } = await open('Connection: close\r\nLast-Event-ID: 41\r\n');
  expect(source.lastEventId).toBe('41');
  expect(received()).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/event-stream/is);
  expect(received()).toMatch(/x-request-id: req_/i);
  expect(received()).toContain('id: 0\nevent: open\ndata: {"n":0}\n\n');
  source.push(7);
  await expect.poll(received).toContain('id: 7\nevent: moved\ndata: {"n":7,"note":"line\\nbreak"}\n\n');
  source.push(undefined);
  await ended;
  socket.destroy();
});

test('the last event may arrive together with the end', async () => {
  const { received, ended } = await open('Connection: close\r\n');
  source.push(last);
  await ended;
  expect(received()).toContain(`id: ${last}\nevent: moved\ndata: {"n":${last},"note":"line\\nbreak"}\n\n`);
});

test('a source that fails ends its stream, and is logged once', async () => {
  const { received, ended } = await open();
  source.push(new Error('the source is broken'));
  await ended;
  expect(received()).not.toContain('broken');
  expect(world.logged().match(/a request failed/g)).toHaveLength(1);
});

test('a comment keeps a quiet stream alive', async () => {
  const { received, socket } = await open();
  await expect.poll(() => world.clock.isWaiting()).toBe(true);
  world.clock.advance({ seconds: 15 });
  await expect.poll(received).toContain(': heartbeat\n\n');
  socket.destroy();
  const { over } = source;
  expect(over).toBe(false);
});

test('the source is notified when its caller disconnects', async () => {
  const { socket } = await open();
  const left = source;
  socket.destroy();
  await expect.poll(() => left.over).toBe(true);
});

test('a caller who does not read stops the source and is disconnected', async () => {
  const { socket, ended } = await open();
  socket.pause();
  const mine = source;
  for (let n = 0; n < 64; n += 1) mine.push(-1);
  await expect.poll(() => mine.taken).toBeGreaterThan(2);
  let taken = -1;
  await expect
    .poll(() => {
      const isSettled = taken === mine.taken;
      taken = mine.taken;
      return isSettled;
    })
    .toBe(true);
  expect(mine.taken).toBeLessThan(32);
  world.clock.advance({ seconds: 31 });
  socket.resume();
  await ended;
  expect(mine.over).toBe(true);
});

test('a page has a content security policy, and a redirect a location', async () => {
  const response = await fetch(`${world.url}/test/page`);
  expect(await response.text()).toBe('<p>Hello</p>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  const moved = await fetch(`${world.url}/test/page?to=/elsewhere`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/elsewhere']);
});

test('a file is sent at once or in parts, with its name', async () => {
  for (const query of ['', '?inPieces=1']) {
    const response = await fetch(`${world.url}/api/v1/test/file${query}`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="back up.zip"');
    expect(await response.text()).toBe('zipped');
  }
});

test('an operation for several schemes serves each of them and those without credentials, but no wrong ones', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${world.url}/test/either`, { headers });
  expect(await (await ask({})).json()).toEqual({ kind: 'none' });
  expect(await (await ask({ 'x-api-key': 'kiosk-1' })).json()).toEqual({ kind: 'kioskKey' });
  const weak = await ask({ authorization: `Bearer ${key}` });
  expect([weak.status, (await weak.json()) as unknown]).toMatchObject([
    403,
    { error: { metadata: { missingPermissions: ['sales:read'] } } },
  ]);
  const wrong = await ask({ 'x-api-key': 'kiosk-2' });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'x-api-key']);
});

test('the description distinguishes the kinds of response', async () => {
  const response = await fetch(`${world.url}/api/v1/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, { get: Record<string, object> }> };
  expect(paths['/api/v1/test/stream']?.get).toMatchObject({
    security: [{}],
    responses: { 200: { content: { 'text/event-stream': {} } } },
  });
  expect(paths['/api/v1/test/file']?.get).toMatchObject({ responses: { 200: { content: { 'application/zip': {} } } } });
});
