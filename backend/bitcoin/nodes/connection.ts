import type { Timers } from '@florin/shared/ports.ts';
import type { Agent, buildConnector, Client, Dispatcher } from 'undici';
import { traceHeaders } from '../../foundation/context.ts';
import type { AddressPolicy } from '../../foundation/outbound/address.ts';
import { urlProblem } from '../../foundation/outbound/address.ts';
import { certainCauseOf } from '../../foundation/outbound/certain-cause.ts';
import { guardedConnector, type Resolve } from '../../foundation/outbound/guarded.ts';
import { readBytes } from '../../foundation/outbound/read-bytes.ts';
import type { NotSent, NotSentCause, Unknown } from './node.ts';

/** The ports of all adapters. */
export type ConnectionPorts = {
  readonly timers: Timers;
  /** The limit of a whole exchange: connecting, sending, waiting, reading. */
  readonly timeoutMs: number;
  readonly policy: AddressPolicy;
  readonly resolve?: Resolve | undefined;
};

export type NodeRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the node's address, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type NodeReply = { readonly kind: 'reply'; readonly status: number; readonly body: string };
export type StreamReply =
  /** The stream ended: by the node, by its reader (`taken`), or by its signal. */
  | { readonly kind: 'ended'; readonly by: 'node' | 'taken' | 'signal' }
  /** A plain reply instead of a stream. */
  | NodeReply
  | Unknown
  | NotSent;

export type StreamOptions = {
  readonly signal?: AbortSignal;
  /** The maximum duration of a stream; default: the timeout of an exchange. */
  readonly maxMs?: number;
  /** Uses its own connection. */
  readonly isMoney?: boolean;
  onOpen?(): void;
  /** Called per line; true ends the stream. */
  onLine(line: string): Promise<boolean> | boolean;
};

/** The connections to a node. */
export type NodeConnection = {
  /** For requests that move no money or are safe to repeat: uses kept-alive connections. */
  ask(request: NodeRequest, maxMs?: number): Promise<NodeReply | Unknown | NotSent>;
  /** For money: a connection opened for this request and closed after it. Never retried. */
  send(request: NodeRequest, maxMs?: number): Promise<NodeReply | Unknown | NotSent>;
  /** A streamed reply, line by line. */
  stream(request: NodeRequest, options: StreamOptions): Promise<StreamReply>;
  close(): Promise<void>;
};

/** Far larger than any genuine reply. */
const maxReplyBytes = 32 * 1024 * 1024;

