import { newSale } from '@florin/device/core/sales/context.ts';
import { saleReceipt } from '@florin/device/core/sales/words.ts';
import { coreWords, screenLanguage } from '@florin/device/core/words.ts';
import type { CustomerLanguage } from '@florin/shared/languages.ts';
import { expect, test } from 'vitest';

test('every word, amount and date of a receipt is in the language of its screen', () => {
  const started = {
    transactionId: 'sale_1',
    amountMinor: 1_250,
    currency: 'GBP',
    startedAt: Date.UTC(2026, 10, 23, 14, 5),
  };
  const { context } = newSale({ saleId: 'sale_1', ...started });
  const receiptIn = (language: CustomerLanguage) =>
    saleReceipt({
      context: {
        ...context,
        card: { scheme: 'Visa', lastFour: '0821', entryMode: 'contactless' },
        authorisationCode: 'A1',
      },
      businessName: 'Card',
      terminalName: 'Till 1',
      words: coreWords[language],
      locale: screenLanguage(language, 'en-GB').locale,
      timeZone: 'Europe/London',
    }).map(({ label, value }) => `${label}: ${value}`.replaceAll(/\s/g, ' '));
  expect(receiptIn('en')).toEqual([
    'Business: Card',
    'Terminal: Till 1',
    'Date: 23 Nov 2026, 14:05',
    'Amount: £12.50',
    'Card: Visa •••• 0821',
    'Read by: Contactless',
    'Authorisation: A1',
  ]);
  expect(receiptIn('de')).toEqual([
    'Händler: Card',
    'Terminal: Till 1',
    'Datum: 23. Nov. 2026, 14:05',
    'Betrag: 12,50 £',
    'Karte: Visa •••• 0821',
    'Gelesen über: Kontaktlos',
    'Genehmigungs-Nr.: A1',
  ]);
});
