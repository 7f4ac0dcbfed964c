import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { testerPageFiles } from '@florin/shared/files/tester-pages.ts';
import type { Cancel } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import { action } from './actions.ts';
import { realTimers } from './platform/real.ts';
import { printerAction } from './printer/actions.ts';
import { codeImage } from './printer/code-image.ts';
import type { RunningPrinter } from './printer/start.ts';
import { bugReport } from './report.ts';
import { parseScenario } from './scenarios/scenario.ts';
import type { TesterSession } from './scenarios/session.ts';
import { type ReaderSimulator, refusalText } from './simulator.ts';

/** The tester's page and its HTTP interface, for this machine only. README.md lists its operations. */
export type SimulatorServer = { readonly url: string; close(): Promise<void> };

const maxBodyBytes = 10_000;
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page's update interval; the state is sent whole, because it is small. */
const updateEveryMs = 30;

/** Port 0 takes a free one. Rejects if it cannot listen; `close` also ends open connections. */
export async function startServer(options: {
  simulator: ReaderSimulator;
  session: TesterSession;
  /** Undefined without a printer: its page then answers 404. */
  printer?: RunningPrinter | undefined;
  host: string;
  port: number;
}): Promise<SimulatorServer> {
  const { simulator, session, printer } = options;
  const pages = loadPages();
  const routes: Routes = {
    ...readerRoutes(simulator, session),
    ...scenarioRoutes(simulator, session),
    ...(printer ? printerRoutes(printer) : {}),
  };
  if (!printer) for (const path of printerPages) pages.delete(path);
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    handle(request, response, routes, pages).catch((error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error));
      refuse(response, 500, 'internal', 'Internal error');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}`, close: () => closeServer(server) };
}

const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const printerPages = ['/printer', '/printer.css', '/printer.js'];

type Page = { readonly type: string; readonly body: string | Buffer };

function loadPages(): Map<string, Page> {
  const read = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');
  const style = (name: string): [string, Page] => [`/${name}.css`, { type: 'text/css', body: read(`${name}.css`) }];
  const script = (name: string): [string, Page] => [
    `/${name}.js`,
    { type: 'text/javascript', body: scriptOf(read(`${name}.ts`)) },
  ];
  return new Map([
    ['/', { type: 'text/html', body: read('index.html') }],
    ['/printer', { type: 'text/html', body: read('printer.html') }],
    ...Object.entries(testerPageFiles()).map(([path, { type, content }]): [string, Page] => [
      path,
      { type, body: content },
    ]),
    ...['style', 'device', 'timeline', 'printer'].map(style),
    ...['app', 'dom', 'cards', 'timeline', 'event-text', 'scenarios', 'printer'].map(script),
    ['/icon.svg', { type: 'image/svg+xml', body: read('icon.svg') }],
  ]);
}

/** Suppresses Node's warning that this function is experimental. */
function scriptOf(typeScript: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typeScript).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
  } finally {
    process.emitWarning = emitWarning;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void | Promise<void>;
/** By method and path. */
type Routes = Readonly<Record<string, Handler>>;

function readerRoutes(simulator: ReaderSimulator, session: TesterSession): Routes {
  return {
    'GET /api/state': (_, response) => answer(response, 200, simulator.state()),
    'GET /api/timeline': (_, response) => answer(response, 200, { items: simulator.timeline.events }),
    'GET /api/events'(_, response) {
      let sent = 0;
      stream(response, {
        onChange(listener) {
          const stops = [simulator.onChange(listener), session.onChange(listener)];
          return () => {
            for (const stop of stops) stop();
          };
        },
        update() {
          const events = simulator.timeline.after(sent);
          sent = events.at(-1)?.number ?? sent;
          return { state: simulator.state(), events, scenario: session.state() };
        },
      });
    },
    async 'POST /api/actions'(request, response) {
      const wanted = await actionOf(request, response, action);
      if (wanted === undefined) return;
      const refusal = await simulator.act(wanted);
      if (refusal === undefined) answer(response, 200, simulator.state());
      else refuse(response, 409, 'not_now', refusalText(refusal), { reason: refusal.kind });
    },
  };
}

/** Scenarios that come with the simulator, by file name. */
function shippedScenarios(): { file: string; text: string }[] {
  const folder = new URL('scenarios/', import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith('.yaml'));
  return files.toSorted().map(file => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
}

function scenarioRoutes(simulator: ReaderSimulator, session: TesterSession): Routes {
  return {
    'GET /api/scenarios': (_, response) => answer(response, 200, { items: shippedScenarios() }),
    /** Starts a scenario; its progress is in the events. */
    async 'POST /api/scenario'(request, response) {
      const text = await readBody(request);
      if (text === undefined) return refuse(response, 413, 'too_large', 'That is too much');
      const scenario = parseScenario(text);
      if (!scenario.ok) return refuse(response, 400, 'invalid_request', scenario.refusal.message);
      void session.run(scenario.value);
      answer(response, 200, session.state());
    },
    'GET /api/recording': (_, response) => download(response, 'scenario.yaml', session.recording()),
    'GET /api/report': (_, response) => download(response, 'reader-report.md', bugReport({ simulator, session })),
  };
}

function download(response: ServerResponse, name: string, text: string): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.end(text);
}

function printerRoutes(printer: RunningPrinter): Routes {
  const state = () => ({ ...printer.state(), path: printer.path });
  return {
    'GET /api/printer/state': (_, response) => answer(response, 200, state()),
    'GET /api/printer/events': (_, response) =>
      stream(response, { onChange: listener => printer.onChange(listener), update: state }),
    'GET /api/printer/code.svg'(_, response, query) {
      const image = codeImage(query.get('text') ?? '');
      if (image === undefined) return refuse(response, 400, 'invalid_request', 'text: must be 1 to 2000 characters');
      response.setHeader('Content-Type', 'image/svg+xml');
      response.end(image);
    },
    async 'POST /api/printer/actions'(request, response) {
      const wanted = await actionOf(request, response, printerAction);
      if (wanted === undefined) return;
      printer.act(wanted);
      answer(response, 200, state());
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
  pages: ReadonlyMap<string, Page>,
): Promise<void> {
  if (!isOwnOrigin(request)) return refuse(response, 403, 'forbidden', 'Only pages of this simulator may use it');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
  const page = pages.get(pathname);
  const route = routes[`${request.method} ${pathname}`];
  if (page !== undefined && request.method === 'GET') {
    const isText = typeof page.body === 'string';
    response.setHeader('Content-Type', isText ? `${page.type}; charset=utf-8` : page.type);
    response.end(page.body);
  } else if (route) await route(request, response, searchParams);
  else refuse(response, 404, 'not_found', 'There is nothing here');
}

/** Blocks DNS rebinding and cross-origin requests from other sites. */
function isOwnOrigin(request: IncomingMessage): boolean {
  const host = request.headers.host ?? '';
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)) return false;
  const { origin } = request.headers;
  return origin === undefined || origin === `http://${host}`;
}

