import { cardstreamAdapter } from '@florin/backend/gateways/cardstream/adapter.ts';
import { describe, expect, test } from 'vitest';
import {
  adapterFor,
  aGatewayWorldEach,
  anUnsettledSale,
  aReadCard,
  aRefund,
  aSale,
  gbp,
  manualTimers,
  reference,
} from './world.ts';

const world = aGatewayWorldEach();

const account = {
  merchantId: '4711',
  callbackUrl: 'https://shop.example/callbacks/gateway/gwa_1',
  config: { url: 'https://gateway.example', countryCode: 'GB' },
  secrets: { signature: 'Deep3Green7Sea' },
};

/** Returns the problems of an account with these changes. */
function problemsOf(changes: { config?: object; secrets?: object; merchantId?: string }) {
  const { config, secrets, ...rest } = changes;
  const opened = cardstreamAdapter({ timers: manualTimers(), timeoutMs: 1_000 }).open({
    ...account,
    ...rest,
    config: { ...account.config, ...config },
    secrets: { ...account.secrets, ...secrets },
  });
  return opened.ok ? [] : opened.refusal;
}

describe('an address', () => {
  test.each([
    'https://gateway.example',
    'https://gateway.example/uk/',
    'http://127.0.0.1:4103',
    'http://localhost:4103',
    'http://[::1]:4103',
  ])('%s is taken', url => {
    expect(problemsOf({ config: { url } })).toEqual([]);
  });

  test.each([
    ['http://gateway.example', 'https'],
    ['http://127.0.0.1.gateway.example', 'https'],
    ['http://localhost.gateway.example', 'https'],
    ['http://192.168.0.10', 'https'],
    ['ftp://gateway.example', 'http or https'],
    ['gateway.example', 'http or https'],
    ['https://user:password@gateway.example', 'user or password'],
  ])('%s is refused, without repeating its secrets', (url, why) => {
    const problems = problemsOf({ config: { url } });
    expect(problems).toEqual([expect.stringMatching(`^config\\.url: .*${why}`)]);
    expect(problems.join()).not.toContain('user:password');
  });

  test('of the card-present interface follows the same rules', () => {
    const changes = { config: { cardPresentUrl: 'http://gateway.example/x' }, secrets: { cardPresent: 's' } };
    expect(problemsOf(changes)).toEqual([expect.stringContaining('config.cardPresentUrl: must use https')]);
  });

  test('that already ends in /direct/ does not get it twice', async () => {
    const sale = aSale(gbp(500));
    const { url } = world.sandbox;
    const gateway = adapterFor({ ...world.sandbox, url: `${url}/direct/` }, { callbackUrl: world.inbox.url });
    expect(await gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'approved' });
  });
});

describe('an account', () => {
  test.each<[string, Parameters<typeof problemsOf>[0], string]>([
    ['with the sandbox’s secret', { secrets: { signature: 'Circle4Take40Idea' } }, 'signature: belongs to the sandbox'],
    ['with the sandbox’s merchant', { merchantId: '100001' }, 'merchantId: belongs to the sandbox'],
    ['with no secret', { secrets: { signature: '' } }, 'secrets.signature: '],
    ['with a report user and no password', { config: { reportingUser: 'me' } }, 'secrets.reportingPassword: '],
    ['with a report password and no user', { secrets: { reportingPassword: 'x' } }, 'config.reportingUser: '],
    ['with an unknown setting', { config: { sandbox: true } }, 'config: '],
    ['with no country', { config: { countryCode: 'England' } }, 'config.countryCode: '],
  ])('%s is refused', (_, changes, why) => {
    expect(problemsOf(changes)).toEqual([expect.stringContaining(why)]);
  });

  test('lists what it can do', () => {
    const gateway = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, reporting: false, cardPresent: false });
    expect(gateway.capabilities).toMatchObject({ lookupByUniqueReference: false, cardPresent: false, ecommerce: true });
    expect(world.gateway.capabilities).toMatchObject({ lookupByUniqueReference: true, cardPresent: true });
  });
});

describe('testing the connection', () => {
  test('calls every interface and moves no money', async () => {
    expect(await world.gateway.testConnection()).toEqual([
      { name: 'payments', ok: true },
      { name: 'reporting', ok: true },
      { name: 'cardPresent', ok: true },
    ]);
    expect(world.sandbox.control.ledger()).toEqual([]);
  });

  test('reports which secret is wrong', async () => {
    const wrong = { callbackUrl: world.inbox.url, secret: 'wrong', cardPresentSecret: 'wrong' };
    expect(await adapterFor(world.sandbox, wrong).testConnection()).toEqual([
      { name: 'payments', ok: false, cause: 'bad_signature' },
      { name: 'reporting', ok: true },
      { name: 'cardPresent', ok: false, cause: 'gateway_error' },
    ]);
  });

  test('reports a missing response', async () => {
    await world.sandbox.control.refuseConnections();
    expect(await world.gateway.testConnection()).toContainEqual({
      name: 'payments',
      ok: false,
      cause: 'connection_refused',
    });
  });
});

describe('an amount', () => {
  test.each([0, -1, 0.5, 10.000001, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'of %s is never sent to the gateway',
    async amountMinor => {
      const sale = await anUnsettledSale(world, gbp(1000));
      const before = world.sandbox.control.requests().length;
      const amount = gbp(amountMinor);
      const refund = aRefund(sale, amount);
      const notSent = { kind: 'notSent', cause: 'invalid_amount' };
      expect(await world.gateway.authoriseEcommerce(aSale(amount))).toEqual(notSent);
      expect(await world.gateway.authoriseCardPresent({ ...aSale(amount), card: aReadCard() })).toEqual(notSent);
      expect(await world.gateway.cancel(refund)).toEqual(notSent);
      expect(await world.gateway.refundSale(refund)).toEqual(notSent);
      expect(await world.gateway.refund(refund)).toEqual(notSent);
      expect(await world.gateway.lookup({ operation: 'refund', ...refund, sentAt: 0 })).toEqual({
        kind: 'unanswered',
        cause: 'invalid_amount',
      });
      expect(world.sandbox.control.requests()).toHaveLength(before);
    },
  );

  test.each(['', 'gbp', 'XXX', '£'])('in currency "%s" is not sent', async currency => {
    const sale = { ...aSale({ amountMinor: 100, currency }), uniqueReference: reference() };
    expect(await world.gateway.authoriseEcommerce(sale)).toEqual({ kind: 'notSent', cause: 'invalid_amount' });
    expect(world.sandbox.control.requests()).toEqual([]);
  });
});
