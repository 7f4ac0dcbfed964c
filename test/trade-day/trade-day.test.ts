import { expect, test } from 'vitest';
import { partOf } from '../support/part.ts';
import { runDay } from './run.ts';

/** Which day the commit decides. */
const seeds = 500;

test('a small day of trade: terminals, service, bank and staff agree to the penny', async () => {
  const seed = process.env.SEED === undefined ? partOf(seeds) : Number(process.env.SEED);
  const { wrong, shop, roll } = await runDay({ seed, terminals: 4, sales: 45 });
  expect(wrong, `npm run trade-day -- --seed ${seed} --terminals 4 --sales 45`).toEqual([]);
  expect(shop?.sales).toBeGreaterThan(20);
  expect(roll.length).toBeGreaterThan(35);
});
