import { join } from 'node:path';
import { createApiKey, listApiKeys } from '@florin/shared/contracts/api-v1/api-keys.ts';
import SqliteConnection from 'better-sqlite3';
import { expect, inject, onTestFinished, test } from 'vitest';
import { aBackend, type BackendWorld } from '../../../test/support/backend.ts';
import { administer } from '../../../test/support/postgres.ts';

const unavailable = {
  status: 503,
  headers: { 'retry-after': '5' },
  body: { error: { code: 503, metadata: { reason: 'database_unavailable', retryAfterSeconds: 5 } } },
};

async function aKeyOf(world: BackendWorld): Promise<string> {
  return (await world.aBusiness()).key('api-keys:read', 'api-keys:write');
}

test('while another process locks the SQLite file, writes are 503 and everything else works', async () => {
  const world = await aBackend();
  const { client, url, settings } = world;
  const key = await aKeyOf(world);
  const other = new SqliteConnection(join(settings.data, 'backend.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN EXCLUSIVE');
  const writing = client.call(
    createApiKey,
    { body: { name: 'Till', permissions: ['api-keys:read'] } },
    { key, idempotencyKey: 'k1' },
  );
  expect((await client.call(listApiKeys, { query: {} }, { key })).status).toBe(200);
  const started = performance.now();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(await writing).toMatchObject(unavailable);
  other.exec('ROLLBACK');
  const again = await client.call(
    createApiKey,
    { body: { name: 'Till', permissions: ['api-keys:read'] } },
    { key, idempotencyKey: 'k1' },
  );
  expect(again.status).toBe(201);
});

test('an unreachable PostgreSQL is 503, and the service recovers once it is back', async () => {
  const world = await aBackend({ database: 'postgres' });
  const { client, url, settings } = world;
  const key = await aKeyOf(world);
  const socketDirectory = inject('postgresSocketDirectory');
  const name = new URL(settings.databaseUrl ?? '').pathname.slice(1);
  await administer(socketDirectory, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await administer(socketDirectory, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  expect(await client.call(listApiKeys, { query: {} }, { key })).toMatchObject(unavailable);
  expect(
    await client.call(createApiKey, { body: { name: 'Till', permissions: ['api-keys:read'] } }, { key }),
  ).toMatchObject(unavailable);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  await administer(socketDirectory, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expect(
    (await client.call(createApiKey, { body: { name: 'Till', permissions: ['api-keys:read'] } }, { key })).status,
  ).toBe(201);
});
