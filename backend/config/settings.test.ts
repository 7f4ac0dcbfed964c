import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('the defaults fit together', () => {
  const read = readSettings({});
  expect(read).toMatchObject({
    ok: true,
    settings: { asking: { leaseMs: 60_000, notFoundIsFinalAfterMs: 600_000 }, recoveryEveryMs: 1_000 },
  });
});

test('says how often an unknown outcome is asked after', () => {
  const read = readSettings({ ASKING_INTERVALS_MS: '500, 1000', ASKING_LEASE_MS: '40000', RECOVERY_EVERY_MS: '250' });
  expect(read).toMatchObject({
    ok: true,
    settings: { asking: { leaseMs: 40_000, intervalsMs: [500, 1_000] }, recoveryEveryMs: 250 },
  });
});

test.each([
  ['a lease that ends while the request is under way', { ASKING_LEASE_MS: '30000' }, 'ASKING_LEASE_MS'],
  [
    'giving up while the request may still arrive',
    { ASKING_NOT_FOUND_IS_FINAL_AFTER_MS: '90000' },
    'ASKING_NOT_FOUND_IS_FINAL_AFTER_MS',
  ],
  ['a key taken over while its call runs', { IDEMPOTENCY_LEASE_SECONDS: '30' }, 'IDEMPOTENCY_LEASE_SECONDS'],
  ['intervals that are no numbers', { ASKING_INTERVALS_MS: 'soon' }, 'ASKING_INTERVALS_MS'],
])('refuses %s', (_, env, name) => {
  const read = readSettings(env);
  expect(read.ok ? [] : read.problems).toEqual([expect.stringMatching(new RegExp(`^${name}: must be `))]);
});
