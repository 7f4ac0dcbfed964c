import { expect, test } from 'vitest';
import { coreWords } from '../words.ts';
import { newSale, type SaleContext, type SaleOutcome } from './context.ts';
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

const textOf = (context: SaleContext, outcome: SaleOutcome, requestedBy: string | null = null) =>
  saleNotice({ context, outcome, requestedBy, isReaderReady: false, words: coreWords.en, locale: 'en-GB' });

test('the code for support has six characters instead of the whole id', () => {
  const { detail } = textOf(aSale(), { kind: 'failed', why: 'disagree' });
  expect(detail).toContain('give the code 8RJC8X.');
  expect(detail).not.toContain('sale_');
});

test.each([
  ['TAMPER', 'Reader opened: don’t use it'],
  ['BATTERY', 'Reader battery is empty'],
  ['not_connected', 'Reader disconnected'],
  ['BUSY', 'The reader is busy'],
  ['PROTO', 'The reader is not available'],
])('a reader that refuses with %s is shown as "%s", never by its code', (code, message) => {
  const notice = textOf(aSale({ readerDetail: code }), { kind: 'failed', why: 'reader_not_available' });
  expect(notice.message).toBe(message);
  expect(notice.detail).toContain('Nothing was charged.');
  expect(notice.detail).not.toContain(code);
});

test('a card pulled out too soon is distinguished from a customer who cancelled', () => {
  const card = { scheme: 'Visa' as const, lastFour: '1111', entryMode: 'chip' };
  const detail = (context: SaleContext) => textOf(context, { kind: 'cancelled', why: 'customer' }).detail;
  expect(detail(aSale({ card }))).toBe('Card removed too soon. Nothing was charged. Try again.');
  expect(detail(aSale())).toBe('The customer cancelled, or took the card out. Nothing was charged.');
});

test('after a decline the text suggests another card, here or where the sale was started', () => {
  const declined = { kind: 'declined', why: 'bank_declined' } as const;
  expect(textOf(aSale(), declined)).toMatchObject({
    detail: 'The bank declined the card. Nothing was charged. Ask for another card, then try again.',
    asksAgain: true,
  });
  expect(textOf(aSale(), declined, 'Web shop').detail).toBe(
    'The bank declined the card. Nothing was charged. Ask for another card, then start the sale again from Web shop.',
  );
});
