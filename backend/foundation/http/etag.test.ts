import { isPolledRecord } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';

const polled = operations.filter(isPolledRecord).map(({ path }) => path);

test('single records have an ETag, and lists do not', () => {
  expect(polled).toEqual(
    expect.arrayContaining(['/api/v1/payment-link/{id}', '/api/v1/payments/{id}', '/api/v1/refunds/{id}']),
  );
  expect(polled.filter(path => /s$|device\/v1/.test(path))).toEqual([]);
});

eachDatabase('a record that is polled', database => {
  test('is sent again only if it changed', async () => {
    const shop = await aShop(database);
    const { world, key, aLink, pay, refund, sandbox } = shop;
    const link = await aLink(1_000);
    const payment = await pay(link.id);
    sandbox.control.settle();
    const refunded = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    if (refunded.status !== 201) throw new Error(JSON.stringify(refunded.body));
    const read = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } });

    for (const path of [`/payment-link/${link.id}`, `/payments/${payment.id}`, `/refunds/${refunded.body.id}`]) {
      const first = await read(`/api/v1${path}`);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await read(`/api/v1${path}`, { 'if-none-match': known });
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect(again.headers.get('etag')).toBe(tag);
        expect(again.headers.get('cache-control')).toBe('private, no-cache');
        expect(again.headers.get('ratelimit')).toMatch(/^"key";r=/);
      }
      expect((await read(`/api/v1${path}`, { 'if-none-match': '"other"' })).status).toBe(200);
    }

    const path = `/api/v1/payments/${payment.id}`;
    const before = (await read(path)).headers.get('etag') ?? '';
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    const after = await read(path, { 'if-none-match': before });
    expect([after.status, await after.json()]).toMatchObject([200, { refundedInCents: 200 }]);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('is hidden from callers without permission, and other responses must not be cached', async () => {
    const { world, key, aLink } = await aShop(database);
    const { id } = await aLink(1_000);
    const read = (path: string, bearer: string) =>
      fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${bearer}`, 'if-none-match': '*' } });
    const otherKey = await (await world.aBusiness({ name: 'Elsewhere' })).key('take-payments:read');
    for (const [path, bearer, status] of [
      [`/api/v1/payment-link/${id}`, otherKey, 404],
      [`/api/v1/payment-link/${id}`, 'wrong', 401],
      ['/api/v1/payment-link', key, 200],
    ] as const) {
      const answer = await read(path, bearer);
      expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
        status,
        'no-store',
        null,
      ]);
    }
  });
});
