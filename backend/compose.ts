import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Ids, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import type { Express } from 'express';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { type ApiKeyService, apiKeyPrefix, apiKeyService } from './api-keys/service.ts';
import type { ChangeLog } from './businesses/change-log.ts';
import { type BusinessService, businessService } from './businesses/service.ts';
import type { Settings } from './config/settings.ts';
import type { Database } from './database/database.ts';
import { openPostgres } from './database/postgres.ts';
import { openSqlite } from './database/sqlite.ts';
import { createApp } from './http/app.ts';
import type { Log } from './http/log.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Route } from './http/route.ts';
import { idempotencyService } from './idempotency/service.ts';
import { systemClock, systemIds, systemRandom, systemTimers } from './platform/system.ts';
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
  readonly services: {
    readonly businesses: BusinessService;
    readonly apiKeys: ApiKeyService;
    readonly terminals: TerminalService;
  };
  readonly routes: readonly Route[];
  readonly app: Express;
  close(): Promise<void>;
};

export type ComposeOptions = {
  readonly settings: Settings;
  readonly log: Log;
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
  const idempotency = idempotencyService({ database, clock, timers, settings: settings.idempotency });
  const changes: ChangeLog = { append: async () => {} };
  const businesses = businessService({ database, ...platform, changes });
  const apiKeys = apiKeyService({ database, ...platform, changes, brand: settings.brand });
  const terminals = terminalService({
    database,
    ...platform,
    changes,
    businesses,
    dayOf: now => ({ from: now, to: now }),
    lockout: settings.lockout,
    enrolmentCodeLifeMs: settings.enrolmentCodeLifeMs,
    brand: settings.brand,
  });
  const sync = syncService({ database, clock, terminals, recordOfflineCheck: async () => true });
  const routes = [...apiKeyRoutes(apiKeys), ...terminalRoutes(terminals, sync), ...(options.extraRoutes ?? [])];
  const app = createApp({
    routes,
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
  return {
    database,
    services: { businesses, apiKeys, terminals },
    routes,
    app,
    close: () => database.close(),
  };
}

/** The APIs that describe themselves, each at its own address. */
function documentsOf(routes: readonly Route[]): Record<string, () => string> {
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
    return openPostgres({
      connectionString: settings.databaseUrl,
      maximumConnections: settings.databaseConnections,
    });
  }
  mkdirSync(settings.data, { recursive: true });
  return openSqlite({ file: join(settings.data, 'backend.db') });
}
