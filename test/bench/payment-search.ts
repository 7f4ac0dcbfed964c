import { join } from 'node:path';
import type { Database } from '@florin/backend/foundation/database/database.ts';
import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { openSqlite } from '@florin/backend/foundation/database/sqlite.ts';
import { movedBetween, openBefore } from '@florin/backend/money/overview/day-totals-store.ts';
import { noFilter, type PaymentSearch, searchPayments } from '@florin/backend/money/payments/search.ts';
import { numberedPayment, writeManyPayments } from '../support/many-payments.ts';
import { administer, startPostgres } from '../support/postgres.ts';
import { type Bench, type Reading, type Scale, withinLimit } from './bar.ts';
import { measureConcurrently } from './measure.ts';
import { inFolder } from './place.ts';
import { benchBusinessId, createShop } from './shop.ts';

const limitMs = 100;
const startAt = 1_700_000_000_000;
const day = 86_400_000;

/** Finding payments among a million of one business. */
export const paymentSearch: Bench = {
  name: 'payment-search',
  about:
    'lists, filters, searches and the totals of a day among a million payments of one business, on SQLite and PostgreSQL',
  async run(scale) {
    const onSqlite = await inFolder(async folder => {
      const database = await openSqlite({ file: join(folder, 'many.db') });
      return measured('SQLite', database, scale);
    });
    const postgres = await startPostgres({ durable: true });
    try {
      await administer(postgres.socketDirectory, 'CREATE DATABASE many');
      const database = await openPostgres({ host: postgres.socketDirectory, user: 'postgres', database: 'many' });
      return [...onSqlite, ...(await measured('PostgreSQL', database, scale))];
    } finally {
      await postgres.stop();
    }
  },
};

async function measured(name: string, database: Database, scale: Scale): Promise<Reading[]> {
  const count = scale.quick ? 100_000 : 1_000_000;
  scale.print(`filling a shop with ${count} payments on ${name}`);
  await createShop(database);
  const terminalIds = ['dev_many001', 'dev_many002'] as const;
  await writeManyPayments(database, {
    businessId: benchBusinessId,
    terminalIds,
    staffId: 'staff_many1',
    count,
    startAt,
  });
  const clock = { now: () => startAt + count * 60_000 };
  const searches = searchesOf(count);
  const medians: [string, number][] = [['the totals of a day', await dayTotalsMs(database, scale, count)]];
  for (const [what, search] of Object.entries(searches)) {
    const { p50Ms } = await measureConcurrently({ times: scale.times(50), concurrency: 1 }, async () => {
      await searchPayments({ database, clock }, { ...everything, ...search });
    });
    medians.push([what, p50Ms]);
  }
  await database.close();
  return medians.map(([what, p50Ms]) => withinLimit(`payments on ${name}: ${what}, p50`, p50Ms, limitMs));
}

/** The median time that adding up a day in the middle takes. */
async function dayTotalsMs(database: Database, scale: Scale, count: number): Promise<number> {
  const from = startAt + Math.floor(count / 2) * 60_000;
  const args = { businessId: benchBusinessId, terminalId: 'dev_many001', from, to: from + day };
  const { p50Ms } = await measureConcurrently({ times: scale.times(50), concurrency: 1 }, async () => {
    await Promise.all([database.all(movedBetween, args), database.all(openBefore, args)]);
  });
  return p50Ms;
}

const everything: PaymentSearch = {
  ...noFilter,
  businessId: benchBusinessId,
  q: null,
  before: 'zzzzzzzz',
  limit: 51,
};

/** Each filter alone, the searches that people type, and combinations that no index serves. */
function searchesOf(count: number): Record<string, Partial<PaymentSearch>> {
  const middle = count / 2;
  const end = startAt + middle * 60_000;
  return {
    'the list': {},
    'a page in the middle': { before: numberedPayment(middle) },
    'status settled': { status: 'settled' },
    'status declined': { status: 'declined' },
    'status cancelled': { status: 'cancelled' },
    'status failed (none)': { status: 'failed' },
    'status pending (none)': { status: 'pending' },
    'status unsettled (none)': { status: 'unsettled' },
    'refunded in part': { refunded: 'part' },
    'rail wallet': { rail: 'wallet' },
    'rail lightning (rare)': { rail: 'lightning' },
    'a terminal': { terminalId: 'dev_many002' },
    'a terminal (none)': { terminalId: 'dev_many003' },
    'a member of staff': { staffId: 'staff_many1' },
    'a week in the past': { from: end - 7 * day, to: end },
    'an amount': { q: '12.50' },
    'four digits': { q: '0821' },
    'an invoice number': { q: `INV-${String(middle).padStart(6, '0')}` },
    'a reference of the gateway': { q: `xref${String(middle).padStart(12, '0')}` },
    'a time of day': { q: '14:35' },
    'a receipt (none)': { q: '5pVhGfWq8nCkY2mTzRb7Lx' },
    'an amount, of sales at terminals': { q: '12.50', atTerminals: 1 },
    'a word (none)': { q: 'nothing' },
    'a reference': { q: `order-${String(middle).padStart(10, '0')}` },
    'the beginning of a hundred references': { q: `ORDER-${String(middle).padStart(10, '0').slice(0, -2)}` },
    'the beginning of ten thousand references': { q: `order-${String(middle).padStart(10, '0').slice(0, -4)}` },
    'the beginning of all references': { q: 'order-' },
    'the beginning of all references, at a terminal (none)': { q: 'order-', terminalId: 'dev_many003' },
    'lightning at a terminal and refunded (none)': { rail: 'lightning', terminalId: 'dev_many002', refunded: 'part' },
    'wallet, refunded in full (none)': { rail: 'wallet', refunded: 'full' },
    'an amount at a terminal': { q: '12.50', terminalId: 'dev_many003' },
    'a member of staff and a rail': { staffId: 'staff_many1', rail: 'lightning' },
  };
}
