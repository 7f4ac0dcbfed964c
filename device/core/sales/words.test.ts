import { expect, test } from 'vitest';
import { newSale, type SaleContext } from './context.ts';
import { saleNotice } from './words.ts';

const aSale = (change: Partial<SaleContext> = {}): SaleContext => ({
  ...newSale({
    saleId: 'sale_01a1c93f8e6b7c4d2a5f90b1e7c3d8a6f4',
    transactionId: 'sale_01a1c93f8e6b7c4d2a5f90b1e7c3d8a6f4',
    amountMinor: 12_50,
    currency: 'GBP',
    startedAt: 0,
  }).context,
  ...change,
});

test('support is given six characters to read out, not the whole id', () => {
  const { detail } = saleNotice(aSale(), { kind: 'failed', why: 'disagree' }, 'en-GB');
  expect(detail).toContain('give the code D8A6F4.');
  expect(detail).not.toContain('sale_');
});

test.each([
  ['TAMPER', "Reader opened: don't use it"],
  ['BATTERY', 'Reader battery is empty'],
  ['not_connected', 'Reader disconnected'],
  ['BUSY', 'The reader is busy'],
  ['PROTO', 'The reader is not available'],
])('a reader that refuses with %s is shown as "%s", never by its code', (code, message) => {
  const notice = saleNotice(aSale({ readerDetail: code }), { kind: 'failed', why: 'reader_not_available' }, 'en-GB');
  expect(notice.message).toBe(message);
  expect(notice.detail).toContain('Nothing was charged.');
  expect(notice.detail).not.toContain(code);
});

test('a card pulled out too soon is distinguished from a customer who cancelled', () => {
  const card = { scheme: 'Visa', lastFour: '1111', entryMode: 'chip' };
  const detail = (context: SaleContext) => saleNotice(context, { kind: 'cancelled', why: 'customer' }, 'en-GB').detail;
  expect(detail(aSale({ card }))).toBe('Card removed too soon. Nothing was charged.');
  expect(detail(aSale())).toBe('The customer cancelled on the reader. Nothing was charged.');
});
