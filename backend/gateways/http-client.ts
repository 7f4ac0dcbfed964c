import type { Timers } from '@florin/shared/ports.ts';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { traceHeaders } from '../foundation/context.ts';
import { certainCauseOf } from '../foundation/outbound/certain-cause.ts';
import { readBytes } from '../foundation/outbound/read-bytes.ts';
import type { NotSent, NotSentCause, Unknown } from './gateway.ts';

/** An exchange with the gateway. `notSent` is certain; any other failure may have arrived. */
export type HttpOutcome =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  | Unknown
  | NotSent;

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type HttpClient = (request: HttpRequest) => Promise<HttpOutcome>;

/** Far larger than any genuine reply. */
const maxReplyBytes = 1024 * 1024;

/** No connection was made, so nothing was written. Other connection errors are inconclusive. */
const certainlyNotSent: ReadonlyMap<string, NotSentCause> = new Map([
  ['ECONNREFUSED', 'connection_refused'],
  ['ENOTFOUND', 'name_not_found'],
  ['EHOSTUNREACH', 'no_route'],
]);

/**
 * HTTP for money: each exchange opens and closes its own connection, so that no request is written to a connection the
 * other side has closed, and nothing is retried. `timeoutMs` limits the whole exchange, including connecting and
 * reading.
 */
export function httpClient(options: { readonly timers: Timers; readonly timeoutMs: number }): HttpClient {
  let loaded: Promise<Connections> | undefined;
  return async request => {
    const progress: Progress = { connected: false, timedOut: false };
    const abort = new AbortController();
    const cancelTimeout = options.timers.after(options.timeoutMs, () => {
      progress.timedOut = true;
      abort.abort();
    });
    let client: Client | undefined;
    try {
      loaded ??= loadConnections();
      client = connectionFor(request.url, await loaded, progress);
      const reply = await client.request({
        method: request.method,
        path: request.url.pathname + request.url.search,
        headers: { ...request.headers, ...traceHeaders() },
        body: request.body ?? null,
        signal: abort.signal,
      });
      return await read(reply);
    } catch (error) {
      return failure(error, progress);
    } finally {
      cancelTimeout();
      await client?.destroy().catch(() => undefined);
    }
  };
}

type Progress = { connected: boolean; timedOut: boolean };

type Connections = {
  readonly Client: new (origin: string, options: Client.Options) => Client;
  readonly connector: buildConnector.connector;
};

/** Loaded by the first exchange: undici would take a fifth of the service's start. */
async function loadConnections(): Promise<Connections> {
  const undici = await import('undici');
  // One connector keeps the TLS sessions, so that a new connection needs no full handshake.
  return { Client: undici.Client, connector: undici.buildConnector({ timeout: 0 }) };
}

function connectionFor(url: URL, { Client, connector }: Connections, progress: Progress): Client {
  return new Client(url.origin, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, done) => {
      connector(target, (error, socket) => {
        if (error) {
          done(error, null);
        } else {
          progress.connected = true;
          done(null, socket);
        }
      });
    },
  });
}

async function read(reply: Dispatcher.ResponseData): Promise<HttpOutcome> {
  const body = await readBytes(reply.body, maxReplyBytes);
  if (!body) return { kind: 'unknown', cause: 'malformed' };
  const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    kind: 'reply',
    status: reply.statusCode,
    headers: Object.fromEntries(headers),
    body,
  };
}

function failure(error: unknown, progress: Progress): Unknown | NotSent {
  if (progress.timedOut) return { kind: 'unknown', cause: 'timeout' };
  const cause = progress.connected ? undefined : certainCauseOf(error, certainlyNotSent);
  if (cause !== undefined) return { kind: 'notSent', cause };
  return { kind: 'unknown', cause: 'connection_lost' };
}
