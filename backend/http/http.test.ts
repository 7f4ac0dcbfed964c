import { listApiKeys } from '@florin/shared/contracts/api-v1/api-keys.ts';
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
