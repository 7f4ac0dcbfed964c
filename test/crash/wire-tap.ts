import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '@florin/backend/programs/sandbox/http.ts';
import { Agent, request } from 'undici';

/** The messages between the service and its gateway. */
export type WireMessage = {
  /** `CANCEL`, `REFUND_SALE`, `REFUND`, `SALE`, `CARD_PRESENT`, or a lookup: `QUERY`, `LOOKUP`, `REPORT`. */
  readonly action: string;
  readonly movesMoney: boolean;
  /** The service's own reference of the operation; undefined for a lookup. */
  readonly uniqueReference: string | undefined;
};

/** The handling of a message; by default it is passed on. */
export type Handling = 'pass' | 'drop' | { readonly arriveAfterMs: number };

export type TapListener = {
  /** A connection was made and nothing read yet. `drop`: nothing is read. */
  connected(): 'pass' | 'drop';
  /** The whole request was read and not yet passed on. */
  received(message: WireMessage): Handling;
  /** The gateway executed it and replied; nothing of the reply was passed on. */
  applied(message: WireMessage): 'pass' | 'drop' | Promise<'pass'>;
  /** The reply was written to the socket. */
  replied(message: WireMessage): void;
  /** The gateway posts a callback. `drop`: it gets an error and retries later. */
  callback(): 'pass' | 'drop';
  /** The service accepted a callback and committed its content. */
  callbackTaken(): void;
};

export const passive: TapListener = {
  connected: () => 'pass',
  received: () => 'pass',
  applied: () => 'pass',
  replied: () => undefined,
  callback: () => 'pass',
  callbackTaken: () => undefined,
};

export type WireTap = {
  /** Used in place of the gateway's address. */
  readonly url: string;
  /** Where the gateway posts its callbacks, independent of the process that serves them. */
  readonly callbackUrl: string;
  listener: TapListener;
  /** Where callbacks are forwarded to; undefined while no process is running. */
  serviceUrl: string | undefined;
  /** The number of requests sent for each operation's reference. */
  readonly sent: ReadonlyMap<string, number>;
  readonly replied: ReadonlySet<string>;
  close(): Promise<void>;
};

/** A request delayed longer than this is dropped, because the service may have failed the operation. */
const maxHoldUpMs = 1_000;

/** A proxy between the service and its gateway that lets a test act at each step of a message. */
export async function wireTap(gatewayUrl: string): Promise<WireTap> {
  const sent = new Map<string, number>();
  const replied = new Set<string>();
  const agent = new Agent({ pipelining: 0 });

  async function forward(incoming: IncomingMessage, body: Buffer) {
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
    const answer = await request(`${gatewayUrl}${incoming.url}`, {
      method: incoming.method === 'GET' ? 'GET' : 'POST',
      headers: headers as Record<string, string>,
      body: incoming.method === 'GET' ? null : body,
      dispatcher: agent,
    });
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
  }

  async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = performance.now();
    const body = (await readBody(incoming, 1_000_000)) ?? Buffer.alloc(0);
    const message = readMessage(incoming, body.toString('utf8'));
    const { uniqueReference } = message;
    if (uniqueReference !== undefined) sent.set(uniqueReference, (sent.get(uniqueReference) ?? 0) + 1);
    const handling = tap.listener.received(message);
    if (handling === 'drop') return void response.destroy();
    if (handling !== 'pass') await new Promise(resolve => setTimeout(resolve, handling.arriveAfterMs));
    if (performance.now() - receivedAt > maxHoldUpMs) return void response.destroy();
    const answer = await forward(incoming, body);
    if ((await tap.listener.applied(message)) === 'drop') return void response.destroy();
    const {
      'content-length': _length,
      connection: _connection,
      'transfer-encoding': _encoding,
      ...headers
    } = answer.headers;
    response.writeHead(answer.status, headers as Record<string, string>);
    response.end(answer.body, () => {
      if (uniqueReference !== undefined) replied.add(uniqueReference);
      tap.listener.replied(message);
    });
  }

  async function passCallback(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readBody(incoming, 1_000_000)) ?? Buffer.alloc(0);
    const to = tap.listener.callback() === 'pass' ? tap.serviceUrl : undefined;
    if (to === undefined) return void response.writeHead(503).end();
    const answer = await request(`${to}${incoming.url}`, {
      method: 'POST',
      headers: { 'content-type': incoming.headers['content-type'] ?? '' },
      body,
      reset: true,
    });
    await answer.body.dump();
    if (answer.statusCode === 200) tap.listener.callbackTaken();
    response.writeHead(answer.statusCode).end();
  }

  const wire = await listening(
    createServer((incoming, response) => {
      // The connection led to a process that was killed.
      exchange(incoming, response).catch(() => response.destroy());
    }).on('connection', socket => {
      if (tap.listener.connected() === 'drop') socket.destroy();
    }),
  );
  const callbacks = await listening(
    createServer((incoming, response) => {
      passCallback(incoming, response).catch(() => response.destroy());
    }),
  );
  const tap: WireTap = {
    url: wire.url,
    callbackUrl: callbacks.url,
    listener: passive,
    serviceUrl: undefined,
    sent,
    replied,
    async close() {
      await Promise.all([wire.close(), callbacks.close(), agent.destroy()]);
    },
  };
  return tap;
}

function readMessage(incoming: IncomingMessage, body: string): WireMessage {
  if (incoming.url?.startsWith('/rest/')) return { action: 'REPORT', movesMoney: false, uniqueReference: undefined };
  if (incoming.url === '/card-present') {
    const { operation, uniqueReference } = JSON.parse(body) as { operation: string; uniqueReference: string };
    return operation === 'sale'
      ? { action: 'CARD_PRESENT', movesMoney: true, uniqueReference }
      : { action: 'LOOKUP', movesMoney: false, uniqueReference: undefined };
  }
  const fields = new URLSearchParams(body);
  const action = fields.get('action') ?? '';
  const movesMoney = action !== 'QUERY';
  // A CANCEL has its own reference only in its callback address.
  const callbackUrl = fields.get('callbackURL');
  const named = callbackUrl === null ? null : new URL(callbackUrl).searchParams.get('operation');
  return { action, movesMoney, uniqueReference: movesMoney ? (named ?? undefined) : undefined };
}

async function listening(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
