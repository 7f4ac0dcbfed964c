import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { listTransactions } from '@florin/shared/contracts/api-v1/transactions.ts';
import { presets } from '@florin/shared/permissions.ts';
import SqliteConnection from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { databaseFile } from '../../backend.ts';
import { isWellFormed, newSecret } from '../../foundation/secret.ts';

eachDatabase('API keys', database => {
  async function aShop() {
    const world = await aBackend({ database });
    const shop = await world.aBusiness();
    const key = await shop.key('api-keys:read', 'api-keys:write', 'sales:read');
    const make = (
      body: Parameters<typeof world.client.call<typeof createApiKey>>[1]['body'],
      idempotencyKey?: string,
    ) => world.client.call(createApiKey, { body }, idempotencyKey === undefined ? { key } : { key, idempotencyKey });
    return { ...world, shop, key, make };
  }

  async function made(answered: { status: number; body: unknown }) {
    expect(answered.status, JSON.stringify(answered.body)).toBe(201);
    return answered.body as { id: string; key: string };
  }

  test('created over the API work at once, and are refused from the next request after revocation in every process', async () => {
    const world = await aShop();
    const { client, key, make } = world;
    const other = await aBackend({ sharing: world });
    const fresh = await made(await make({ name: 'till', permissions: ['api-keys:read'] }));
    expect(fresh.key).toMatch(/^florin_api_live_[0-9A-Za-z]{49}$/);
    for (const each of [client, other.client]) {
      expect((await each.call(listApiKeys, { query: {} }, { key: fresh.key })).status).toBe(200);
    }
    const revoked = await client.call(revokeApiKey, { params: { id: fresh.id } }, { key });
    expect(revoked).toMatchObject({ status: 200, body: { id: fresh.id, revokedAt: expect.any(String) } });
    for (const each of [client, other.client]) {
      expect((await each.call(listApiKeys, { query: {} }, { key: fresh.key })).status).toBe(401);
    }
    expect((await client.call(listApiKeys, { query: {} }, { key })).status).toBe(200);
    expect((await client.call(revokeApiKey, { params: { id: fresh.id } }, { key })).body).toEqual(revoked.body);
  });

  test('are refused after their expiry', async () => {
    const { client, clock, make } = await aShop();
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const fresh = await made(await make({ name: 'short', permissions: ['api-keys:read'], expiresAt }));
    clock.advance({ ms: 59_999 });
    expect((await client.call(listApiKeys, { query: {} }, { key: fresh.key })).status).toBe(200);
    clock.advance({ ms: 1 });
    expect((await client.call(listApiKeys, { query: {} }, { key: fresh.key })).status).toBe(401);
    const past = await make({ name: 'past', permissions: ['sales:read'], expiresAt });
    expect(past).toMatchObject({ status: 400, body: { error: { metadata: { issues: [{ path: 'expiresAt' }] } } } });
  });

  test('cannot grant permissions their creator lacks, by name or by preset', async () => {
    const { make } = await aShop();
    for (const body of [
      { name: 'more', permissions: ['sales:read', 'refunds:write'] as const },
      { name: 'more', preset: 'ECOMMERCE' as const },
    ]) {
      const answered = await make({ ...body, permissions: [...('permissions' in body ? body.permissions : [])] });
      expect(answered.status).toBe(403);
    }
    expect(await make({ name: 'more', permissions: ['refunds:write', 'sales:read'] })).toMatchObject({
      body: { error: { metadata: { missingPermissions: ['refunds:write'] } } },
    });
  });

  test('need at least one permission', async () => {
    const { client, key, make } = await aShop();
    for (const body of [
      { name: 'idle' },
      { name: 'idle', permissions: [] },
      { name: 'idle', preset: 'CUSTOM' as const },
    ])
      expect(await make(body)).toMatchObject({
        status: 400,
        body: { error: { message: 'permissions: must have at least one permission, unless the preset has some' } },
      });
    expect(JSON.stringify((await client.call(listApiKeys, { query: {} }, { key })).body)).not.toContain('idle');
  });

  test('are shown once: a replayed response omits the secret, and no table stores it', async () => {
    const { make, logged, backend } = await aShop();
    const first = await made(await make({ name: 'once', permissions: ['sales:read'] }, 'k1'));
    const again = await make({ name: 'once', permissions: ['sales:read'] }, 'k1');
    expect(again).toMatchObject({ status: 201, body: { ...first, key: null } });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await everythingIn(backend.database)).not.toContain(first.key);
    expect(logged()).not.toContain(first.key);
  });

  test('record when they were last used', async () => {
    const { client, clock, key } = await aShop();
    const lastUse = async () => {
      const listed = await client.call(listApiKeys, { query: {} }, { key });
      return listed.status === 200 ? listed.body.items[0]?.lastUsedAt : undefined;
    };
    await lastUse();
    const first = new Date(clock.now()).toISOString();
    await expect.poll(lastUse).toBe(first);
    clock.advance({ minutes: 2 });
    await lastUse();
    await expect.poll(lastUse).toBe(new Date(clock.now()).toISOString());
  });

  test('are filtered by status (active, revoked, expired) and by preset', async () => {
    const { client, clock, shop, key, make } = await aShop();
    const full = await shop.key('api-keys:read', 'api-keys:write', ...presets.POINT_OF_SALE, ...presets.REPORTING);
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const short = await made(await make({ name: 'short', permissions: ['sales:read'], expiresAt }));
    const gone = await made(await make({ name: 'gone', permissions: ['sales:read'] }));
    await client.call(revokeApiKey, { params: { id: gone.id } }, { key });
    const body = { name: 'Till', preset: 'POINT_OF_SALE' as const };
    const till = await made(await client.call(createApiKey, { body }, { key: full }));
    const report = await made(
      await client.call(createApiKey, { body: { name: 'Books', preset: 'REPORTING' } }, { key: full }),
    );
    clock.advance({ minutes: 1 });
    const names = async (query: z.input<(typeof listApiKeys)['query']>) => {
      const listed = await client.call(listApiKeys, { query }, { key });
      if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
      return listed.body.items.map(({ name }) => name);
    };
    expect(await names({ status: 'expired' })).toEqual(['short']);
    expect(await names({ status: 'revoked' })).toEqual(['gone']);
    expect(await names({ status: 'active' })).toEqual(['Books', 'Till', 'test', 'test']);
    expect(await names({ preset: 'REPORTING' })).toEqual(['Books']);
    const read = (id: string) => client.call(getApiKey, { params: { id } }, { key });
    expect((await read(till.id)).body).toMatchObject({
      preset: 'POINT_OF_SALE',
      permissions: ['devices:read', 'terminal-sales:read', 'terminal-sales:write'],
      status: 'active',
      lastUsedAt: null,
    });
    expect((await read(short.id)).body).toMatchObject({ status: 'expired', expiresAt });
    expect((await read(gone.id)).body).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) });
    // REPORTING is read-only.
    expect((await client.call(listTransactions, { query: {} }, { key: report.key })).status).toBe(200);
    expect(
      (await client.call(createApiKey, { body: { name: 'x', permissions: ['sales:read'] } }, { key: report.key }))
        .status,
    ).toBe(403);
  });
});

