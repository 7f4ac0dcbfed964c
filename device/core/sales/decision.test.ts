import { expect, test } from 'vitest';
import { type BankState, decisionOf, mayCancelUnanswered, type ReaderState, type SaleDecision } from './decision.ts';

const readers: ReaderState[] = [
  'not_reported',
  'active',
  'lost',
  'gone',
  'forgotten',
  'approved',
  'refused',
  'cancelled',
  'timed_out',
  'not_available',
  'reversed',
];

/** One row per state of the bank, one column per state of the reader, in the order above. */
const table: Record<BankState, string> = {
  not_asked: 'wait wait none none none ODD none none none none none',
  not_found: 'wait wait none none none ODD none none none none none',
  refused: 'wait wait none none none ODD none none none none none',
  unknown: 'wait wait wait wait wait YES wait wait wait wait wait',
  pending: 'wait wait wait wait wait YES wait wait wait wait wait',
  approved: 'wait wait wait YES YES YES back back back wait back',
  declined: 'no no no no no no no no no no no',
  failed: 'no no no no no no no no no no no',
  returned: 'gone gone gone gone gone gone gone gone gone gone gone',
};
const short: Record<SaleDecision, string> = {
  wait: 'wait',
  approved: 'YES',
  reverse: 'back',
  declined: 'no',
  voided: 'gone',
  nothing_charged: 'none',
  disagree: 'ODD',
};

test.each(Object.entries(table))(
  'with the bank’s state %s, each state of the reader leads to its decision',
  (bank, row) => {
    expect(readers.map(reader => short[decisionOf(bank as BankState, reader)]).join(' ')).toBe(row);
  },
);

test('no sale the bank approved ends as uncharged, and none it refused ends as charged', () => {
  for (const reader of readers) {
    expect(['approved', 'reverse', 'wait']).toContain(decisionOf('approved', reader));
    for (const bank of ['declined', 'failed', 'not_found', 'refused', 'not_asked'] as const) {
      expect(decisionOf(bank, reader)).not.toBe('approved');
    }
  }
});

test('a sale is cancelled without the bank only while the service has it and no reader can complete it', () => {
  const allowed = Object.keys(table).flatMap(bank =>
    readers
      .filter(reader => mayCancelUnanswered({ authorisation: 'host', bank: bank as BankState, reader }))
      .map(reader => `${bank} ${reader}`),
  );
  const ended = ['lost', 'gone', 'forgotten', 'refused', 'cancelled', 'timed_out', 'not_available', 'reversed'];
  expect(allowed).toEqual(ended.map(reader => `pending ${reader}`));
  for (const reader of readers)
    expect(mayCancelUnanswered({ authorisation: 'reader', bank: 'pending', reader })).toBe(false);
});
