import { join } from 'node:path';
import { operations } from '@florin/shared/contracts/operations.ts';
import { makeFolder } from '@florin/shared/files/folder.ts';
import {
  type Clock,
  type ContextLog,
  type Ids,
  type Log,
  type Random,
  type Timers,
  wait,
} from '@florin/shared/ports.ts';
import type { Express } from 'express';
import type { NodeRegistry } from './bitcoin/nodes/adapter.ts';
import { nodeRegistry } from './bitcoin/nodes/registry.ts';
import { exchangeSource } from './bitcoin/rates/exchange-source.ts';
import { compose, type Services } from './compose.ts';
import type { Settings } from './config/settings.ts';
import type { Database } from './foundation/database/database.ts';
import { readsPrimary, withReplica } from './foundation/database/replica.ts';
import { openSqlite } from './foundation/database/sqlite.ts';
import { sqliteNotifications } from './foundation/database/sqlite-notifications.ts';
import type { EventConsumer } from './foundation/events/dispatcher.ts';
import { createApp } from './foundation/http/app.ts';
import type { Authenticators } from './foundation/http/authenticate.ts';
import { documentsOf } from './foundation/http/description/reference.ts';
import { ownOrigins } from './foundation/http/portal.ts';
import { countsInMemory, type RequestCounts } from './foundation/http/rate-limits.ts';
import type { Route } from './foundation/http/route.ts';
import { measuredDatabase } from './foundation/metrics/measured.ts';
import type { createMetrics, Metrics } from './foundation/metrics/metrics.ts';
import { guardedOutbound, type Resolve } from './foundation/outbound/guarded.ts';
import { backupProvenAt } from './foundation/platform/last-backup.ts';
import { roomIn } from './foundation/platform/room.ts';
import { newSecretsKeyIn, secretsKeyIn } from './foundation/platform/secrets-key.ts';
import { steadyClock } from './foundation/platform/steady-clock.ts';
import { systemClock, systemElapsedMs, systemIds, systemRandom, systemTimers } from './foundation/platform/system.ts';
import { SecretsKeyMissing, type SecretsKeys } from './foundation/secrets/keys.ts';
import { permanentKeyIn } from './foundation/secrets/permanent-key.ts';
import type { AccountSettings } from './gateways/accounts/settings-account.ts';
import type { GatewayRegistry } from './gateways/adapter.ts';
import { measuredGateways } from './gateways/measured.ts';
import { gatewayRegistry } from './gateways/registry.ts';
import { smtpMailer } from './messaging/notifications/smtp.ts';
import { argon2Derivation } from './people/staff/password.ts';

/** Replacements for real parts in tests. */
export type Platform = {
  readonly clock: Clock;
  /** Monotonic time in milliseconds; unaffected by changes to the system clock. */
  readonly elapsedMs: () => number;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  /** Replaces DNS lookups of host names given by merchants. */
  readonly resolve?: Resolve;
};

export const systemPlatform: Platform = {
  clock: systemClock,
  elapsedMs: systemElapsedMs,
  timers: systemTimers,
  random: systemRandom,
  ids: systemIds,
};

export type Backend = {
  readonly database: Database;
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly app: Express;
  /** Undefined if no metrics port is configured. */
  readonly metrics: Metrics | undefined;
  /** Starts the background work of this role. */
  startJobs(): void;
  /** Ends event streams, which otherwise stay open. */
  endStreams(): void;
  /** Stops background work and closes the database. */
  close(): Promise<void>;
};

export type BackendOptions = {
  readonly settings: Settings;
  readonly log: ContextLog;
  /** This service's public base URL. */
  readonly publicUrl: string;
  /** Additional consumers of events (tests). */
  readonly consumers?: readonly EventConsumer[];
  /** Replaces the product's own adapters (tests, bench). */
  readonly gatewayRegistry?: GatewayRegistry;
  readonly nodeRegistry?: NodeRegistry;
  readonly platform?: Partial<Platform>;
  /** Additional routes (tests of the HTTP layer). */
  readonly extraRoutes?: readonly Route[];
  /** Additional or replacement authenticators (tests of the HTTP layer). */
  readonly authenticators?: Authenticators;
  /** Whether every response is validated against its contract before it is sent (tests). */
  readonly checkResponses?: boolean;
};

const hourMs = 3_600_000;

