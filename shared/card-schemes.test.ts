import { expect, test } from 'vitest';
import { cardSchemeName } from './card-schemes.ts';

test.each([
  ['visa', 'Visa'],
  ['VISA', 'Visa'],
  ['amex', 'American Express'],
  ['American Express', 'American Express'],
  ['Girocard', 'Girocard'],
])('%s is written %s', (given, written) => {
  expect(cardSchemeName(given)).toBe(written);
});
