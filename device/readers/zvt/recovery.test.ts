import { describe, expect, test } from 'vitest';
import type { Entry, LastTransaction } from './journal.ts';
import { resolve } from './recovery.ts';

const earlier: LastTransaction = {
  kind: 'facts',
  facts: { result: 0, amountMinor: 900, currency: 'EUR', trace: '000975', receipt: '0231', terminalId: '52523535' },
};
const none: LastTransaction = { kind: 'none', code: 0x83 };
const sale: Entry = {
  id: 'sale_1',
  kind: 'sale',
  amountMinor: 1250,
  currency: 'EUR',
  terminalId: '52523535',
  before: earlier,
  state: 'open',
  isConfirmed: false,
  receipts: [],
};
const ours = {
  result: 0,
  amountMinor: 1250,
  currency: 'EUR',
  trace: '000976',
  receipt: '0232',
  terminalId: '52523535',
};
const facts = (change: Partial<typeof ours> & { originalTrace?: string }): LastTransaction => ({
  kind: 'facts',
  facts: { ...ours, ...change },
});
const refund: Entry = { ...sale, kind: 'refund', saleReference: '52523535-0231-000975-1250-EUR' };

describe('the reader’s last transaction decides about one whose outcome is not known', () => {
  test.each<[string, Entry, LastTransaction, unknown]>([
    ['the same as before', sale, earlier, { kind: 'not_executed' }],
    ['still none', { ...sale, before: none }, none, { kind: 'not_executed' }],
    [
      'another answer to the question, without one',
      { ...sale, before: none },
      { kind: 'none', code: 0x66 },
      { kind: 'unclear' },
    ],
    ['none, although there was one', sale, none, { kind: 'unclear' }],
    ['a new success of this amount', sale, facts({}), { kind: 'ended', outcome: { kind: 'approved' } }],
    [
      'a first success of this amount',
      { ...sale, before: none },
      facts({}),
      { kind: 'ended', outcome: { kind: 'approved' } },
    ],
    ['a new success of another amount', sale, facts({ amountMinor: 1251 }), { kind: 'unclear' }],
    ['a new success in another currency', sale, facts({ currency: 'CHF' }), { kind: 'unclear' }],
    ['a success of another reader', sale, facts({ terminalId: '52523536' }), { kind: 'unclear' }],
    [
      'a new failure',
      sale,
      facts({ result: 0x05 }),
      { kind: 'ended', outcome: { kind: 'declined', by: 'host', code: '05' } },
    ],
    [
      'the reversal of a transaction after the one before',
      sale,
      facts({ trace: '000977', originalTrace: '000976' }),
      { kind: 'ended', outcome: { kind: 'declined', by: 'reader', code: 'REVERSED' } },
    ],
    ['the reversal of the one before', sale, facts({ originalTrace: '000975' }), { kind: 'unclear' }],
    ['a refund', refund, facts({}), { kind: 'ended', outcome: { kind: 'approved' } }],
    [
      'a void of the sale',
      { ...refund, kind: 'void' },
      facts({ originalTrace: '000975' }),
      { kind: 'ended', outcome: { kind: 'approved' } },
    ],
    ['a void of another sale', { ...refund, kind: 'void' }, facts({ originalTrace: '000974' }), { kind: 'unclear' }],
  ])('%s', (_, entry, now, expected) => {
    expect(resolve(entry, now)).toMatchObject(expected as object);
  });
});
