import { listApiKeys } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../test/support/backend.ts';

eachDatabase('the HTTP interface', database => {
  test('is healthy and ready', async () => {
    const { url } = await aBackend({ database });
    for (const path of ['/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200);
  });

  test('serves a key with the permission, and no other', async () => {
    const { client, aBusiness } = await aBackend({ database });
    const shop = await aBusiness();
    const key = await shop.key('api-keys:read', 'api-keys:write');
    const listed = await client.call(listApiKeys, { query: {} }, { key });
    expect(listed).toMatchObject({
      status: 200,
      body: { items: [{ permissions: ['api-keys:read', 'api-keys:write'] }] },
    });
    expect(listed.headers['x-request-id']).toMatch(/^req_/);

    const without = await client.call(listApiKeys, { query: {} });
    expect(without).toMatchObject({ status: 401, body: { error: { code: 401 } } });
    const weak = await shop.key('sales:read');
    const forbidden = await client.call(listApiKeys, { query: {} }, { key: weak });
    expect(forbidden).toMatchObject({
      status: 403,
      body: { error: { code: 403, metadata: { missingPermissions: ['api-keys:read'] } } },
    });
  });
});

test('pages of any origin may call what kiosks call and reads without a key, and nothing else', async () => {
  const { url } = await aBackend();
  const ask = (path: string, method: string) =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://kiosk.example', 'access-control-request-method': method },
    });
  const allowed = async (path: string, method: string) => {
    const { status, headers } = await ask(path, method);
    const methods = headers.get('access-control-allow-methods')?.split(', ') ?? [];
    return status === 204 && headers.get('access-control-allow-origin') === '*' && methods.includes(method);
  };
  for (const { method, path } of operations) {
    const isForKiosks = path.startsWith('/kiosk/v1/');
    const isWatching = method === 'GET' && path.startsWith('/api/v1/checkout/');
    expect([method, path, await allowed(path.replaceAll(/[{}]/g, ''), method)]).toEqual([
      method,
      path,
      isForKiosks || isWatching,
    ]);
  }
  const refused = await fetch(`${url}/kiosk/v1/terminals/FL-0001`, { headers: { origin: 'https://kiosk.example' } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
});