/** Chooses the implementation of every port from the settings, and composes the modules. */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  const { settings, log, publicUrl, extraRoutes = [] } = options;
  const platform = { ...systemPlatform, ...options.platform };
  const { clock, timers, elapsedMs } = platform;
  const outbound = await openOutbound(settings, platform);
  const { database: opened, notifications, replicaReads } = await openShared(settings, platform, log);
  const lockClock = lockClockOf(settings, platform, log);
  const metrics = await openMetrics(settings, { database: opened, clock, log, clockLagMs: () => lockClock.lagMs() });
  const measuring = metrics && { metrics, elapsedMs };
  const registry = options.gatewayRegistry ?? gatewayRegistry({ timers, timeoutMs: settings.gateway.timeoutMs });
  const mailer = settings.smtp && smtpMailer(settings.smtp);
  const { keyPorts, permitNewKey } = await openKeys(settings, platform, opened);
  const ports = {
    ...platform,
    outbound,
    mailer,
    steadyClock: lockClock,
    database: measuring ? measuredDatabase(opened, measuring) : opened,
    replicaReads,
    notifications,
    rateSources: rateSourcesOf(settings, timers),
    nodeRegistry: options.nodeRegistry ?? nodesOf(settings, platform),
    gatewayRegistry: measuring ? measuredGateways(registry, measuring) : registry,
    log,
    derivePassword: argon2Derivation(),
    ...keyPorts,
    consumers: options.consumers ?? [],
    onCallbackRepeated: metrics?.callbackRepeated,
    onRequestsUnrecorded: metrics?.requestsUnrecorded,
  };
  const { database, services, ...composed } = compose(ports, settingsOfServices(options));
  await permitNewKey(services);
  const routes = [...composed.routes, ...extraRoutes];
  const requestCounts = await openRequestCounts(settings, log);
  const stopping = new AbortController();
  const app = createApp({
    // A worker serves only its probes.
    routes: settings.role === 'worker' ? [] : routes,
    authenticators: { ...composed.authenticators, ...options.authenticators },
    idempotency: services.idempotency,
    replicaReads,
    onAnswered: metrics?.answered,
    onApiCall: services.apiRequests.record,
    onStream: metrics?.streamChanged,
    streamLimits: settings.streamLimits,
    rateLimits: settings.rateLimits,
    requestCounts,
    ...platform,
    log,
    stopping: stopping.signal,
    maxBodyBytes: settings.maxBodyBytes,
    trustedProxies: settings.trustedProxies,
    ownOrigins: ownOrigins(settings.publicUrl, publicUrl),
    credentialPrefixes: composed.credentialPrefixes,
    onForbidden(caller, operation, { metadata }) {
      if (caller.kind !== 'portalSession') return;
      const missingPermissions = metadata?.missingPermissions ?? [];
      services.portalUsers.recordRefusal({ ...caller, operation, missingPermissions });
    },
    whyNotReady: () => whyNotReady(database, timers),
    documents: documentsOf([...operations, ...extraRoutes.map(({ contract }) => contract)]),
    showProblem: services.web.showProblem,
    ...(options.checkResponses ? { checkResponses: true } : {}),
  });
  return {
    database,
    services,
    routes,
    app,
    metrics,
    startJobs() {
      if (settings.role !== 'api') composed.startJobs();
    },
    endStreams: () => stopping.abort(),
    async close() {
      await Promise.all([composed.stop(), notifications.close(), requestCounts.close()]);
      mailer?.close();
      await outbound.close();
      await database.close();
    },
  };
}

function settingsOfServices({ settings, publicUrl }: BackendOptions) {
  return { ...settings, publicUrl, gatewayAccount: accountOf(settings) };
}

/** The keys of the settings; without SECRETS_KEY that of the key file. @throws SecretsKeyMissing if there is neither */
export function secretsKeysOf({ secretsKey, acceptedSecretsKey, data }: KeySettings): SecretsKeys {
  const current = secretsKey ?? secretsKeyIn(data);
  if (!current) throw new SecretsKeyMissing(data);
  return { current, accepted: acceptedSecretsKey };
}

type KeySettings = Pick<Settings, 'acceptedSecretsKey' | 'data'> & { readonly secretsKey: Uint8Array | undefined };

/** A key file is only made, at the first use of the key, for a database that has nothing sealed: see `permitNewKey`. */
async function openKeys(settings: Settings, { random }: Platform, database: Database) {
  let mayMake = false;
  let keys: SecretsKeys | undefined;
  const secretsKeys = () => {
    keys ??= secretsKeysOf(mayMake ? { ...settings, secretsKey: newSecretsKeyIn(settings.data) } : settings);
    return keys;
  };
  return {
    keyPorts: { secretsKeys, permanentKey: await permanentKeyIn({ database, secretsKeys, random }) },
    async permitNewKey({ secrets }: Services) {
      if (!settings.secretsKey && !secretsKeyIn(settings.data)) mayMake = !(await secrets.isAnythingSealed());
    },
  };
}

function rateSourcesOf({ rates: { sources, timeoutMs } }: Settings, timers: Timers) {
  return sources.map(source => exchangeSource(source, { timers, timeoutMs }));
}

async function openOutbound({ outbound: policy, role }: Settings, { timers, resolve }: Platform) {
  const outbound = guardedOutbound({ policy, timers, resolve });
  // Load the HTTP client before the first webhook, which would otherwise block the event loop.
  if (role === 'worker') await outbound.prepare();
  return outbound;
}

function lockClockOf({ lockout }: Settings, { clock, elapsedMs }: Platform, log: Log) {
  return steadyClock({
    clock,
    elapsedMs,
    holdBackMs: Math.max(...lockout.durationsMs) + hourMs,
    onStep: ({ aheadMs }) => log.warn({ aheadMs }, 'the system clock stepped forward; lockouts ignore the step'),
  });
}

