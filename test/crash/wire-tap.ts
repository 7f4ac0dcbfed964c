import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '@florin/backend/sandbox/http.ts';
import { Agent, request } from 'undici';

/** What the wire between the service and its gateway carries, as the tap tells it apart. */
export type WireMessage = {
  /** `CANCEL`, `REFUND_SALE`, `REFUND`, `SALE`, `CARD_PRESENT`, or a question: `QUERY`, `LOOKUP`, `REPORT`. */
  readonly action: string;
  readonly movesMoney: boolean;
  /** The service's own reference of the operation; undefined for a question. */
  readonly uniqueReference: string | undefined;
};

/** What to do with a message; the default is to pass it on. */
export type Handling = 'pass' | 'drop' | { readonly arriveAfterMs: number };

export type TapListener = {
  /** A connection was made, nothing of it read yet. `drop`: nothing of it ever will be. */
  connected(): 'pass' | 'drop';
  /** The whole request is here; the gateway has not seen it. */
  received(message: WireMessage): Handling;
  /** The gateway carried it out and answered; nothing of the reply has been passed on. */
  applied(message: WireMessage): 'pass' | 'drop' | Promise<'pass'>;
  /** The reply is with the operating system. */
  replied(message: WireMessage): void;
  /** The gateway posts an outcome of its own accord. `drop`: it is told that nobody took it and tries again later. */
  callback(): 'pass' | 'drop';
  /** The service took a callback: what it says is committed. */
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
  /** In place of the gateway's address. */
  readonly url: string;
  /** Where the gateway posts its callbacks: stays the same whichever process of the service is alive. */
  readonly callbackUrl: string;
  listener: TapListener;
  /** Where callbacks go on to; undefined while no process is alive. */
  serviceUrl: string | undefined;
  /** How often each operation's reference was seen on the wire: every sight is one more request sent. */
  readonly sent: ReadonlyMap<string, number>;
  readonly replied: ReadonlySet<string>;
  close(): Promise<void>;
};

/** A request held up longer than this is lost: the service may rightly have given it up. */
const longestHoldUpMs = 1_000;

/** Sits between the service and its gateway, sees every message of both, and lets a test act at each step of one. */
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
    if (performance.now() - receivedAt > longestHoldUpMs) return void response.destroy();
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
      // What fails here is a connection to a process that was killed.
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
  // A CANCEL carries no reference of its own but in the address its outcome is posted to.
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
