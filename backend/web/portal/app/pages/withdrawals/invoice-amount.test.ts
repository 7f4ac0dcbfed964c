import { expect, test } from 'vitest';
import { invoiceSats } from './invoice-amount.ts';

test.each([
  // Of BOLT 11's examples, shortened.
  ['lnbc2500u1pvjluezsp5zyg3zyg3zyg3', 250_000],
  ['lnbc20m1pvjluezsp5zyg3zyg3zyg3', 2_000_000],
  ['lntb20m1pvjluezsp5zyg3zyg3zyg3', 2_000_000],
  ['LNBC25M1PVJLUEZPP5QQQSYQCYQ5', 2_500_000],
  [' lnbcrt250n1p5kqsz8pp5qqqsyq\n', 25],
  ['lnbc21pvjluez', 200_000_000],
  ['lnbc9678785340p1pwmna7lpp5gc3xf', undefined],
  ['lnbc10000p1pwmna7l', 1],
  ['lnbc1pvjluezsp5zyg3zyg3zyg3', undefined],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', undefined],
  ['', undefined],
])('reads the amount of the invoice %j', (invoice, sats) => {
  expect(invoiceSats(invoice)).toBe(sats);
});
