import { expect, test } from 'vitest';
import { tipChoices } from './tip.ts';

test.each([
  ['of each percentage', 12_50, [5, 10, 15], [63, 1_25, 1_88]],
  ['with half a unit rounded up', 10, [5, 15], [1, 2]],
  ['once, where two are the same', 10, [5, 10, 15], [1, 2]],
  ['only above nothing', 9, [1, 4, 6], [1]],
  ['none, where none is set', 12_50, [], []],
  ['exactly, of the largest amounts', 999_999_999_999, [100], [999_999_999_999]],
])('the tips offered are %s', (_, amountMinor, percents, tips) => {
  expect(tipChoices(amountMinor, percents).map(({ tipMinor }) => tipMinor)).toEqual(tips);
});
