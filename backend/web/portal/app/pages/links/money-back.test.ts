import type { PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { expect, test } from 'vitest';
import { moneyBackOf } from './money-back.ts';

type Payment = readonly [status: PaymentLink['payments'][number]['status'], countedInCents: number];
const aLink = (balanceInCents: number, payments: readonly Payment[]) => ({
  balanceInCents,
  payments: payments.map(([status, countedInCents]) => ({ status, countedInCents })) as PaymentLink['payments'],
});

test.each<[number, Payment[], string | undefined]>([
  [0, [['cancelled', 0]], 'voided'],
  [0, [['refunded', 1_800]], 'refunded'],
  [
    0,
    [
      ['declined', 0],
      ['cancelled', 0],
    ],
    'voided',
  ],
  [
    0,
    [
      ['cancelled', 0],
      ['refunded', 900],
    ],
    'refunded',
  ],
  // Something of it is kept.
  [0, [['settled', 1_800]], undefined],
  [0, [['partly_refunded', 1_800]], undefined],
  [
    0,
    [
      ['cancelled', 0],
      ['unsettled', 1_800],
    ],
    undefined,
  ],
  // Bitcoin that did not count was returned, and is not what paid the link.
  [
    0,
    [
      ['refunded', 0],
      ['settled', 1_800],
    ],
    undefined,
  ],
  // It was paid in part only, and is open again.
  [1_800, [['cancelled', 0]], undefined],
  [1_800, [], undefined],
])('of a link with %i left and the payments %j, the money went back: %s', (balance, payments, expected) => {
  expect(moneyBackOf(aLink(balance, payments))).toBe(expected);
});
