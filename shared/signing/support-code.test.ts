import { expect, test } from 'vitest';
import { supportCode } from '../contracts/support-code.ts';
import { supportCodeOf, withSupportCode } from './support-code.ts';

test('a support code follows from the id alone and fits its form', () => {
  expect(supportCodeOf('sale_019a8f3e6b7c7d2e8a1b2c3d4e5f6071')).toBe(
    supportCodeOf('sale_019a8f3e6b7c7d2e8a1b2c3d4e5f6071'),
  );
  const codes = Array.from({ length: 500 }, (_, index) => supportCodeOf(`sale_${index}`));
  expect(codes.filter(code => !supportCode.safeParse(code).success)).toEqual([]);
  expect(new Set(codes).size).toBe(500);
});

test('only a line about a sale gets the code of the sale', () => {
  expect(withSupportCode({ saleId: 'sale_1', state: 'done' })).toEqual({
    saleId: 'sale_1',
    state: 'done',
    supportCode: supportCodeOf('sale_1'),
  });
  expect(withSupportCode({ paymentId: 'pay_1' })).toEqual({ paymentId: 'pay_1' });
});
