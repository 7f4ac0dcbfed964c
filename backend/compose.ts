import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import { type Clock, type Ids, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { type ApiKeyService, apiKeyPrefix, apiKeyService } from './api-keys/service.ts';
import { type BusinessService, businessService } from './businesses/service.ts';
import type { Settings } from './config/settings.ts';
import type { Database } from './database/database.ts';
import { openSqlite } from './database/sqlite.ts';
import { type Engine, engineOf } from './engine.ts';
import { engineRoutes } from './engine-routes.ts';
import { cardstreamGateway } from './gateways/cardstream/gateway.ts';
import type { CardGateway } from './gateways/gateway.ts';
import { gatewayRoutes } from './gateways/routes.ts';
import { createApp } from './http/app.ts';
import type { Log } from './http/log.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Route } from './http/route.ts';
import { idempotencyService } from './idempotency/service.ts';
import { jobRunner } from './jobs/runner.ts';
import { defaultSettlement } from './payments/settlement.ts';
import { systemClock, systemIds, systemRandom, systemTimers } from './platform/system.ts';
import { argon2Derivation } from './staff/password.ts';
import { terminalRoutes } from './terminals/routes.ts';
import { deviceTokenPrefix, type TerminalService, terminalService } from './terminals/service.ts';
import { syncService } from './terminals/sync.ts';

/** What a program may put in place of the real thing: a test its clock, the simulation everything. */
export type Platform = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
};

export const systemPlatform: Platform = {
  clock: systemClock,
  timers: systemTimers,
  random: systemRandom,
  ids: systemIds,
};

export type Backend = {
  readonly database: Database;
  readonly engine: Engine;
  readonly services: {
    readonly businesses: BusinessService;
    readonly apiKeys: ApiKeyService;
    readonly terminals: TerminalService;
  };
  readonly routes: readonly Route[];
  readonly app: RequestListener;
  /** Begins the background work this role does. */
  startJobs(): void;
  /** Ends background work and closes the database. */
  close(): Promise<void>;
};

export type ComposeOptions = {
  readonly settings: Settings;
  readonly log: Log;
  /** Where the outside world reaches this service. */
  readonly publicUrl: string;
  /** In place of the card gateway the settings name (tests, simulation). */
  readonly gateway?: CardGateway;
  readonly platform?: Partial<Platform>;
  /** Routes beyond the product's own (tests of the HTTP layer). */
  readonly extraRoutes?: readonly Route[];
  /** Whether every answer is held against its contract before it is sent (tests). */
  readonly checkAnswers?: boolean;
};

