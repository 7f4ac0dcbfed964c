import { statement } from '@florin/backend/foundation/database/database.ts';
import { expect, test } from 'vitest';
import { PooledDatabase } from './shop.ts';

const payments = statement<object, { count: number }>(({ db }) =>
  db.selectFrom('payments').select(({ fn }) => fn.countAll<number>().as('count')),
);

test('a write whose world has ended does not hold up the next world', async () => {
  const pool = await PooledDatabase.open();
  let isWritten = false;
  // A world in which no time passes any more.
  pool.runIn(() => undefined);
  const left = pool.database.write(async tx => {
    await tx.first(payments, {});
    isWritten = true;
  });
  await pool.empty();
  await left;
  expect(isWritten).toBe(true);
  expect(await pool.database.first(payments, {})).toEqual({ count: 0 });
});
