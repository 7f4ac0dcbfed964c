import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import { currencyCode, exponentOf } from '@florin/shared/money.ts';
import { describe, expect, test } from 'vitest';

describe('currency numbers', () => {
  test.each([
    ['GBP', '826'],
    ['eur', '978'],
    ['JPY', '392'],
    ['KWD', '414'],
    ['826', '826'],
    ['36', '036'],
  ])('%s is %s', (code, number) => {
    expect(currencyNumber(code)).toBe(number);
  });

  test.each(['', 'XXX', '000', '8260', 'GB', '-26'])('%j is not a currency', code => {
    expect(currencyNumber(code)).toBeUndefined();
  });

  test('every currency of the money module has a number', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const all = letters.flatMap(a => letters.flatMap(b => letters.map(c => a + b + c)));
    const listed = all.filter(code => exponentOf(code) !== undefined);
    expect(listed.length).toBeGreaterThan(150);
    expect(listed.filter(code => currencyNumber(code) === undefined)).toEqual([]);
    expect(currencyCode.parse('GBP')).toBe('GBP');
  });
});