/** Chooses every implementation and joins them; the only place that does. */
export async function compose(options: ComposeOptions): Promise<Backend> {
  const { settings, log } = options;
  const platform = { ...systemPlatform, ...options.platform };
  const { clock, timers, ids } = platform;
  const database = await openDatabase(settings);
  const gateway = options.gateway ?? cardstream(settings, options.publicUrl, timers);
  const onJobError = (job: string, error: unknown) => log.error({ job, err: error }, 'background work failed');
  const engine = engineOf({
    database,
    gateway,
    ...platform,
    derivePassword: argon2Derivation(),
    settings: {
      lockout: settings.lockout,
      staff: { nonceMs: settings.staffNonceLifeMs },
      asking: settings.asking,
      recoveryEveryMs: settings.recoveryEveryMs,
      settlement: { ...defaultSettlement, pollMs: settings.settlementPollMs },
    },
    onJobError,
  });
  const changes = engine.audit;
  const idempotency = idempotencyService({ database, clock, timers, settings: settings.idempotency });
  const businesses = businessService({ database, ...platform, changes });
  const apiKeys = apiKeyService({ database, ...platform, changes, brand: settings.brand });
  const terminals = terminalService({
    database,
    ...platform,
    changes,
    businesses,
    refundedToday: (businessId, staffIds) => engine.staff.refundedToday(businessId, staffIds),
    lockout: settings.lockout,
    enrolmentCodeLifeMs: settings.enrolmentCodeLifeMs,
    brand: settings.brand,
  });
  const { recordOfflineCheck } = engine.staffChecks;
  const sync = syncService({ database, clock, terminals, recordOfflineCheck });
  const routes = [
    ...apiKeyRoutes(apiKeys),
    ...terminalRoutes(terminals, sync),
    ...engineRoutes(engine, { clock, publicUrl: options.publicUrl }),
    ...gatewayRoutes(engine.takeCallback),
    ...(options.extraRoutes ?? []),
  ];
  const app = createApp({
    // A worker answers its probes and nothing else.
    routes: settings.role === 'worker' ? [] : routes,
    credentials: {
      apiKey: key => apiKeys.authenticate(key),
      deviceToken: token => terminals.authenticate(token),
    },
    idempotency,
    rateLimits: settings.rateLimits,
    log,
    clock,
    ids,
    maxBodyBytes: settings.maxBodyBytes,
    trustedProxies: settings.trustedProxies,
    keyPrefixes: [apiKeyPrefix(settings.brand), deviceTokenPrefix(settings.brand)],
    whyNotReady: () => whyNotReady(database, timers),
    documents: documentsOf(routes),
    ...(options.checkAnswers ? { checkAnswers: true } : {}),
  });
  const housekeeping = jobRunner({
    jobs: [{ name: 'idempotency-purge', everyMs: housekeepingEveryMs, run: () => idempotency.deleteExpired() }],
    timers,
    onError: onJobError,
  });
  return {
    database,
    engine,
    services: { businesses, apiKeys, terminals },
    routes,
    app,
    startJobs() {
      if (settings.role === 'api') return;
      engine.jobs.start();
      housekeeping.start();
    },
    async close() {
      await Promise.all([engine.jobs.stop(), housekeeping.stop()]);
      await database.close();
    },
  };
}

const housekeepingEveryMs = 10 * 60_000;

function cardstream(settings: Settings, publicUrl: string, timers: Timers): CardGateway {
  const { url, reporting, ...gateway } = settings.gateway;
  return cardstreamGateway({
    ...gateway,
    directUrl: `${url}/direct/`,
    callbackUrl: `${publicUrl}${takeGatewayCallback.path}`,
    reporting: { url: `${url}/rest/transactions`, ...reporting },
    timers,
  });
}

/** The APIs that describe themselves, each at its own address. */
export function documentsOf(routes: readonly Route[]): Record<string, () => string> {
  const describe = (prefix: string, title: string): [string, () => string] => {
    const contracts = routes.map(({ contract }) => contract).filter(({ path }) => path.startsWith(`${prefix}/`));
    let text: string | undefined;
    return [
      `${prefix}/openapi.json`,
      () => {
        text ??= JSON.stringify(openApiDocument({ title, contracts }));
        return text;
      },
    ];
  };
  return Object.fromEntries([describe('/api/v1', 'Florin API'), describe('/device/v1', 'Florin terminal API')]);
}

const readyWithinMs = 2_000;

/** Whether the database takes writes. Migrations ran before this process began to listen. */
async function whyNotReady(database: Database, timers: Timers): Promise<string | undefined> {
  const answered = database
    .write(async () => {})
    .then(
      () => undefined,
      () => 'The database takes no writes',
    );
  const giveUp = new AbortController();
  const late = wait(timers, readyWithinMs, giveUp.signal).then(() => 'The database does not answer');
  const reason = await Promise.race([answered, late]);
  giveUp.abort();
  return reason;
}

/** Opens and migrates: once this resolves the schema is this program's. */
export async function openDatabase(settings: Settings): Promise<Database> {
  if (settings.databaseUrl !== undefined) {
    // Loaded where it is used: most installations have no PostgreSQL, and its driver costs every start.
    const { openPostgres } = await import('./database/postgres.ts');
    return openPostgres({
      connectionString: settings.databaseUrl,
      maximumConnections: settings.databaseConnections,
    });
  }
  mkdirSync(settings.data, { recursive: true });
  return openSqlite({ file: join(settings.data, 'backend.db') });
}
