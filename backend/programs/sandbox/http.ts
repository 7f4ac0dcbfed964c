import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A listener on 127.0.0.1 that can be closed and opened again on the same port. */
export type Listener = {
  readonly url: () => string;
  open(): Promise<void>;
  /** Closes the listener and all connections; new ones are refused. */
  close(): Promise<void>;
};

/**
 * Does not listen before `open`. Port 0 takes a free one at the first `open` and keeps it; an exception of `handle` is
 * status 500.
 */
export function listener(options: {
  port: number;
  /** PEM; plain HTTP without. */
  tls?: { readonly key: string; readonly cert: string };
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}): Listener {
  let server: Server | undefined;
  let port = options.port;
  return {
    url: () => `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async open() {
      if (server) return;
      const take = (request: IncomingMessage, response: ServerResponse) => {
        options.handle(request, response).catch((error: unknown) => {
          // An error of the sandbox itself: never report success.
          if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
          response.end('sandbox failure');
          process.emitWarning(error instanceof Error ? error : String(error));
        });
      };
      const next: Server = options.tls ? createTlsServer(options.tls, take) : createServer(take);
      await new Promise<void>((resolve, reject) => {
        next.once('error', reject);
        next.listen(port, '127.0.0.1', resolve);
      });
      port = (next.address() as AddressInfo).port;
      server = next;
    },
    async close() {
      const closing = server;
      server = undefined;
      if (!closing) return;
      const closed = new Promise<void>(resolve => closing.close(() => resolve()));
      closing.closeAllConnections();
      await closed;
    },
  };
}

/** The whole body; undefined if it is too long (the rest is read and discarded). */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= maxBytes) chunks.push(chunk as Buffer);
    // Far too large: close the connection.
    if (bytes > maxBytes * 64) {
      request.destroy();
      return undefined;
    }
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

/** The media type of a request, without parameters. */
export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Sends a complete response: nothing can be written to it afterwards. */
export function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(content));
}

/** Blocks DNS rebinding and cross-origin requests from other sites. */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const hosts = ['127.0.0.1', 'localhost'].map(name => `${name}:${socket.localPort}`);
  const { host = '', origin } = headers;
  return hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
}
