import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { wait } from '@florin/shared/ports.ts';
import { type Backend, type BackendOptions, openBackend, systemPlatform } from './backend.ts';
import { extendMessages } from './foundation/http/app.ts';
import { earlyErrors, problemOfHead } from './foundation/http/early-errors.ts';
import { serveMetrics } from './foundation/metrics/listener.ts';

/** Connections that may wait to be accepted: thousands of terminals return at one moment, and the usual 511 may be too few. */
const backlog = 4_096;
/** Maximum concurrent requests per connection. */
const maxPipelined = 16;
const starting = { status: 503, message: 'The service is starting', metadata: { retryAfterSeconds: 1 } };
const stoppingSoon = { status: 503, message: 'The service is stopping', metadata: { retryAfterSeconds: 1 } };
/** How long a request that comes while the service starts waits for it. A start takes about a second. */
const startWaitMs = 5_000;
const isProbe = ({ url = '' }: IncomingMessage) => /^\/(healthz|readyz)\/?(\?|$)/.test(url);
const isReadiness = ({ url = '' }: IncomingMessage) => /^\/readyz\/?(\?|$)/.test(url);

export type ServerOptions = Omit<BackendOptions, 'publicUrl'>;

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  /** The Prometheus endpoint, if configured. */
  readonly metricsUrl: string | undefined;
  readonly backend: Backend;
  /**
   * Refuses new requests, finishes those in progress (up to the grace period), then closes the database. For `drainMs` before
   * that it serves as usual, but is not ready and ends each connection with its response: a proxy sends the next elsewhere.
   */
  stop(options?: { readonly drainMs: number }): Promise<void>;
  /** Stops at once: connections are destroyed, the database is closed. */
  kill(): Promise<void>;
};

/**
 * Composes the backend and serves it. Resolves once it is ready; until the database is migrated requests wait, and get 503 if
 * it takes long.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, log } = options;
  const { ids, timers } = { ...systemPlatform, ...options.platform };
  const errors = earlyErrors(ids);
  // Listens before the database is open, because the gateway needs the port for its callback URL.
  const opened = new AbortController();
  let serve: RequestListener = (request, response) =>
    void wait(timers, isProbe(request) ? 0 : startWaitMs, opened.signal).then(() => {
      if (opened.signal.aborted) serve(request, response);
      else errors.refuse(response, starting);
    });
  const limits = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
  let draining = false;
  let stopping = false;
  /** Open connections, with the responses in progress on each. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  // Includes connections without a request, which Node.js counts as busy.
  const closeUnused = () => {
    for (const [socket, responses] of connections) if (responses.size === 0) socket.destroy();
  };
  const take: RequestListener = (request, response) => {
    const { socket } = request;
    const responses = connections.get(socket) ?? new Set();
    // Each request in progress costs memory, so a client that pipelines too many without reading is disconnected.
    if (responses.size === maxPipelined) return void socket.destroy();
    responses.add(response);
    response.on('close', () => {
      responses.delete(response);
      // A keep-alive connection must not delay a stop after its last response.
      if (stopping) setImmediate(closeUnused);
    });
    if (draining) response.shouldKeepAlive = false;
    const problem = draining && isReadiness(request) ? stoppingSoon : problemOfHead(request);
    if (problem) errors.refuse(response, problem);
    else serve(request, response);
  };
  // Node's own error responses have no body: `take` makes the same checks.
  const messages = {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class extends ServerResponse {},
  };
  const server = createServer({ ...limits, ...messages, requireHostHeader: false }, take);
  server.on('checkExpectation', take);
  server.on('connection', socket => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
    if (stopping) socket.destroy();
  });
  server.on('connect', (_request, socket) => errors.refuseTunnel(socket));
  server.maxConnections = settings.maxConnections;
  // Closes connections that are idle in both directions.
  server.timeout = settings.socketTimeoutMs;
  server.on('clientError', (error, socket) => {
    errors.refuseUnread(error, socket, connections.get(socket as Socket) ?? []);
  });
  await listen(server, settings.port, settings.host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${isIPv6(settings.host) ? `[${settings.host}]` : settings.host}:${port}`;
  const stopAndThrow = (error: unknown): never => {
    server.close();
    server.closeAllConnections();
    throw error;
  };
  const backend = await ready({ ...options, publicUrl: settings.publicUrl ?? url }).catch(stopAndThrow);
  const { metrics } = backend;
  const metricsListener =
    settings.metrics &&
    metrics &&
    (await serveMetrics({ ...settings.metrics, metrics, log }).catch(async (error: unknown) => {
      await backend.close();
      return stopAndThrow(error);
    }));
  extendMessages(messages, backend.app);
  serve = backend.app;
  opened.abort();
  backend.startJobs();
  let stopped: Promise<void> | undefined;
  const killed = new AbortController();

  async function stop(drainMs: number): Promise<void> {
    draining = true;
    if (drainMs > 0) await wait(timers, drainMs, killed.signal);
    stopping = true;
    backend.endStreams();
    const finished = new Promise<void>(resolve => server.close(() => resolve()));
    closeUnused();
    const late = new AbortController();
    const graceOver = wait(timers, settings.shutdownGraceMs, late.signal).then(() => server.closeAllConnections());
    await finished;
    late.abort();
    await graceOver;
    await Promise.all([metricsListener?.close(), backend.close()]);
  }

  return {
    url,
    port,
    metricsUrl: metricsListener?.url,
    backend,
    stop({ drainMs } = { drainMs: 0 }) {
      stopped ??= stop(drainMs);
      return stopped;
    },
    kill() {
      killed.abort();
      server.closeAllConnections();
      stopped ??= stop(0);
      server.closeAllConnections();
      return stopped;
    },
  };
}

/** A backend whose secrets this process can decrypt. */
async function ready(options: BackendOptions): Promise<Backend> {
  const backend = await openBackend(options);
  try {
    await backend.services.gatewayAccounts.prepare();
    await backend.services.secrets.prepare();
    return backend;
  } catch (error) {
    await backend.close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
