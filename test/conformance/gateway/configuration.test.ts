import { cardstreamGateway } from '@florin/backend/gateways/cardstream/gateway.ts';
import { describe, expect, test } from 'vitest';
import {
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

const settings = {
  directUrl: 'https://gateway.example/direct/',
  merchantId: '100001',
  secret: 'secret',
  countryCode: 'GB',
  callbackUrl: 'https://shop.example/callbacks/gateway',
  timeoutMs: 1_000,
  timers: manualTimers(),
};

describe('an address', () => {
  test.each([
    'https://gateway.example/direct/',
    'http://127.0.0.1:4103/direct/',
    'http://localhost:4103/direct/',
    'http://[::1]:4103/direct/',
  ])('%s is taken', directUrl => {
    expect(() => cardstreamGateway({ ...settings, directUrl })).not.toThrow();
  });

  test.each([
    ['http://gateway.example/direct/', 'https'],
    ['http://127.0.0.1.gateway.example/direct/', 'https'],
    ['http://localhost.gateway.example/direct/', 'https'],
    ['http://192.168.0.10/direct/', 'https'],
    ['ftp://gateway.example/direct/', 'http or https'],
    ['gateway.example/direct/', 'http or https'],
    ['https://user:password@gateway.example/direct/', 'user or password'],
    ['https://gateway.example/direct/direct/', '/direct/, once'],
    ['https://gateway.example/', '/direct/, once'],
  ])('%s is refused, without repeating its secrets', (directUrl, why) => {
    const make = () => cardstreamGateway({ ...settings, directUrl });
    expect(make).toThrow(why);
    expect(make).not.toThrow('user:password');
  });

  test.each(['reporting', 'cardPresent'] as const)('of %s is held to the same', name => {
    const url = 'http://gateway.example/x';
    const other = { reporting: { url, user: 'u', password: 'p' }, cardPresent: { url, secret: 's' } };
    expect(() => cardstreamGateway({ ...settings, [name]: other[name] })).toThrow('https');
  });
});

describe('an amount', () => {
  test.each([0, -1, 0.5, 10.000001, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'of %s reaches the gateway by no operation',
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
