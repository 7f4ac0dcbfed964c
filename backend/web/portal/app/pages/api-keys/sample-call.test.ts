import type { PermissionRule } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { presets } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { sampleLists, samplePathFor } from './sample-call.ts';

test('the sample of a new key is a list that the key may read', () => {
  expect(samplePathFor(presets.POINT_OF_SALE)).toBe('/api/v1/devices');
  expect(samplePathFor(presets.ECOMMERCE)).toBe('/api/v1/payments');
  expect(samplePathFor(presets.REPORTING)).toBe('/api/v1/transactions');
});

test('a key that may read no list has no sample', () => {
  expect(samplePathFor(['ucp:verify', 'withdraw:write'])).toBeUndefined();
});

test.each(sampleLists)('with %s alone %s can be read', (permission, path) => {
  const operation = operations.find(one => one.method === 'GET' && one.path === path);
  const isHeld = (rule: PermissionRule) => (typeof rule === 'string' ? [rule] : rule.anyOf).includes(permission);
  expect(operation?.permissions.every(isHeld)).toBe(true);
});
