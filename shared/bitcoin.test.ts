import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bitcoinText,
  compareDecimals,
  currencyOrBitcoin,
  decimalOf,
  formatAmount,
  minorOfSats,
  satsOf,
} from './bitcoin.ts';
import { exponentOf, money } from './money.ts';

const price = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 8 }))
  .map(([digits, scale]) => {
    const text = String(digits).padStart(scale + 1, '0');
    return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });

describe('satoshis of an amount', () => {
  test.each([
    // Floating point gives 71.
    [7, 'USD', '100000', 70],
    [1_00, 'GBP', '50000', 2_000],
    [1, 'GBP', '50000', 20],
    [1_00, 'GBP', '64123.45', 1_560],
    // Yen have no decimals, dinars have three, forints have two.
    [1_000, 'JPY', '15000000', 6_667],
    [1_000, 'KWD', '30000.5', 3_334],
    [1_000_00, 'HUF', '35000000', 2_858],
    [1, 'USD', '99999999', 1],
  ])('%i %s at %s are %i', (amountMinor, currency, rate, sats) => {
    expect(satsOf(money(amountMinor, currency), rate)).toBe(sats);
  });

  test('are the smallest whole number worth the amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 12 }),
        price,
        fc.constantFrom('GBP', 'JPY', 'KWD', 'CLF'),
        (amountMinor, rate, currency) => {
          const sats = satsOf(money(amountMinor, currency), rate);
          const { digits, scale } = decimalOf(rate) ?? { digits: 0n, scale: 0 };
          // Worth in units of 10^-(8 + scale) of the currency.
          const asked = BigInt(amountMinor) * 10n ** BigInt(8 + scale - (exponentOf(currency) ?? 0));
          if (sats === undefined) return asked / digits >= BigInt(Number.MAX_SAFE_INTEGER);
          return BigInt(sats) * digits >= asked && BigInt(sats - 1) * digits < asked;
        },
      ),
    );
  });

  test.each(['', '0', '0.000', '-1', '1e5', 'NaN', '1.', '.5', ' 1', '1,000'])('refuse the price %j', text => {
    expect(decimalOf(text)).toBeUndefined();
    expect(satsOf(money(100, 'GBP'), text)).toBeUndefined();
  });

  test('refuse unknown currencies and amounts out of range', () => {
    expect(satsOf(money(100, 'XYZ'), '50000')).toBeUndefined();
    expect(satsOf(money(Number.MAX_SAFE_INTEGER, 'JPY'), '0.00000001')).toBeUndefined();
  });
});

test('the parts of an amount never exceed it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (wholeSats, wholeMinor, share) => {
        const sats = Math.floor(wholeSats * share);
        const part = minorOfSats({ sats, wholeSats, wholeMinor });
        expect(minorOfSats({ sats: wholeSats, wholeSats, wholeMinor })).toBe(wholeMinor);
        expect(part + minorOfSats({ sats: wholeSats - sats, wholeSats, wholeMinor })).toBeLessThanOrEqual(wholeMinor);
      },
    ),
  );
});

test.each([
  [1, '0.00000001'],
  [1_560, '0.0000156'],
  [100_000_000, '1'],
  [2_100_000_000_000_000, '21000000'],
  [150_000_000, '1.5'],
  // The amounts of BIP 21's examples, which BIP 321 repeats.
  [2_030_000_000, '20.3'],
  [5_000_000_000, '50'],
])('%i satoshis are %s bitcoin', (sats, text) => {
  expect(bitcoinText(sats)).toBe(text);
});

test('prices compare by value, not by length', () => {
  const of = (text: string) => decimalOf(text) ?? { digits: 0n, scale: 0 };
  expect(compareDecimals(of('1.50'), of('1.5'))).toBe(0);
  expect(compareDecimals(of('9.99'), of('10'))).toBe(-1);
  expect(compareDecimals(of('64123.45'), of('64123.4'))).toBe(1);
});

test('bitcoin is a currency beside those of ISO 4217, written in satoshis', () => {
  expect(currencyOrBitcoin.safeParse('BTC').success).toBe(true);
  expect(currencyOrBitcoin.safeParse('GBP').success).toBe(true);
  expect(currencyOrBitcoin.safeParse('XBT').success).toBe(false);
  expect(formatAmount(12_345, 'BTC', 'en-GB')).toBe('12,345 sats');
  expect(formatAmount(1, 'BTC', 'en-GB')).toBe('1 sat');
  expect(formatAmount(1_234, 'GBP', 'en-GB')).toBe('£12.34');
});
