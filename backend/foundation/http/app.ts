import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { ContextLog, Timers } from '@florin/shared/ports.ts';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { serving } from '../context.ts';
import type { ReplicaReads } from '../database/replica.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { type AdmissionOptions, addressOf, isAllowed } from './admission.ts';
import type { Authenticators } from './authenticate.ts';
import { allowAnyOrigin, isForPages, preflight } from './cross-origin.ts';
import { eventStreams, type StreamChange } from './event-stream.ts';
import { type ExchangeOptions, exchangeOf, exchangesOf } from './exchange.ts';
import { withPortal } from './portal.ts';
import { type Limiter, limitersOf, type RateLimitSettings, type RequestCounts } from './rate-limits.ts';
import type { Route } from './route.ts';
import { handlerOf } from './serve.ts';
import type { StreamLimitSettings } from './stream-limits.ts';

export type AppOptions = ExchangeOptions & {
  readonly log: ContextLog;
  readonly routes: readonly Route[];
  readonly authenticators: Authenticators;
  readonly idempotency: Idempotency;
  readonly replicaReads: ReplicaReads;
  readonly rateLimits: RateLimitSettings;
  readonly requestCounts: RequestCounts;
  readonly streamLimits: StreamLimitSettings;
  /** Called when an event stream opens, closes, or is refused, for the metrics. */
  readonly onStream?: ((change: StreamChange) => void) | undefined;
  readonly timers: Timers;
  readonly maxBodyBytes: number;
  /** Addresses and networks whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies: readonly string[];
  /** The origins of the portal's own page, from which its writes are taken. */
  readonly ownOrigins: ReadonlySet<string>;
  /** Prefixes of our keys and tokens, which are refused in an address. */
  readonly credentialPrefixes: readonly string[];
  /** Called when a caller lacks a permission. */
  readonly onForbidden?: AdmissionOptions['onForbidden'];
  /** Of `/healthz` and `/readyz`: 200 when undefined, else 503 with this as the reason. */
  readonly whyNotReady: () => Promise<string | undefined>;
  /** Documents served as they are, such as the OpenAPI description, by their path. */
  readonly documents?: Readonly<Record<string, Document>>;
  /** Ends every event stream: the service is stopping. */
  readonly stopping: AbortSignal;
  /** Whether every response is held against its contract before it is sent (tests). */
  readonly checkResponses?: boolean;
};

export type Document = {
  readonly mediaType: string;
  readonly content: () => string | Uint8Array;
  /** Whether pages of any origin may read it. */
  readonly isForPages?: boolean;
  /** Where it is a page. */
  readonly contentSecurityPolicy?: string;
};

/** What is known of a path beside its handlers. */
type Resource = {
  readonly methods: readonly string[];
  readonly isForPages?: boolean | undefined;
  readonly errorShape?: AnyContract['errorShape'];
};

function resourceServedBy(routes: readonly Route[]): Resource {
  const contracts = routes.map(({ contract }) => contract);
  return {
    methods: contracts.map(({ method }) => method),
    isForPages: contracts.some(isForPages),
    errorShape: contracts[0]?.errorShape,
  };
}

