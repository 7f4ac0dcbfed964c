import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  clientMessage,
  type ServerMessage,
  terminalSocketPath,
  wrongTokenCloseCode,
} from '@florin/device/ipc/socket.ts';
import type { ActionResult, UserAction } from '@florin/device/ipc/user-action.ts';
import type { View } from '@florin/device/ipc/view.ts';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { pseudoLanguage } from './pseudo-language.ts';

const built = fileURLToPath(new URL('../../device/renderer/dist/', import.meta.url));
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The script that stands in for that one of Spanish words. */
function inPseudoLanguage(path: string): string {
  const real = JSON.stringify(`.${path.slice(path.lastIndexOf('/'))}?real`);
  return `import { es as real } from ${real};\n${String(pseudoLanguage)}\nexport const es = pseudoLanguage(real);\n`;
}

/** A terminal without a core: serves the built renderer, shows it any View and records the actions it sends. */
export interface ScriptedHost {
  /** The address of the page, with its token. */
  readonly address: string;
  readonly actions: readonly UserAction[];
  /** Sets the answer to all further actions; a promise delays them. */
  answerWith(answer: ActionResult | Promise<ActionResult>): void;
  /** Sends this view now and at every later connection. It may be invalid, to test how the page handles that. */
  show(view: unknown): void;
  /** Closes every connection; with `refuse`, new ones are refused until `acceptConnections`. */
  disconnect(options?: { refuse?: boolean }): void;
  acceptConnections(): void;
  close(): Promise<void>;
}

/** With `replacesSpanish`, the page's Spanish words are those of the pseudo-language. */
export async function scriptedHost(first?: View, { replacesSpanish = false } = {}): Promise<ScriptedHost> {
  const token = 'a token+made/for this=launch';
  const actions: UserAction[] = [];
  const authenticated = new Set<WebSocket>();
  let view: unknown = first;
  let answer: ActionResult | Promise<ActionResult> = { kind: 'accepted' };
  let refusesConnections = false;

  const server = createServer((request, response) => {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://host');
    const file = normalize(join(built, path === '/' ? 'index.html' : path));
    response.setHeader('content-security-policy', "default-src 'self'; form-action 'none'; base-uri 'none'");
    if (replacesSpanish && search === '' && /\/es-[^/]*\.js$/.test(path)) {
      response.setHeader('content-type', contentTypes['.js'] ?? '').end(inPseudoLanguage(path));
      return;
    }
    readFile(file.startsWith(built) ? file : built).then(
      content => response.setHeader('content-type', contentTypes[extname(file)] ?? 'text/plain').end(content),
      () => response.writeHead(404).end(),
    );
  });
  const sockets = new WebSocketServer({ server, path: terminalSocketPath, verifyClient: () => !refusesConnections });
  const send = (socket: WebSocket, message: ServerMessage) => socket.send(JSON.stringify(message));
  sockets.on('connection', socket => {
    const receive = async (data: RawData) => {
      const message = clientMessage.parse(JSON.parse((data as Buffer).toString()));
      if (message.type === 'hello') {
        if (message.token !== token) return socket.close(wrongTokenCloseCode);
        authenticated.add(socket);
        if (view !== undefined) send(socket, { type: 'view', view });
        return;
      }
      if (!authenticated.has(socket)) return socket.close(1008);
      actions.push(message.action);
      send(socket, { type: 'answer', id: message.id, answer: await answer });
    };
    socket.on('message', data => void receive(data));
    socket.on('close', () => authenticated.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${port}/#token=${encodeURIComponent(token)}`,
    actions,
    answerWith(given) {
      answer = given;
    },
    show(shown) {
      view = shown;
      for (const socket of authenticated) send(socket, { type: 'view', view });
    },
    disconnect(options) {
      refusesConnections = options?.refuse ?? false;
      for (const socket of sockets.clients) socket.terminate();
    },
    acceptConnections() {
      refusesConnections = false;
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
