import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Ids, Random, Timers } from '@florin/shared/ports.ts';
import type { Express } from 'express';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { type ApiKeyService, apiKeyPrefix, apiKeyService } from './api-keys/service.ts';
import { type BusinessService, businessService } from './businesses/service.ts';
import type { Settings } from './config/settings.ts';
import type { Database } from './database/database.ts';
import { openPostgres } from './database/postgres.ts';
import { openSqlite } from './database/sqlite.ts';
import { createApp } from './http/app.ts';
import type { Log } from './http/log.ts';
import type { Route } from './http/route.ts';
import { idempotencyService } from './idempotency/service.ts';
import { systemClock, systemIds, systemRandom, systemTimers } from './platform/system.ts';

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
  readonly services: { readonly businesses: BusinessService; readonly apiKeys: ApiKeyService };
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
  const businesses = businessService({ database, ...platform, audit: async () => {} });
  const apiKeys = apiKeyService({ database, ...platform, brand: settings.brand, audit: async () => {} });
  const routes = [...apiKeyRoutes(apiKeys), ...(options.extraRoutes ?? [])];
  const app = createApp({
    routes,
    credentials: { apiKey: key => apiKeys.authenticate(key), deviceToken: async () => undefined },
    idempotency,
    rateLimits: settings.rateLimits,
    log,
    clock,
    ids,
    maxBodyBytes: settings.maxBodyBytes,
    trustedProxies: settings.trustedProxies,
    keyPrefixes: [apiKeyPrefix(settings.brand)],
    whyNotReady: async () => undefined,
    ...(options.checkAnswers ? { checkAnswers: true } : {}),
  });
  return { database, services: { businesses, apiKeys }, routes, app, close: () => database.close() };
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