/** The action in the body; undefined if it was refused. */
async function actionOf<Action>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: z.ZodType<Action>,
): Promise<Action | undefined> {
  const refused = (status: number, code: string, message: string, metadata?: object) => {
    refuse(response, status, code, message, metadata);
    return undefined;
  };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return refused(415, 'unsupported_media_type', 'Send application/json');
  const body = await readBody(request);
  if (body === undefined) return refused(413, 'too_large', 'That is too much');
  let document: unknown;
  try {
    document = JSON.parse(body);
  } catch {
    return refused(400, 'invalid_request', 'The body is not JSON');
  }
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return refused(400, 'invalid_request', issues[0]?.message ?? 'Not an action', { issues });
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Server-sent events: what is new, at every change. */
function stream(
  response: ServerResponse,
  { onChange, update }: { onChange: (listener: () => void) => () => void; update: () => object },
): void {
  response.setHeader('Content-Type', 'text/event-stream');
  let pending: Cancel | undefined;
  const push = () => {
    pending = undefined;
    response.write(`data: ${JSON.stringify(update())}\n\n`);
  };
  const stop = onChange(() => {
    pending ??= realTimers.after(updateEveryMs, push);
  });
  push();
  response.once('close', () => {
    stop();
    pending?.();
  });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message: string, metadata?: object): void {
  answer(response, status, { error: { code, message, ...(metadata === undefined ? {} : { metadata }) } });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}
