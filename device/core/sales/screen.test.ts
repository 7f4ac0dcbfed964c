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
type Shown = Parameters<typeof saleScreen>[0];
const usual = { context, since: 0, bankSince: null, displaySettings, hasPrinter: true };
const shown = (given: Pick<Shown, 'state' | 'readerStage'> & Partial<Shown>) =>
  saleScreen({ ...usual, requestedBy: null, mayStopWaiting: false, isReaderReady: false, ...given });
const stageShown = (state: string, readerStage: ReaderStage) => {
  const screen = shown({ state, readerStage });
  return screen.name === 'sale' ? screen.stage : screen.name;
};

test('once the bank has answered, the screen no longer waits for it', () => {
  expect(stageShown('authorising', 'card_inserted')).toBe('authorising');
  expect(stageShown('finishing', 'card_inserted')).toBe('finishing');
});

test('a sale can no longer be cancelled once the reader reports the authorisation', () => {
  const state = 'takingCard';
  expect(shown({ state, readerStage: 'card_inserted' })).toMatchObject({ cancellable: true });
  expect(shown({ state, readerStage: 'authorising' })).toMatchObject({
    stage: 'authorising',
    cancellable: false,
  });
});

test('a card of the last sale still in the reader does not mean that this sale is ending', () => {
  expect(stageShown('takingCard', 'remove_card')).toBe('remove_previous_card');
  expect(stageShown('finishing', 'remove_card')).toBe('remove_card');
});

test('while the reader ends without the bank’s answer, the screen does not show an answer', () => {
  const words = (bank: 'pending' | 'approved') => {
    const change = { context: { ...context, bank }, bankSince: 0 };
    const screen = shown({ state: 'finishing', readerStage: undefined, ...change });
    return screen.name === 'sale' ? screen.whyNotCancellable : null;
  };
  expect(words('pending')).toContain('has not answered');
  expect(words('approved')).toContain('The bank has answered');
});

test.each([
  [true, 'The customer signs the slip from the printer. '],
  [false, 'The customer must sign. '],
])(
  'a signature is compared, and a wrong one ends in a void; with a printer (%s) the slip is named',
  (hasPrinter, first) => {
    const approved = { kind: 'approved', why: 'reader_confirmed' } as const;
    const card = { scheme: 'Visa', lastFour: '0821', entryMode: 'swipe', asksSignature: true } as const;
    const signed = { ...context, outcome: approved, card };
    const screen = shown({ state: 'done', readerStage: undefined, context: signed, hasPrinter });
    expect(screen.name === 'sale_result' && screen.notice.detail).toBe(
      `${first}Compare the signature with the one on the card. If it does not match, void the sale.`,
    );
  },
);
