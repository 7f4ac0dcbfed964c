import { rejectedCallbackKinds } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { paymentStatus, refundStatus } from '@florin/shared/contracts/api-v1/refunds.ts';
import { reversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { sideTexts, wordOf } from './side-texts.ts';

const codes: readonly (readonly [name: string, codes: readonly string[]])[] = [
  ['status', [...paymentStatus.options, ...refundStatus.options]],
  ['cause', rejectedCallbackKinds.map(kind => kind.replace('callback_', ''))],
  ['reason', reversalReason.options],
];

test('what the service records of a discrepancy has a name and words in both languages', () => {
  const { en, de } = sideTexts;
  expect(Object.keys(de.names)).toEqual(Object.keys(en.names));
  expect(Object.keys(de.values)).toEqual(Object.keys(en.values));
  for (const [name, known] of codes)
    for (const code of known)
      for (const words of [en, de]) expect([code, words.values[code]]).toEqual([code, wordOf(words, name, code)]);
});

test('a code without words is at least written as words, and what others wrote is shown as it is', () => {
  const { en } = sideTexts;
  expect(wordOf(en, 'cause', 'some_new_cause')).toBe('some new cause');
  expect(wordOf(en, 'approved', true)).toBe('Yes');
  expect(wordOf(en, 'gatewayReference', 'timeout')).toBeUndefined();
});
