import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backend, databaseFile, type BackendOptions as OpenOptions } from '@florin/backend/backend.ts';
import { nodeRegistry } from '@florin/backend/bitcoin/nodes/registry.ts';
import { readSettings, type Settings } from '@florin/backend/config/settings.ts';
import { sqliteImage } from '@florin/backend/foundation/database/sqlite.ts';
import type { Resolve } from '@florin/backend/foundation/outbound/guarded.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { systemTimers } from '@florin/backend/foundation/platform/system.ts';
import { gatewayRegistry } from '@florin/backend/gateways/registry.ts';
import {
  type CardGatewaySandbox,
  startCardGatewaySandbox,
} from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { describe, inject, onTestFinished } from 'vitest';
import { type Client, clientOf } from './client.ts';
import { type TestClock, testClock } from './clock.ts';
import { secretsKeySetting } from './gateway-account.ts';
import { isInPart } from './part.ts';
import { pooledUrl } from './pgbouncer.ts';
import { administer, templateDatabase } from './postgres.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

export type BackendWorld = {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly backend: Backend;
  readonly client: Client;
  /** The sandbox card gateway, if the backend was started with one. */
  readonly sandbox: CardGatewaySandbox | undefined;
  readonly clock: TestClock;
  /** Everything logged so far, as written to the log. */
  readonly logged: () => string;
  /** The database settings, with which another process can be started on the same data. */
  readonly settings: Settings;
  /** A business and its API keys. */
  readonly aBusiness: (options?: { readonly name?: string }) => Promise<TestBusiness>;
  readonly stop: () => Promise<void>;
  /** Ends it without waiting for requests in progress. */
  readonly kill: () => Promise<void>;
};

export type TestBusiness = {
  readonly id: string;
  /** Creates an API key with these permissions. */
  readonly key: (...permissions: Permission[]) => Promise<string>;
};

export type BackendOptions = {
  readonly database?: DatabaseKind;
  readonly env?: Readonly<Record<string, string>>;
  /** Joins the database of another backend, as a second process would. */
  readonly sharing?: BackendWorld;
  readonly clock?: TestClock;
  /** Also starts the sandbox card gateway and takes payments through it, over HTTP. */
  readonly sandbox?: boolean;
  /** Resolves host names; by default only localhost is resolved. */
  readonly resolve?: Resolve;
  /** Collects the clean-up functions of a backend that several tests share; by default it ends with the test. */
  readonly until?: (() => Promise<void> | void)[];
} & Pick<OpenOptions, 'authenticators' | 'consumers' | 'extraRoutes' | 'gatewayRegistry'>;

/** Starts the whole composed server on a free port with its own database, and stops it when the test ends. */
export async function aBackend(options: BackendOptions = {}): Promise<BackendWorld> {
  const atTheEnd: AtTheEnd = options.until ? end => void options.until?.push(end) : onTestFinished;
  const place = options.sharing
    ? placeOf(options.sharing.settings)
    : await aDatabase(options.database ?? 'sqlite', atTheEnd);
  const clock = options.clock ?? options.sharing?.clock ?? testClock();
  const sandbox = options.sandbox ? await startCardGatewaySandbox({ file: ':memory:', clock }) : undefined;
  if (sandbox) atTheEnd(() => sandbox.close());
  const gatewayServer = sandbox ?? options.sharing?.sandbox;
  const gateway: Record<string, string> = gatewayServer
    ? { GATEWAY_URL: gatewayServer.url, GATEWAY_CARD_PRESENT_URL: gatewayServer.cardPresentUrl }
    : {};
  const settings = settingsFor({ ...place, ...gateway, ...options.env });
  let logged = '';
  const destination = {
    write(line: string) {
      logged += line;
    },
  };
  const server = await startServer({
    settings,
    log: createLog({ level: settings.logLevel, destination }),
    platform: {
      clock,
      timers: clock,
      elapsedMs: () => clock.elapsedMs(),
      resolve: options.resolve ?? resolveLocalhost,
    },
    checkResponses: true,
    // Requests to nodes and gateways are timed by the real clock: the test's clock may jump while one is in progress.
    nodeRegistry: nodeRegistry({ timers: systemTimers, timeoutMs: 5_000, policy: settings.bitcoinNodes.policy }),
    gatewayRegistry:
      options.gatewayRegistry ?? gatewayRegistry({ timers: systemTimers, timeoutMs: settings.gateway.timeoutMs }),
    ...(options.consumers ? { consumers: options.consumers } : {}),
    ...(options.authenticators ? { authenticators: options.authenticators } : {}),
    ...(options.extraRoutes ? { extraRoutes: options.extraRoutes } : {}),
  });
  atTheEnd(() => server.stop());
  const { services } = server.backend;
  return {
    url: server.url,
    metricsUrl: server.metricsUrl,
    backend: server.backend,
    client: clientOf(server.url),
    sandbox: gatewayServer,
    clock,
    logged: () => logged,
    settings,
    stop: () => server.stop(),
    kill: () => server.kill(),
    async aBusiness({ name = 'Corner Shop' } = {}) {
      const business = await services.businesses.create({
        name,
        countryCode: 'GB',
        currency: 'GBP',
        locale: 'en-GB',
        timeZone: 'Europe/London',
      });
      return {
        id: business.id,
        async key(...permissions) {
          const wanted = { name: 'test', preset: 'CUSTOM', permissions, expiresAt: null } as const;
          const made = await services.apiKeys.create(business.id, wanted, operator);
          if (!made.ok) throw new Error(`no key: ${made.refusal.kind}`);
          return made.value.secret;
        },
      };
    },
  };
}

