import { expect, test } from 'vitest';
import { recorded } from './recorded.ts';

const key = `florin_api_live_${'1kBoXr3YYwfTaGt9sOlABEv1Hsk8yuX3sP3cTbdM'}`;
const of = (segment: string, idempotencyKey: string | null = null) => {
  const row = recorded({
    requestId: 'req_1',
    businessId: 'biz_1',
    apiKeyId: 'key_1',
    startedAt: 0,
    durationMs: 1,
    method: 'GET',
    route: '/api/v1/staff/{id}',
    path: `/api/v1/staff/${segment}`,
    status: 404,
    error: null,
    idempotencyKey,
    isReplay: false,
  });
  return [row.path, row.idempotencyKey];
};

test.each([
  '4929421234600821',
  '4929.4212.3460.0821',
  '4929_4212_3460_0821',
  '4929%2D4212%2D3460%2D0821',
  '4929%2F4212%2F3460%2F0821',
  '4929%34212%334600821',
  'Bearer%20sk_live_abcdefghijklmnop',
  key,
])('a card number or a key is not kept, however it is written: %s', secret => {
  expect(of(secret, decodeURIComponent(secret))).toEqual(['/api/v1/staff/…', '…']);
});

test.each(['104', 'staff_019a8f3e6b7c7d2e8a1b2c3d4e5f6071', 'order-2026-11-24', 'till.7'])(
  'an id or a name is kept: %s',
  harmless => {
    expect(of(harmless, harmless)).toEqual([`/api/v1/staff/${harmless}`, harmless]);
  },
);
