import { describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('the defaults are consistent', () => {
  const read = readSettings({});
  expect(read).toMatchObject({
    ok: true,
    settings: { leaseMs: 10_000, polling: { notFoundIsFinalAfterMs: 600_000 }, recoveryEveryMs: 1_000 },
  });
});

test('reads how often unknown outcomes are polled', () => {
  const read = readSettings({ POLLING_INTERVALS_MS: '500, 1000', RECOVERY_EVERY_MS: '250' });
  expect(read).toMatchObject({
    ok: true,
    settings: { polling: { intervalsMs: [500, 1_000] }, recoveryEveryMs: 250 },
  });
});

test('reads when approvals are confirmed, and when reversals are retried and reported', () => {
  const read = readSettings({
    POLLING_LATE_INTERVAL_MS: '60000',
    POLLING_CONFIRM_AFTER_MS: '1000',
    POLLING_CONFIRMATIONS: '3',
    REVERSAL_RETRIES_MS: '10,20',
    REVERSAL_OVERDUE_HOURS: '2',
  });
  expect(read).toMatchObject({
    ok: true,
    settings: {
      polling: { lateIntervalMs: 60_000, confirmAfterMs: 1_000, maxConfirmationLookups: 3 },
      reversal: { retriesMs: [10, 20], overdueAfterMs: 7_200_000 },
    },
  });
  expect(readSettings({})).toMatchObject({
    settings: {
      polling: { lateIntervalMs: 300_000, confirmAfterMs: 3_600_000, maxConfirmationLookups: 24 },
      reversal: { retriesMs: [5_000, 30_000, 120_000, 300_000], overdueAfterMs: 86_400_000 },
    },
  });
});

test.each([
  ['retries that are not numbers', { REVERSAL_RETRIES_MS: '5s' }, 'REVERSAL_RETRIES_MS'],
  ['a lease for which customers would wait', { LEASE_SECONDS: '60' }, 'LEASE_SECONDS'],
  [
    'a final failure while the request may still arrive',
    { POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: '40000' },
    'POLLING_NOT_FOUND_IS_FINAL_AFTER_MS',
  ],
  ['evidence while the request may still arrive', { POLLING_EVIDENCE_AFTER_MS: '40000' }, 'POLLING_EVIDENCE_AFTER_MS'],
  ['intervals that are not numbers', { POLLING_INTERVALS_MS: 'soon' }, 'POLLING_INTERVALS_MS'],
  ['a number in exponent notation', { PORT: '1e3' }, 'PORT'],
  ['more than one line', { BRAND: 'florin\nx' }, 'BRAND'],
  ['an escape in a folder’s name', { DATA: '/tmp/\u001b[31m' }, 'DATA'],
])('refuses %s', (_, env, name) => {
  const read = readSettings(env);
  expect(read.ok ? [] : read.problems).toEqual([expect.stringMatching(new RegExp(`^${name}: must be `))]);
});

/** A real gateway's account, as an operator configures it. */
const account = {
  GATEWAY_URL: 'https://gateway.example',
  GATEWAY_MERCHANT_ID: '4711',
  GATEWAY_SECRET: 'Deep3Green7Sea',
};

describe('the card gateway', () => {
  test('is the sandbox by default; for another gateway neither reporting nor the card-present interface is assumed', () => {
    expect(readSettings({})).toMatchObject({
      settings: { gateway: { url: 'http://127.0.0.1:4103', merchantId: '100001', cardPresent: {}, reporting: {} } },
    });
    const url = 'http://127.0.0.1:5103';
    expect(readSettings({ GATEWAY_URL: url })).toMatchObject({
      settings: { gateway: { url, cardPresent: { url: `${url}/card-present` } } },
    });
    const read = readSettings(account);
    expect(read).toMatchObject({ settings: { gateway: { url: 'https://gateway.example', merchantId: '4711' } } });
    expect(read.ok && [read.settings.gateway.reporting, read.settings.gateway.cardPresent]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['https://gateway.example/', 'https://gateway.example'],
    ['https://gateway.example/direct/', 'https://gateway.example'],
    ['https://gateway.example/direct', 'https://gateway.example'],
    ['https://gateway.example/uk/direct//', 'https://gateway.example/uk'],
    ['http://[::1]:4103', 'http://[::1]:4103'],
  ])('at %s is reached under %s', (address, url) => {
    expect(readSettings({ ...account, GATEWAY_URL: address })).toMatchObject({ settings: { gateway: { url } } });
  });

  test.each<[string, Record<string, string>, string]>([
    ['without TLS', { GATEWAY_URL: 'http://gateway.example' }, 'GATEWAY_URL: must use https'],
    [
      'without TLS on another machine of this network',
      { GATEWAY_URL: 'http://10.0.0.5' },
      'GATEWAY_URL: must use https',
    ],
    ['with a password in its address', { GATEWAY_URL: 'https://a:b@gateway.example' }, 'GATEWAY_URL: must not contain'],
    ['with a query', { GATEWAY_URL: 'https://gateway.example/?a=b' }, 'GATEWAY_URL: must be'],
    [
      'with its path twice',
      { GATEWAY_URL: 'https://gateway.example/direct/direct/' },
      'GATEWAY_URL: must name /direct/',
    ],
    ['with another scheme', { GATEWAY_URL: 'ftp://gateway.example' }, 'GATEWAY_URL: must be'],
    ['with no account of its own', { GATEWAY_MERCHANT_ID: '', GATEWAY_SECRET: '' }, 'GATEWAY_MERCHANT_ID: '],
    ['with the sandbox’s secret', { GATEWAY_SECRET: 'Circle4Take40Idea' }, 'GATEWAY_SECRET: '],
    ['with another secret of the sandbox', { GATEWAY_SECRET: 'DontTellAnyone' }, 'GATEWAY_SECRET: '],
    ['with the sandbox’s merchant', { GATEWAY_MERCHANT_ID: '100001' }, 'GATEWAY_MERCHANT_ID: '],
    [
      'with the sandbox’s report password',
      { GATEWAY_REPORTING_USER: 'me', GATEWAY_REPORTING_PASSWORD: 'portal-password-100001' },
      'GATEWAY_REPORTING_PASSWORD: ',
    ],
    ['with a report user and no password', { GATEWAY_REPORTING_USER: 'me' }, 'GATEWAY_REPORTING_PASSWORD: '],
    [
      'with card-present sales sent without TLS',
      { GATEWAY_CARD_PRESENT_URL: 'http://pos.example', GATEWAY_CARD_PRESENT_SECRET: 'x' },
      'GATEWAY_CARD_PRESENT_URL: must use https',
    ],
    [
      'with the sandbox’s card-present secret',
      { GATEWAY_CARD_PRESENT_URL: 'https://pos.example', GATEWAY_CARD_PRESENT_SECRET: 'card-present-100001' },
      'GATEWAY_CARD_PRESENT_SECRET: ',
    ],
  ])('%s is refused in one line', (_, env, problem) => {
    const read = readSettings({ ...account, ...env });
    expect(read.ok ? [] : read.problems).toContainEqual(expect.stringContaining(problem));
    expect(JSON.stringify(read)).not.toContain('Deep3Green7Sea');
  });

  test('cannot be given the sandbox’s secret for card-present sales elsewhere either', () => {
    const read = readSettings({ GATEWAY_CARD_PRESENT_URL: 'https://pos.example' });
    expect(read.ok ? [] : read.problems).toEqual([expect.stringContaining('GATEWAY_CARD_PRESENT_SECRET: ')]);
  });
});
