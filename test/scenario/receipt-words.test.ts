import { newSale } from '@florin/device/core/sales/context.ts';
import { saleReceipt } from '@florin/device/core/sales/words.ts';
import { messagesFor, receiptIn } from '@florin/device/renderer/customer/messages.ts';
import { expect, test } from 'vitest';

test('every word of a kiosk’s receipt is in the language of the sale', () => {
  const { context } = newSale({
    saleId: 'sale_1',
    transactionId: 'sale_1',
    amountMinor: 1_250,
    currency: 'GBP',
    startedAt: 0,
  });
  const lines = saleReceipt({
    context: {
      ...context,
      card: { scheme: 'Visa', lastFour: '0821', entryMode: 'contactless' },
      authorisationCode: 'A1',
    },
    businessName: 'Card',
    terminalName: 'Till 1',
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  const labelsIn = (language: string) => receiptIn(messagesFor(language).messages, lines).map(({ label }) => label);
  expect(labelsIn('en')).toEqual(['Business', 'Terminal', 'Date', 'Amount', 'Card', 'Entry', 'Authorisation']);
  expect(labelsIn('de-AT')).toEqual(['Händler', 'Terminal', 'Datum', 'Betrag', 'Karte', 'Eingabe', 'Genehmigung']);
  expect(labelsIn('fr')).toEqual(['Commerçant', 'Terminal', 'Date', 'Montant', 'Carte', 'Lecture', 'Autorisation']);
  const german = receiptIn(messagesFor('de').messages, lines);
  expect(german).toContainEqual({ label: 'Eingabe', value: 'Kontaktlos' });
  expect(german[0]).toEqual({ label: 'Händler', value: 'Card' });
});
