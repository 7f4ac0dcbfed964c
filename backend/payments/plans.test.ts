import SqliteConnection from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Statement } from '../database/database.ts';
import { openSqlite, sqliteImage } from '../database/sqlite.ts';
import { paymentOfSale } from '../terminal-sales/store.ts';
import { paymentBySale, saleForUpdate } from './store.ts';

/** How SQLite finds the payments that a statement asks for. */
async function planOf<Args>(statement: Statement<Args, unknown>, args: Args): Promise<string[]> {
  const run: string[] = [];
  const connection = new SqliteConnection(await sqliteImage(), {
    verbose: text => run.push(String(text)),
  });
  const database = await openSqlite({ file: ':memory:', connection });
  run.length = 0;
  await database.first(statement, args);
  const steps = connection.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${run[0]}`).all();
  await database.close();
  return steps.map(({ detail }) => detail).filter(detail => / payments /.test(detail));
}

const sale = { businessId: 'biz_1', terminalId: 'dev_1', saleId: 'sale_1' };

test('the payment of a sale is found without reading the other payments of the business', async () => {
  const byItsSale = ['SEARCH payments USING INDEX payments_sale (terminalId=? AND saleId=?)'];
  expect(await planOf(paymentBySale, sale)).toEqual(byItsSale);
  expect(await planOf(saleForUpdate, sale)).toEqual(byItsSale);
  expect(await planOf(paymentOfSale, sale)).toEqual(byItsSale);
});