/** The HTTP interface: every contract with what serves it, and the one error shape for everything else. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...options.trustedProxies]);

  const exchanges = exchangesOf(options);
  const limiters = limitersOf(options.rateLimits, options.requestCounts);
  const limitedBy = (limiter: Limiter): RequestHandler => {
    return async (request, response, next) => {
      if (await isAllowed(exchangeOf(response), limiter, addressOf(request))) next();
    };
  };

  /** What a known path answers to the methods it does not take. */
  const refuseOtherMethods = ({ methods, isForPages, errorShape }: Resource): RequestHandler[] => {
    const message = `This address takes ${methods.join(', ')} only`;
    const allowed = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const header = ['Allow', [...allowed, ...(isForPages ? ['OPTIONS'] : [])].join(', ')];
    return [
      limitedBy(limiters.perAddress),
      (_request, response) => {
        const exchange = exchangeOf(response);
        exchange.shapeErrors(errorShape);
        exchange.refuse({ status: 405, message }, header);
      },
    ];
  };

  const streams = eventStreams(options);
  function routerOf(paths: ReadonlyMap<string, readonly Route[]>): Router {
    const router = express.Router({ caseSensitive: true });
    for (const [path, routes] of paths) {
      const at = router.route(path);
      const resource = resourceServedBy(routes);
      if (resource.isForPages)
        at.all(allowAnyOrigin).options(limitedBy(limiters.probes), preflight(resource.methods.join(', ')));
      for (const route of routes)
        at[route.contract.method.toLowerCase() as 'get'](handlerOf(route, { ...options, limiters, streams }));
      at.all(refuseOtherMethods(resource));
    }
    return router;
  }
  const resources = byResource(withPortal(options.routes));
  const routers = new Map<string, Router>();
  app.use((request, response, next) => {
    const { requestId } = exchanges.open(request, response);
    // Node joins repeated headers, so that two are none that is valid.
    const { traceparent } = request.headers;
    serving({ requestId, traceparent: traceparent?.toString() }, () => {
      const resource = resourceOf(request.path);
      const paths = resources.get(resource);
      if (!paths) return next();
      const router = routers.get(resource) ?? routerOf(paths);
      routers.set(resource, router);
      router(request, response, next);
    });
  });
  const healthz = app.route('/healthz').get(limitedBy(limiters.probes), (_request, response) => {
    exchangeOf(response).sendJson(200, '{"status":"ok"}');
  });
  const readyz = app.route('/readyz').get(limitedBy(limiters.probes), async (_request, response) => {
    const exchange = exchangeOf(response);
    const message = await options.whyNotReady();
    if (message === undefined) exchange.sendJson(200, '{"status":"ready"}');
    else exchange.refuse({ status: 503, message, metadata: { reason: 'not_ready', retryAfterSeconds: 5 } });
  });
  for (const probe of [healthz, readyz]) probe.all(refuseOtherMethods({ methods: ['GET'] }));
  for (const [path, document] of Object.entries(options.documents ?? {})) {
    const { mediaType, content, isForPages, contentSecurityPolicy } = document;
    const at = app.route(path);
    if (isForPages) at.all(allowAnyOrigin).options(limitedBy(limiters.probes), preflight('GET'));
    at.get(limitedBy(limiters.perAddress), (_request, response) => {
      exchangeOf(response).send(200, mediaType, content(), [], contentSecurityPolicy);
    });
    at.all(refuseOtherMethods({ methods: ['GET'], isForPages }));
  }
  app.use(limitedBy(limiters.perAddress), (_request, response) => {
    exchangeOf(response).refuse({ status: 404, message: 'There is nothing at this address' });
  });
  app.use(unforeseen);
  return app;
}

/**
 * Gives the classes of a server's requests and responses the methods that Express adds to each. Otherwise Express changes the
 * prototype of every request and response, which costs a twelfth of the time of a request.
 */
export function extendMessages(
  classes: {
    readonly IncomingMessage: { readonly prototype: IncomingMessage };
    readonly ServerResponse: { readonly prototype: ServerResponse };
  },
  app: Express,
): void {
  app.request = Object.setPrototypeOf(classes.IncomingMessage.prototype, app.request);
  app.response = Object.setPrototypeOf(classes.ServerResponse.prototype, app.response);
}

/** The part of a path that names its area, such as `/api/v1/refunds` or `/pay`. */
function resourceOf(path: string): string {
  return /^\/(?:portal\/(?=assets\/)|(?:api|device|kiosk)\/v1\/)?[^/]*/.exec(path)?.[0] ?? '';
}

/**
 * The paths of each resource, which have a router of their own: Express tries one path after the other, and reads each into
 * a regular expression when it is declared.
 */
function byResource(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, readonly Route[]>> {
  const resources = new Map<string, Map<string, readonly Route[]>>();
  for (const [path, served] of byPath(routes)) {
    const resource = resourceOf(path);
    if (resource.includes(':')) throw new Error(`${path} begins with a parameter`);
    resources.set(resource, (resources.get(resource) ?? new Map()).set(path, served));
  }
  return resources;
}

/** Routes by Express’s path (`{id}` becomes `:id`), so that a known path with another method is 405 and not 404. */
function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  const names = new Set<string>();
  for (const route of routes) {
    const { name, method } = route.contract;
    const path = expressPath(route.contract);
    const known = paths.get(path) ?? [];
    if (names.has(name)) throw new Error(`two routes are named ${name}`);
    if (known.some(other => other.contract.method === method)) throw new Error(`two routes serve ${method} ${path}`);
    names.add(name);
    paths.set(path, [...known, route]);
  }
  // A literal segment before a parameter in its place: `/checkout/subscribe` must not be read as the checkout "subscribe".
  const order = (path: string) => path.replace(/:\w+/g, '\uffff');
  return new Map([...paths].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1)));
}

function expressPath({ path }: AnyContract): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Errors of Express, and whatever a handler threw. */
const unforeseen: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const exchange = exchangeOf(response);
  const { status } = error as { status?: number };
  if (status === 400 && error instanceof URIError)
    exchange.refuse({
      status: 400,
      message: 'The address is not valid: it has invalid percent-encoding',
      metadata: { reason: 'address_invalid' },
    });
  else exchange.fail(error);
};
