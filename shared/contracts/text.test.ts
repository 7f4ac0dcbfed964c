import { expect, test } from 'vitest';
import { lines, oneLine } from './text.ts';

const hebrew = '\u05e9\u05dc\u05d5\u05dd';

test.each([oneLine(50), lines(50)])(
  'text is taken in any script, and without marks that turn its direction',
  schema => {
    expect(schema.parse(` Table 4, ${hebrew} \u200f`)).toBe(`Table 4, ${hebrew} \u200f`);
    for (const mark of ['\u202a', '\u202e', '\u2066', '\u2069'])
      expect(schema.safeParse(`Table ${mark}4`).error?.issues[0]?.message).toBe(
        'must not have marks that turn the direction of writing',
      );
  },
);
