import { expect, test } from 'vitest';
import { cardNameOf, cardSchemeOf } from './card-schemes.ts';

test.each([
  ['visa', 'Visa', 'Visa'],
  ['VISA', 'Visa', 'Visa'],
  ['Visa Debit', 'Visa', 'Visa'],
  ['Mastercard Debit', 'Mastercard', 'Mastercard'],
  ['Master Card', 'Mastercard', 'Mastercard'],
  ['International Maestro', 'Maestro', 'Maestro'],
  ['amex', 'American Express', 'American Express'],
  ['American Express', 'American Express', 'American Express'],
  ['China UnionPay', 'UnionPay', 'UnionPay'],
  ['Girocard', 'Other', 'Card'],
  [' ', null, 'Card'],
])('%s is %s', (given, scheme, name) => {
  expect(cardSchemeOf(given)).toBe(scheme);
  expect(cardNameOf(scheme === null ? null : cardSchemeOf(given))).toBe(name);
});
