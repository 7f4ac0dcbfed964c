import { expect, test } from 'vitest';
import type { ReaderStage } from '../../readers/reader.ts';
import { coreWords } from '../words.ts';
import { newSale } from './context.ts';
import { saleScreen } from './screen.ts';

const { context } = newSale({
  saleId: 'sale_1',
  transactionId: 'sale_1',
  amountMinor: 3_00,
  currency: 'GBP',
  startedAt: 0,
});
const displaySettings = {
  businessName: 'Shop',
  terminalName: 'Till',
  words: coreWords.en,
  locale: 'en-GB',
  timeZone: 'UTC',
};
const stageShown = (state: string, readerStage: ReaderStage) => {
  const screen = saleScreen({
    state,
    context,
    readerStage,
    since: 0,
    bankSince: null,
    displaySettings,
    requestedBy: null,
    mayStopWaiting: false,
    isReaderReady: false,
  });
  return screen.name === 'sale' ? screen.stage : screen.name;
};

test('once the bank has answered, the screen no longer waits for it', () => {
  expect(stageShown('authorising', 'card_inserted')).toBe('authorising');
  expect(stageShown('finishing', 'card_inserted')).toBe('finishing');
});

test('a sale can no longer be cancelled once the reader reports the authorisation', () => {
  const shown = (readerStage: ReaderStage) =>
    saleScreen({
      state: 'takingCard',
      context,
      readerStage,
      since: 0,
      bankSince: null,
      displaySettings,
      requestedBy: null,
      mayStopWaiting: false,
      isReaderReady: false,
    });
  expect(shown('card_inserted')).toMatchObject({ cancellable: true });
  expect(shown('authorising')).toMatchObject({ stage: 'authorising', cancellable: false });
});

test('a card of the last sale still in the reader does not mean that this sale is ending', () => {
  expect(stageShown('takingCard', 'remove_card')).toBe('remove_previous_card');
  expect(stageShown('finishing', 'remove_card')).toBe('remove_card');
});

test('while the reader ends without the bank’s answer, the screen does not show an answer', () => {
  const words = (bank: 'pending' | 'approved') => {
    const screen = saleScreen({
      state: 'finishing',
      context: { ...context, bank },
      readerStage: undefined,
      since: 0,
      bankSince: 0,
      displaySettings,
      requestedBy: null,
      mayStopWaiting: false,
      isReaderReady: false,
    });
    return screen.name === 'sale' ? screen.whyNotCancellable : null;
  };
  expect(words('pending')).toContain('has not answered');
  expect(words('approved')).toContain('The bank has answered');
});
