import { expect, test } from 'vitest';
import { hasCardNumber } from './card-numbers.ts';

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '４１１１ １１１１ １１１１ １１１１',
  'Card 5555555555554444, for Mrs Gray',
  'Visa 4111 1111 1111 1111 12/27 123',
  'pan:2223003122003222',
  '3782 822463 10005',
  '30569309025904',
  '6011111111111117',
  '3530111333300000',
  '6200000000000005',
  '(6759649826438453)',
])('%s has a card number in it', text => {
  expect(hasCardNumber(text)).toBe(true);
});

test.each([
  'INV-000042',
  'Table 7, 12 covers, 2026-11-24 19:30',
  // Its check digit is wrong.
  '4111111111111112',
  // A number of goods, a telephone, a phone's IMEI, an order of milliseconds, accounts.
  '4006381333931',
  '+44 20 7946 0958',
  '490154203237518',
  '1732571234567',
  'DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  // Part of a longer number or word.
  '41111111111111110000',
  'ORDER4111111111111111',
  '411111 ****** 1111',
  '0000000000000000',
])('%s has none', text => {
  expect(hasCardNumber(text)).toBe(false);
});
