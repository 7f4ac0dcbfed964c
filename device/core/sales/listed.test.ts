import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import { expect, test } from 'vitest';
import type { UnchargedSale } from '../../ipc/view.ts';
import { isFoundBy, listedSales } from './listed.ts';

const at = (text: string) => Date.parse(text);
const record = (saleId: string, createdAt: string) => ({ saleId, createdAt }) as SaleRecord;
const uncharged = (saleId: string, startedAt: string, reference: string | null = null): UnchargedSale => ({
  kind: 'uncharged',
  saleId,
  outcome: 'cancelled',
  why: 'staff',
  amountMinor: 1_250,
  tipMinor: 0,
  currency: 'GBP',
  reference,
  startedAt: at(startedAt),
});

const records = [record('sale_c', '2026-11-21T14:00:00Z'), record('sale_a', '2026-11-21T10:00:00Z')];
const ended = [
  uncharged('sale_d', '2026-11-21T15:00:00Z'),
  uncharged('sale_b', '2026-11-21T12:00:00Z'),
  uncharged('sale_0', '2026-11-21T09:00:00Z'),
];
const ids = (...list: Parameters<typeof listedSales>) => listedSales(...list).map(({ saleId }) => saleId.slice(5));

test('what only the terminal knows stands in the list by its time, and no earlier than the records that were loaded', () => {
  expect(ids(records, ended, null)).toEqual(['d', 'c', 'b', 'a', '0']);
  expect(ids(records, ended, at('2026-11-21T10:00:00Z'))).toEqual(['d', 'c', 'b', 'a']);
  expect(ids(records.slice(0, 1), ended, at('2026-11-21T14:00:00Z'))).toEqual(['d', 'c']);
  expect(ids([], ended, null)).toEqual(['d', 'b', '0']);
  expect(ids([record('sale_b', '2026-11-21T12:00:01Z')], ended, null)).toEqual(['d', 'b', '0']);
});

test.each<[string, SearchTerm['field'], string, boolean]>([
  ['its amount', 'amount', '12.50', true],
  ['ten times its amount', 'amount', '125.00', false],
  ['its reference', 'reference', 'Table 12', true],
  ['the beginning of its reference', 'reference', 'tAB', true],
  ['too little of its reference', 'reference', 'Ta', false],
  ['the end of its reference', 'reference', '12', false],
  ['its id', 'sale_id', 'sale_1', true],
  ['an invoice number', 'invoice_number', 'INV-001250', false],
  ['its time of day in London', 'time', '23:58', true],
  ['five minutes before', 'time', '23:53', true],
  ['six minutes before', 'time', '23:52', false],
  ['five minutes after, which is the next day', 'time', '0:03', true],
  ['six minutes after', 'time', '0:04', false],
  ['its time of day in UTC', 'time', '22:58', false],
  ['its day in London', 'day', '2026-07-21', true],
  ['the day after', 'day', '2026-07-22', false],
])('a sale that asked for no money is found by %s as one of the service would be', (_, field, value, isFound) => {
  const sale = uncharged('sale_1', '2026-07-21T22:58:30Z', 'Table 12');
  const when = { timeZone: 'Europe/London', now: at('2026-07-22T10:00:00Z') };
  expect(isFoundBy(sale, [{ field, value }], when)).toBe(isFound);
});

test('by its time of day a sale is found for seven days', () => {
  const sale = uncharged('sale_1', '2026-11-21T14:35:00Z');
  const found = (now: string) =>
    isFoundBy(sale, [{ field: 'time', value: '14:35' }], { timeZone: 'Europe/London', now: at(now) });
  expect(found('2026-11-27T23:00:00Z')).toBe(true);
  expect(found('2026-11-28T01:00:00Z')).toBe(false);
});

test('an amount without decimals is found too', () => {
  const sale = { ...uncharged('sale_1', '2026-11-21T14:35:00Z'), currency: 'JPY' };
  expect(isFoundBy(sale, [{ field: 'amount', value: '1250' }], { timeZone: 'Asia/Tokyo', now: 0 })).toBe(true);
});