/** No connection was made, so nothing was written. Other connection errors are inconclusive. */
const certainlyNotSent: ReadonlyMap<string, NotSentCause> = new Map([
  ['ECONNREFUSED', 'connection_refused'],
  ['ENOTFOUND', 'name_not_found'],
  ['EHOSTUNREACH', 'no_route'],
  ['ENETUNREACH', 'no_route'],
  ['ADDRESS_REFUSED', 'address_refused'],
  ['CERT_HAS_EXPIRED', 'certificate_rejected'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_rejected'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_rejected'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_rejected'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_rejected'],
  ['CERT_SIGNATURE_FAILURE', 'certificate_rejected'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_rejected'],
]);

type Undici = Pick<typeof import('undici'), 'Agent' | 'Client' | 'buildConnector'>;
type Progress = { connected: boolean; ended: 'timeout' | 'signal' | 'taken' | undefined };

/** HTTP to a business's node, whose address was given by its merchant and whose certificate may be pinned. */
export function nodeConnection(
  node: { readonly url: string; readonly certificate?: string | undefined },
  { timers, timeoutMs, policy, resolve }: ConnectionPorts,
): NodeConnection {
  const base = new URL(node.url);
  const addressIsRefused = urlProblem(node.url, policy) !== undefined;
  let loaded: Promise<Connections> | undefined;
  let agent: Agent | undefined;

  async function connections(): Promise<Connections> {
    // Loaded by the first exchange: undici would take a fifth of the service's start.
    loaded ??= import('undici').then((undici: Undici) => ({
      undici,
      connector: guardedConnector({ policy, resolve, build: undici.buildConnector, certificate: node.certificate }),
    }));
    return loaded;
  }

  async function dispatcherFor(isMoney: boolean, progress: Progress): Promise<Dispatcher> {
    const { undici, connector } = await connections();
    const settings = { headersTimeout: 0, bodyTimeout: 0 };
    if (isMoney) return freshClient(base, connector, progress, undici);
    agent ??= new undici.Agent({ ...settings, connect: connector });
    return agent;
  }

  async function exchange<Taken>(
    request: NodeRequest,
    how: { readonly isMoney: boolean; readonly maxMs: number; readonly signal?: AbortSignal | undefined },
    take: (reply: Dispatcher.ResponseData, end: () => void) => Promise<Taken>,
  ): Promise<Taken | Unknown | NotSent | { readonly kind: 'ended'; readonly by: 'signal' }> {
    if (addressIsRefused) return { kind: 'notSent', cause: 'address_refused' };
    const progress: Progress = { connected: false, ended: undefined };
    const abort = new AbortController();
    const endBy = (why: NonNullable<Progress['ended']>) => {
      progress.ended ??= why;
      abort.abort();
    };
    const cancel = timers.after(how.maxMs, () => endBy('timeout'));
    const onSignal = () => endBy('signal');
    how.signal?.addEventListener('abort', onSignal);
    if (how.signal?.aborted) onSignal();
    const dispatcher = await dispatcherFor(how.isMoney, progress);
    try {
      const reply = await dispatcher.request({
        origin: base.origin,
        method: request.method,
        path: `${base.pathname.replace(/\/+$/, '')}${request.path}`,
        headers: { ...request.headers, ...traceHeaders() },
        body: request.body ?? null,
        signal: abort.signal,
      });
      return await take(reply, () => endBy('taken'));
    } catch (error) {
      if (progress.ended === 'signal') return { kind: 'ended', by: 'signal' };
      return failure(error, progress);
    } finally {
      cancel();
      how.signal?.removeEventListener('abort', onSignal);
      if (how.isMoney) await dispatcher.destroy().catch(() => undefined);
    }
  }

  const whole = async (request: NodeRequest, isMoney: boolean, maxMs = timeoutMs) => {
    const made = await exchange(request, { isMoney, maxMs }, read);
    // Without a signal, only the connection can end it.
    return made.kind === 'ended' ? ({ kind: 'unknown', cause: 'connection_lost' } as const) : made;
  };

  return {
    ask: (request, maxMs) => whole(request, false, maxMs),
    send: (request, maxMs) => whole(request, true, maxMs),
    async stream(request, options) {
      const { isMoney = false, maxMs = timeoutMs, signal } = options;
      let thrown: { readonly error: unknown } | undefined;
      const onLine = async (line: string) => {
        try {
          return await options.onLine(line);
        } catch (error) {
          // An error of the reader is not an error of the node.
          thrown = { error };
          return true;
        }
      };
      const made = await exchange(request, { isMoney, maxMs, signal }, async (reply, end): Promise<StreamReply> => {
        if (reply.statusCode !== 200) return read(reply);
        options.onOpen?.();
        const by = await readLines(reply, onLine);
        if (by === 'taken') end();
        return { kind: 'ended', by };
      });
      if (thrown) throw thrown.error;
      return made;
    },
    async close() {
      await agent?.destroy();
    },
  };
}

type Connections = { readonly undici: Undici; readonly connector: buildConnector.connector };

function freshClient(base: URL, connector: buildConnector.connector, progress: Progress, { Client }: Undici): Client {
  return new Client(base.origin, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, done) => {
      connector(target, (error, socket) => {
        if (error) return done(error, null);
        progress.connected = true;
        done(null, socket);
      });
    },
  });
}

async function read(reply: Dispatcher.ResponseData): Promise<NodeReply | Unknown> {
  const body = await readBytes(reply.body, maxReplyBytes);
  if (!body) return { kind: 'unknown', cause: 'malformed' };
  return { kind: 'reply', status: reply.statusCode, body: body.toString('utf8') };
}

async function readLines(reply: Dispatcher.ResponseData, onLine: StreamOptions['onLine']): Promise<'node' | 'taken'> {
  let rest = '';
  reply.body.setEncoding('utf8');
  for await (const chunk of reply.body) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxReplyBytes) throw new Error('a line without end');
    for (const line of lines) if (line.trim() !== '' && (await onLine(line))) return 'taken';
  }
  return rest.trim() !== '' && (await onLine(rest)) ? 'taken' : 'node';
}

function failure(error: unknown, progress: Progress): Unknown | NotSent {
  if (progress.ended === 'timeout') return { kind: 'unknown', cause: 'timeout' };
  const cause = progress.connected ? undefined : certainCauseOf(error, certainlyNotSent);
  if (cause !== undefined) return { kind: 'notSent', cause };
  return { kind: 'unknown', cause: 'connection_lost' };
}
