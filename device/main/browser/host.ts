import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@florin/shared/ports.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Terminal } from '../../core/terminal.ts';
import { customerView } from '../../ipc/customer-view.ts';
import { clientMessage, type ServerMessage, terminalSocketPath, wrongTokenCloseCode } from '../../ipc/socket.ts';
import type { View } from '../../ipc/view.ts';
import { servedFiles } from './files.ts';
import { createGuard, type Guard, securityHeaders } from './guard.ts';

export type BrowserHostOptions = {
  readonly terminal: Terminal;
  /** The built renderer; without one the page explains how to build it, and the socket still works. */
  readonly rendererDirectory: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The token a page must send before it receives a View. */
  readonly token: string;
  /** The token of the customer's display, which shows payments and can do nothing. */
  readonly displayToken: string;
  readonly log: Log;
};

export interface BrowserHost {
  readonly port: number;
  /**
   * The URL of the terminal's page, with the token in the fragment, which no server log and no Referer header contains.
   */
  readonly url: string;
  /** The URL of the customer's display. */
  readonly displayUrl: string;
  close(): Promise<void>;
}

const maxMessageBytes = 16 * 1024;
const maxSockets = 8;
/**
 * A page that does not read its messages is disconnected instead of queued for; it reconnects and receives the latest
 * View.
 */
const maxUnreadBytes = 1024 * 1024;
const protocolErrorCode = 1008;
const notBuilt = 'The renderer is not built: npm run build --workspace device';

/** The loopback host: serves the renderer's files and one socket that carries View and UserAction. */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const files = servedFiles(options.rendererDirectory);
  let port = options.port;
  const guard = createGuard({ port: () => port, token: options.token, displayToken: options.displayToken });
  const server = createServer((request, response) => answer(request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const pages = new Set<WebSocket>();

  function answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(securityHeaders(port))) response.setHeader(name, value);
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
    const file = files.get(path);
    if (!guard.isOwnHost(request)) {
      refuse(response, 403, 'This address is for the terminal itself only');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      refuse(response, 405, 'Only GET is answered here');
    } else if (file) {
      response.setHeader('content-type', file.type);
      response.setHeader('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-store');
      response.end(request.method === 'HEAD' ? undefined : file.body);
    } else {
      refuse(response, 404, path === '/' ? notBuilt : 'There is nothing at this address');
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = upgradeRefusal(request, guard) ?? (makeRoom(sockets.clients, pages) ? undefined : tooManyPages);
    if (refusal) refuseUpgrade(socket, refusal);
    else sockets.handleUpgrade(request, socket, head, client => serve(client, pages, guard, options));
  });
  await listen(server, options.port);
  port = (server.address() as AddressInfo).port;
  options.log.info({ port }, 'listening for the page');
  return {
    port,
    url: `http://127.0.0.1:${port}/#token=${encodeURIComponent(options.token)}`,
    displayUrl: `http://127.0.0.1:${port}/#token=${encodeURIComponent(options.displayToken)}&display=customer`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(problemText(status, message));
}

function problemText(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

type UpgradeRefusal = { readonly status: number; readonly phrase: string; readonly message: string };

const tooManyPages: UpgradeRefusal = {
  status: 503,
  phrase: 'Service Unavailable',
  message: 'Too many pages are open',
};

/**
 * Whether one more socket may open. The oldest one that is no open page gives way: it has not said hello, or it is
 * closing. There is no deadline for hello, because on a busy machine every attempt of a slow page would miss it.
 */
function makeRoom(clients: ReadonlySet<WebSocket>, pages: ReadonlySet<WebSocket>): boolean {
  if (clients.size < maxSockets) return true;
  const oldest = [...clients].find(client => !pages.has(client) || client.readyState !== client.OPEN);
  oldest?.terminate();
  return oldest !== undefined;
}

function upgradeRefusal(request: IncomingMessage, guard: Guard): UpgradeRefusal | undefined {
  if (!guard.isOwnHost(request) || !guard.isOwnOrigin(request)) {
    return { status: 403, phrase: 'Forbidden', message: 'This socket is for the terminal’s own page only' };
  }
  if (request.url !== terminalSocketPath) {
    return { status: 404, phrase: 'Not Found', message: 'There is nothing at this address' };
  }
  return undefined;
}

function refuseUpgrade(socket: Duplex, { status, phrase, message }: UpgradeRefusal): void {
  const body = problemText(status, message);
  const head = `HTTP/1.1 ${status} ${phrase}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** One socket, which is in `pages` from hello on. Nothing it sends can interrupt the terminal's flows. */
function serve(client: WebSocket, pages: Set<WebSocket>, guard: Guard, options: BrowserHostOptions): void {
  const { terminal, log } = options;
  let stopViews: (() => void) | undefined;
  let isDisplay = false;
  const send = (message: ServerMessage) => {
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > maxUnreadBytes) client.terminate();
    else client.send(JSON.stringify(message));
  };

  function hello(token: string): void {
    const page = guard.pageOf(token);
    if (page === undefined) {
      log.warn({}, 'a page with a wrong token was refused');
      client.close(wrongTokenCloseCode, 'wrong token');
      return;
    }
    pages.add(client);
    isDisplay = page === 'display';
    const show = (view: View) => send({ type: 'view', view: isDisplay ? customerView(view) : view });
    stopViews = terminal.onView(show);
    show(terminal.view());
  }

  client.on('message', (data, isBinary) => {
    const json = isBinary ? undefined : parseJson(textOf(data));
    const parsed = clientMessage.safeParse(json);
    if (!stopViews) {
      if (parsed.success && parsed.data.type === 'hello') hello(parsed.data.token);
      else client.close(protocolErrorCode, 'hello first');
      return;
    }
    if (parsed.success && parsed.data.type === 'action') {
      const { id, action } = parsed.data;
      if (isDisplay) return send({ type: 'answer', id, answer: { kind: 'not_now' } });
      terminal
        .send(action)
        .then(answer => send({ type: 'answer', id, answer }))
        .catch((error: unknown) => {
          log.error({ action: action.name, error: String(error) }, 'an action failed');
          send({ type: 'answer', id, answer: { kind: 'not_now' } });
        });
      return;
    }
    const id = idOf(json);
    if (id === undefined) client.close(protocolErrorCode, 'not understood');
    else send({ type: 'answer', id, answer: { kind: 'invalid', message: problemOf(parsed.error) } });
  });
  client.on('error', error => log.warn({ error: error.message }, 'page socket error'));
  client.on('close', () => {
    pages.delete(client);
    stopViews?.();
  });
}

function textOf(data: unknown): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function idOf(json: unknown): number | undefined {
  if (typeof json !== 'object' || json === null || !('id' in json)) return undefined;
  return Number.isSafeInteger(json.id) && (json.id as number) > 0 ? (json.id as number) : undefined;
}

/** Names the invalid field without repeating its value. */
function problemOf(
  error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined,
): string {
  const issue = error?.issues[0];
  return issue ? `${issue.path.join('.') || 'message'}: ${issue.message}` : 'message: is not expected now';
}
