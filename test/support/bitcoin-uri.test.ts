import { bitcoinText } from '@florin/shared/bitcoin.ts';
import { expect, test } from 'vitest';
import { readPaymentUri } from './bitcoin-uri.ts';

// The examples of BIP 21, which BIP 321 keeps. Tests read the codes shown to customers with this parser.
const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';

test.each([
  ['', null, {}],
  ['?label=Luke-Jr', null, { label: 'Luke-Jr' }],
  ['?amount=20.3&label=Luke-Jr', 2_030_000_000n, { amount: '20.3', label: 'Luke-Jr' }],
  [
    '?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz',
    5_000_000_000n,
    { amount: '50', label: 'Luke-Jr', message: 'Donation for project xyz' },
  ],
  [
    '?somethingyoudontunderstand=50&somethingelseyoudontget=999',
    null,
    { somethingyoudontunderstand: '50', somethingelseyoudontget: '999' },
  ],
  // Names may be in capitals, as they are in QR codes.
  ['?AMOUNT=0.00000001', 1n, { amount: '0.00000001' }],
])('a payment URI with %j is read', (query, amountSats, parameters) => {
  for (const scheme of ['bitcoin:', 'BITCOIN:']) {
    const read = readPaymentUri(`${scheme}${address}${query}`);
    expect({ ...read, parameters: Object.fromEntries(read.parameters) }).toEqual({ address, amountSats, parameters });
  }
});

test('a payment URI without an address is accepted if it has an invoice', () => {
  expect(readPaymentUri('bitcoin:?lightning=lnbc1')).toMatchObject({ address: '', amountSats: null });
});

test.each([
  'bitcoin:',
  `bitcoin://${address}`,
  `bitcoin:${address}?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999`,
  `bitcoin:${address}?amount=1&amount=2`,
  `bitcoin:${address}?label=a&LABEL=b`,
  `bitcoin:${address}?amount=1,000`,
  `bitcoin:${address}?amount=0.000000001`,
  `bitcoin:${address}?amount=-1`,
  `bitcoin:${address}?label=%zz`,
])('%s is refused', uri => {
  expect(() => readPaymentUri(uri)).toThrow('is not a payment URI');
});

test.each([
  [2_030_000_000, '20.3'],
  [5_000_000_000, '50'],
  [1, '0.00000001'],
])('%i satoshis are written as %s bitcoin, and read as the same', (amountSats, amount) => {
  expect(bitcoinText(amountSats)).toBe(amount);
  expect(readPaymentUri(`bitcoin:${address}?amount=${amount}`).amountSats).toBe(BigInt(amountSats));
});