function nodesOf({ bitcoinNodes: { timeoutMs, policy } }: Settings, { timers, resolve }: Platform): NodeRegistry {
  return nodeRegistry({ timers, timeoutMs, policy, resolve });
}

/** The account described by the GATEWAY_* settings. */
export function accountOf({ gateway }: Settings): AccountSettings {
  const { url, merchantId, secret, countryCode, reporting, cardPresent, cardFields } = gateway;
  return {
    adapter: 'cardstream',
    name: 'Card gateway account',
    merchantId,
    config: {
      url,
      countryCode,
      ...(reporting && { reportingUser: reporting.user }),
      ...(cardPresent && { cardPresentUrl: cardPresent.url }),
      ...(cardFields && { cardFieldsUrl: cardFields.url, wallets: cardFields.wallets }),
    },
    secrets: {
      signature: secret,
      ...(reporting && { reportingPassword: reporting.password }),
      ...(cardPresent && { cardPresent: cardPresent.secret }),
    },
  };
}

const readyWithinMs = 2_000;

/** Whether the database accepts writes. Migrations ran before this process began to listen. */
async function whyNotReady(database: Database, timers: Timers): Promise<string | undefined> {
  const answered = database
    .write(async () => {})
    .then(
      () => undefined,
      () => 'The database takes no writes',
    );
  const timeLimit = new AbortController();
  const late = wait(timers, readyWithinMs, timeLimit.signal).then(() => 'The database does not respond');
  const reason = await Promise.race([answered, late]);
  timeLimit.abort();
  return reason;
}

async function openMetrics(
  { metrics, data }: Settings,
  ports: Omit<Parameters<typeof createMetrics>[0], 'room' | 'backupProvenAt'>,
): Promise<Metrics | undefined> {
  if (!metrics) return undefined;
  // Loaded lazily to shorten the start.
  const ofMachine = { room: () => roomIn(data), backupProvenAt: () => backupProvenAt(data) };
  return (await import('./foundation/metrics/metrics.ts')).createMetrics({ ...ports, ...ofMachine });
}

/** A process with one role always has another one beside it. */
const watchEveryMs = { all: 20, api: 5, worker: 5 };

/** The database with news of other processes: on PostgreSQL they notify each other, on a SQLite file they watch it. */
async function openShared(settings: Settings, { timers, elapsedMs }: Platform, log: Log) {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, role } = settings;
  if (databaseUrl === undefined) {
    const database = await openSqliteIn(settings);
    // In real time, whatever the clock is: the other processes commit in theirs.
    const watching = { database, timers: systemTimers, everyMs: watchEveryMs[role] };
    return { database, notifications: sqliteNotifications(watching), replicaReads: readsPrimary };
  }
  const primary = await openDatabase(settings, log);
  const { postgresNotifications } = await import('./foundation/database/postgres-notifications.ts');
  const connectionString = databaseDirectUrl ?? databaseUrl;
  const notifications = postgresNotifications({ connectionString, timers, log });
  if (databaseReplicaUrl === undefined) return { database: primary, notifications, replicaReads: readsPrimary };
  const { openReplica } = await import('./foundation/database/postgres-replica.ts');
  const at = { connectionString: databaseReplicaUrl, maximumConnections: settings.databaseConnections };
  // In real time, as the servers are.
  const replica = openReplica({ ...at, primary, timers: systemTimers, elapsedMs, log });
  const { database, reads } = withReplica(primary, replica, log);
  return { database, notifications, replicaReads: reads };
}

/** Processes on one PostgreSQL share their limits; on SQLite each counts separately. */
async function openRequestCounts(settings: Settings, log: Log): Promise<RequestCounts & { close(): Promise<void> }> {
  const { databaseUrl: connectionString, databaseDirectUrl } = settings;
  if (connectionString === undefined) return { ...countsInMemory, close: async () => {} };
  const { postgresRateLimits } = await import('./foundation/http/postgres-rate-limits.ts');
  return postgresRateLimits({ connectionString, isPooled: databaseDirectUrl !== undefined, log });
}

/** Opens and migrates the database. */
export async function openDatabase(settings: Settings, log?: Log): Promise<Database> {
  if (settings.databaseUrl !== undefined) {
    // Loaded lazily: most installations have no PostgreSQL, and its driver lengthens the start.
    const { openPostgres } = await import('./foundation/database/postgres.ts');
    return openPostgres({
      connectionString: settings.databaseUrl,
      ...(settings.databaseDirectUrl === undefined ? {} : { directConnectionString: settings.databaseDirectUrl }),
      maximumConnections: settings.databaseConnections,
      ...(log ? { log } : {}),
    });
  }
  return openSqliteIn(settings);
}

function openSqliteIn(settings: Settings) {
  makeFolder(settings.data);
  return openSqlite({ file: databaseFile(settings) });
}

/** The path of the SQLite database. */
export function databaseFile(settings: Pick<Settings, 'data'>): string {
  return join(settings.data, 'backend.db');
}
