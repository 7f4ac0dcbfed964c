import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { wait } from '@florin/shared/ports.ts';
import { type Backend, type BackendOptions, openBackend, systemPlatform } from './backend.ts';
import { wireProblem } from './http/problems.ts';

export type ServerOptions = Omit<BackendOptions, 'publicUrl'>;

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  readonly backend: Backend;
  /** Takes no new requests, finishes those under way (up to the grace time), then closes the database. */
  stop(): Promise<void>;
  /** Ends it at once: connections are cut, the database is closed. */
  kill(): Promise<void>;
};

/**
 * Composes the backend and serves it. Resolves once it is ready: until the database is migrated every request gets 503.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings } = options;
  let serve: RequestListener = answerNotYet;
  const limits = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
  let stopping = false;
  const server = createServer(limits, (request, response) => {
    // A connection kept alive for a next request must not hold up a stop once its last answer is out.
    response.once('close', () => stopping && setImmediate(() => server.closeIdleConnections()));
    serve(request, response);
  });
  server.on('clientError', answerUnreadable);
  await listen(server, settings.port, settings.host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${settings.host}:${port}`;
  const backend = await openBackend({ ...options, publicUrl: settings.publicUrl ?? url }).catch(
    async (error: unknown) => {
      server.close();
      server.closeAllConnections();
      throw error;
    },
  );
  serve = backend.app;
  backend.startJobs();
  let stopped: Promise<void> | undefined;
  const timers = options.platform?.timers ?? systemPlatform.timers;

  async function stop(): Promise<void> {
    stopping = true;
    backend.endStreams();
    const finished = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeIdleConnections();
    const late = new AbortController();
    const graceOver = wait(timers, settings.shutdownGraceMs, late.signal).then(() => server.closeAllConnections());
    await finished;
    late.abort();
    await graceOver;
    await backend.close();
  }

  return {
    url,
    port,
    backend,
    stop() {
      stopped ??= stop();
      return stopped;
    },
    kill() {
      server.closeAllConnections();
      stopped ??= stop();
      server.closeAllConnections();
      return stopped;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The port is taken before the database is open, so that the gateway can be told the address to call back. */
function answerNotYet(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(wireProblem({ status: 503, message: 'The service is starting' }));
  response.writeHead(503, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1' }).end(body);
}

/** What is not HTTP never reaches the app; it gets the one error shape all the same. */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, words, message] = unreadable[error.code ?? ''] ?? [400, 'Bad Request', 'This is not a valid request'];
  const body = JSON.stringify(wireProblem({ status, message }));
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const unreadable: Readonly<Record<string, readonly [status: number, words: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};
