import { expect, test } from 'vitest';
import { type BankState, type ReaderState, type Verdict, verdictOf } from './verdict.ts';

const readers: ReaderState[] = [
  'unheard',
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

/** One line per word of the bank, one column per word of the reader, in the order above. */
const table: Record<BankState, string> = {
  not_asked: 'wait wait none none none ODD none none none none none',
  never_heard: 'wait wait none none none ODD none none none none none',
  refused: 'wait wait none none none ODD none none none none none',
  unknown: 'wait wait wait wait wait YES wait wait wait wait wait',
  pending: 'wait wait wait wait wait YES wait wait wait wait wait',
  approved: 'wait wait wait YES YES YES back back back wait back',
  declined: 'no no no no no no no no no no no',
  failed: 'no no no no no no no no no no no',
  returned: 'gone gone gone gone gone gone gone gone gone gone gone',
};
const short: Record<Verdict, string> = {
  wait: 'wait',
  approved: 'YES',
  reverse: 'back',
  declined: 'no',
  voided: 'gone',
  nothing_charged: 'none',
  disagree: 'ODD',
};

test.each(Object.entries(table))('with the bank’s word %s, each word of the reader has its verdict', (bank, row) => {
  expect(readers.map(reader => short[verdictOf(bank as BankState, reader)]).join(' ')).toBe(row);
});

test('no sale the bank approved ends as uncharged, and none it refused ends as charged', () => {
  for (const reader of readers) {
    expect(['approved', 'reverse', 'wait']).toContain(verdictOf('approved', reader));
    for (const bank of ['declined', 'failed', 'never_heard', 'refused', 'not_asked'] as const) {
      expect(verdictOf(bank, reader)).not.toBe('approved');
    }
  }
});