test('concurrent requests record the use of their key once, and once a minute', async () => {
  const world = await aBackend();
  const key = await (await world.aBusiness()).key('api-keys:read');
  const file = new SqliteConnection(databaseFile(world.settings));
  onTestFinished(() => void file.close());
  file.exec(
    'CREATE TABLE uses (at); CREATE TRIGGER used AFTER UPDATE OF "lastUsedAt" ON "apiKeys" BEGIN INSERT INTO uses VALUES (1); END',
  );
  const uses = () => (file.prepare('SELECT count(*) AS uses FROM uses').get() as { uses: number }).uses;
  const call = () => world.client.call(listApiKeys, { query: {} }, { key });
  await Promise.all(Array.from({ length: 50 }, call));
  await expect.poll(uses).toBe(1);
  world.clock.advance({ seconds: 59 });
  await Promise.all(Array.from({ length: 50 }, call));
  world.clock.advance({ seconds: 1 });
  await Promise.all(Array.from({ length: 50 }, call));
  await expect.poll(uses).toBe(2);
});

test('a key with one character changed fails its checksum without a database lookup', () => {
  const prefix = 'florin_api_live_';
  const secret = newSecret(prefix, { bytes: length => new Uint8Array(length).fill(7) });
  expect(isWellFormed(secret, prefix)).toBe(true);
  for (let at = prefix.length; at < secret.length; at += 1) {
    const changed = `${secret.slice(0, at)}${secret[at] === 'a' ? 'b' : 'a'}${secret.slice(at + 1)}`;
    expect(isWellFormed(changed, prefix)).toBe(false);
  }
});
