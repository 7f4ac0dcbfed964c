import type { RequestListener } from 'node:http';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import Router from 'router';
import type { Idempotency } from '../idempotency/service.ts';
import { addressReader } from './address.ts';
import type { Authenticators } from './authenticate.ts';
import { type Exchanges, exchangesOf } from './exchange.ts';

import { limitersOf, type RateLimitSettings } from './rate-limits.ts';
import type { Route } from './route.ts';
import { serverOf } from './serve.ts';

export type AppOptions = {
  readonly routes: readonly Route[];
  readonly authenticators: Authenticators;
  readonly idempotency: Idempotency;
  readonly rateLimits: RateLimitSettings;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly maxBodyBytes: number;
  /** Addresses and networks whose X-Forwarded-For is believed; none unless told. */
  readonly trustedProxies: readonly string[];
  /** What our keys and tokens start with, to refuse them in an address. */
  readonly keyPrefixes: readonly string[];
  /** Answers of `/healthz` and `/readyz`: 200 when undefined, else 503 with this as the reason. */
  readonly whyNotReady: () => Promise<string | undefined>;
  /** Documents served as they are, such as the OpenAPI description. */
  readonly documents?: Readonly<Record<string, () => string>>;
  /** Whether every response is held against its contract before it is sent (tests). */
  readonly checkResponses?: boolean;
};

/**
 * The HTTP interface: every contract with what serves it, and the one error shape for everything else. It is the router of
 * Express without the rest of it, which would be loaded at every start and run at every request for nothing used here.
 */
export function createApp(options: AppOptions): RequestListener {
  const app = new Router({ caseSensitive: true });
  const exchanges = exchangesOf(options);
  const serving = {
    ...options,
    exchanges,
    limiters: limitersOf(options.rateLimits),
    addressOf: addressReader(options.trustedProxies),
  };
  for (const [path, routes] of byPath(options.routes)) {
    const at = app.route(path);
    for (const route of routes) {
      const serve = serverOf(route, serving);
      at[route.contract.method.toLowerCase() as 'get'](serve);
    }
    const allowed = routes.map(route => route.contract.method).join(', ');
    at.all((request, response) => {
      const exchange = exchanges.open(request, response, path);
      exchange.refuse({ status: 405, message: `This address takes ${allowed} only` }, ['Allow', allowed]);
    });
  }
  addProbes(app, options, exchanges);
  app.use((request, response) => {
    exchanges.open(request, response, '(unknown)').refuse({ status: 404, message: 'There is nothing at this address' });
  });
  app.use((error: unknown, request: Router.Request, response: Router.Response, _next: Router.NextFunction) => {
    const exchange = exchanges.open(request, response, '(unreadable)');
    const status = (error as { status?: number }).status;
    if (status === 400) exchange.refuse({ status: 400, message: 'The address is not valid' });
    else exchange.fail(error);
  });
  // Comes here only when even the refusal failed: there is nothing left to answer with.
  return (request, response) => app(request, response, () => response.destroy());
}

/** Routes by the router’s path (`{id}` becomes `:id`), so that a known path with another method is 405 and not 404. */
function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  const names = new Set<string>();
  for (const route of routes) {
    const { name, method } = route.contract;
    const path = route.contract.path.replace(/\{(\w+)\}/g, ':$1');
    const known = paths.get(path) ?? [];
    if (names.has(name)) throw new Error(`two routes are named ${name}`);
    if (known.some(other => other.contract.method === method)) throw new Error(`two routes serve ${method} ${path}`);
    names.add(name);
    paths.set(path, [...known, route]);
  }
  // Literal segments before parameters: `/checkout/subscribe` must not be read as the checkout "subscribe".
  return new Map([...paths].sort(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':'))));
}

function addProbes(app: Router.Router, options: AppOptions, exchanges: Exchanges): void {
  app.get('/healthz', (request, response) => {
    exchanges.open(request, response, '/healthz').send(200, '{"status":"ok"}');
  });
  app.get('/readyz', async (request, response) => {
    const exchange = exchanges.open(request, response, '/readyz');
    const reason = await options.whyNotReady();
    if (reason === undefined) exchange.send(200, '{"status":"ready"}');
    else exchange.refuse({ status: 503, message: reason, metadata: { reason: 'not_ready' } });
  });
  for (const [path, document] of Object.entries(options.documents ?? {})) {
    app.get(path, (request, response) => exchanges.open(request, response, path).send(200, document()));
  }
}
