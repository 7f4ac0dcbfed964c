import { expect, test } from 'vitest';
import { runSeed } from './run.ts';

/** How many seeds every run of the tests tries; `SEED` tries one alone, as a failure named it. */
const first = Number(process.env.SEED ?? 1);
const runs = process.env.SEED === undefined ? 200 : 1;

test(`${runs} seeded days of faults leave one truth on both sides`, async () => {
  let refunds = 0;
  for (let seed = first; seed < first + runs; seed += 1) refunds += (await runSeed(seed)).refunds;
  expect(refunds).toBeGreaterThan(0);
}, 120_000);

test('a seed replays exactly', async () => {
  const [one, other] = [await runSeed(4_711), await runSeed(4_711)];
  expect(other).toEqual(one);
});
