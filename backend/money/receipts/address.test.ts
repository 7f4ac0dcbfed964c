import { expect, test } from 'vitest';
import { receiptAddresses } from './address.ts';

// Made with another program: receipts that were printed lead to these addresses.
test.each([
  ['ref_0001', '1wyrevECAC5IdpW0liLUmU'],
  ['pay_10', '00SQPlnwZg5JuAoz3WUJet'],
])('the address of the receipt of %s stays what was printed', (subjectId, token) => {
  const addresses = receiptAddresses({ permanentKey: () => new Uint8Array(32).fill(7), publicUrl: 'https://pay.test' });
  expect(addresses.of(subjectId).url).toBe(`https://pay.test/r/${token}`);
});
