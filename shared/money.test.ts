import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountMinor, currencyCode, exponentOf, fitsWithin, formatMoney, money } from './money.ts';

describe('money', () => {
  test('exponents are those of ISO 4217, not of Intl', () => {
    expect(['GBP', 'JPY', 'KWD', 'CLF'].map(exponentOf)).toEqual([2, 0, 3, 4]);
    // Intl shows these without decimals on Node 24; ISO 4217 defines 2, 2 and 3.
    expect(['HUF', 'LAK', 'IQD'].map(exponentOf)).toEqual([2, 2, 3]);
    expect(exponentOf('XYZ')).toBeUndefined();
  });

  test.each([
    [money(1250, 'GBP'), 'en-GB', '£12.50'],
    [money(5, 'GBP'), 'en-GB', '£0.05'],
    [money(1250, 'GBP'), 'de-DE', '12,50 £'],
    [money(1250, 'GBP'), 'fr-FR', '12,50 £'],
    [money(1250, 'GBP'), 'es-ES', '12,50 £'],
    [money(1250, 'USD'), 'fr-FR', '12,50 $US'],
    [money(1250, 'CAD'), 'fr-FR', '12,50 $CA'],
    [money(1250, 'JPY'), 'en-US', '¥1,250'],
    [money(1250, 'JPY'), 'ja-JP', '¥1,250'],
    [money(1250, 'KWD'), 'en-GB', 'KWD 1.250'],
    [money(123_456, 'EUR'), 'de-DE', '1.234,56 €'],
    [money(-1999, 'USD'), 'en-US', '−$19.99'],
    [money(Number.MAX_SAFE_INTEGER, 'GBP'), 'en-GB', '£90,071,992,547,409.91'],
  ])('%j in %s reads %s', (value, locale, text) => {
    expect(formatMoney(value, locale).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
  });

  test.each([
    0,
    -1,
    0.5,
    '100',
    null,
    [100],
    Number('9007199254740993'),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    {},
  ])('%j is not an amount', value => {
    expect(amountMinor.safeParse(value).success).toBe(false);
  });

  test.each(['gbp', 'GB', 'GBPX', '', 'XXX', 826, null])('%j is not a currency', value => {
    expect(currencyCode.safeParse(value).success).toBe(false);
  });

  test('an amount in another currency never fits', () => {
    expect(fitsWithin({ part: money(1, 'EUR'), whole: money(100, 'JPY') })).toBe(false);
  });

  test('every amount keeps all its digits when formatted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.constantFrom('GBP', 'JPY', 'KWD', 'CLF'),
        (value, currency) => {
          expect(Number(formatMoney(money(value, currency), 'en-GB').replaceAll(/\D/g, ''))).toBe(value);
        },
      ),
    );
  });
});