const resolveLocalhost: Resolve = async name => {
  if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
  throw Object.assign(new Error(`${name} does not exist`), { code: 'ENOTFOUND' });
};

type AtTheEnd = (end: () => Promise<void> | void) => void;

/** Runs one suite on each database; in CI a sixteenth of the suites runs on PostgreSQL too, which takes twice as long. */
export function eachDatabase(name: string, suite: (database: DatabaseKind) => void): void {
  const databases: DatabaseKind[] = isInPart(name, 16) ? ['sqlite', 'postgres'] : ['sqlite'];
  describe.each(databases)(`${name} on %s`, suite);
}

/** Creates an empty, migrated database, removed when the test ends; returns its settings. */
export async function aDatabase(
  kind: DatabaseKind,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<Record<string, string>> {
  if (kind === 'postgres') return aPostgresDatabase(`TEMPLATE ${templateDatabase} STRATEGY file_copy`, atTheEnd);
  const data = aFolder(atTheEnd);
  migrated ??= sqliteImage();
  writeFileSync(databaseFile({ data }), await migrated);
  return { DATA: data };
}
/** Migrated once for all tests of this worker, because migrating takes longer than many of them. */
let migrated: Promise<Buffer> | undefined;

/** A database without tables. */
export async function anEmptyDatabase(
  kind: DatabaseKind,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<Record<string, string>> {
  return kind === 'postgres' ? aPostgresDatabase('TEMPLATE template0', atTheEnd) : { DATA: aFolder(atTheEnd) };
}

function aFolder(atTheEnd: AtTheEnd): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-test-'));
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function aPostgresDatabase(how: string, atTheEnd: AtTheEnd): Promise<Record<string, string>> {
  const socketDirectory = inject('postgresSocketDirectory');
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await administer(socketDirectory, `CREATE DATABASE ${name} ${how}`);
  atTheEnd(() => administer(socketDirectory, `DROP DATABASE ${name} WITH (FORCE)`));
  const direct = `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socketDirectory)}`;
  const pooler = inject('poolerDirectory');
  return {
    ...(pooler === ''
      ? { DATABASE_URL: direct }
      : { DATABASE_URL: pooledUrl(pooler, name), DATABASE_DIRECT_URL: direct }),
    SECRETS_KEY: secretsKeySetting,
  };
}
let databases = 0;

function settingsFor(env: Readonly<Record<string, string>>): Settings {
  const read = readSettings({
    PORT: '0',
    RATE_LIMIT_PER_KEY: '100000',
    RATE_LIMIT_PER_ADDRESS: '100000',
    ...env,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  // The test's clock does not move while a test waits for an attempt to be recorded.
  return { ...read.settings, webhooks: { ...read.settings.webhooks, recordWithinMs: 0 } };
}

function placeOf(settings: Settings): Record<string, string> {
  if (settings.databaseUrl === undefined) return { DATA: settings.data };
  const key = settings.secretsKey && { SECRETS_KEY: settings.secretsKey.toString('base64') };
  const direct = settings.databaseDirectUrl && { DATABASE_DIRECT_URL: settings.databaseDirectUrl };
  return { DATABASE_URL: settings.databaseUrl, ...direct, ...key };
}
