import { expect, test } from 'vitest';
import type { ReaderStage } from '../../readers/reader.ts';
import { newSale } from './context.ts';
import { saleScreen } from './screen.ts';

const { context } = newSale({
  saleId: 'sale_1',
  transactionId: 'sale_1',
  amountMinor: 3_00,
  currency: 'GBP',
  startedAt: 0,
});
const displaySettings = { businessName: 'Shop', terminalName: 'Till', locale: 'en-GB', timeZone: 'UTC' };
const stageShown = (state: string, readerStage: ReaderStage) => {
  const screen = saleScreen({
    state,
    context,
    readerStage,
    since: 0,
    bankSince: null,
    displaySettings,
    requestedBy: null,
  });
  return screen.name === 'sale' ? screen.stage : screen.name;
};

test('once the bank has answered, nobody is asked to wait for the bank', () => {
  expect(stageShown('authorising', 'card_inserted')).toBe('authorising');
  expect(stageShown('finishing', 'card_inserted')).toBe('finishing');
});

test('a sale is not cancelled any more once the reader says that the bank is asked', () => {
  const shown = (readerStage: ReaderStage) =>
    saleScreen({
      state: 'takingCard',
      context,
      readerStage,
      since: 0,
      bankSince: null,
      displaySettings,
      requestedBy: null,
    });
  expect(shown('card_inserted')).toMatchObject({ cancellable: true });
  expect(shown('authorising')).toMatchObject({ stage: 'authorising', cancellable: false });
});

test('a reader that still holds the last card is not at the end of this sale', () => {
  expect(stageShown('takingCard', 'remove_card')).toBe('remove_previous_card');
  expect(stageShown('finishing', 'remove_card')).toBe('remove_card');
});
