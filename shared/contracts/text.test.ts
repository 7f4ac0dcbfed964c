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

test.each([oneLine(50), lines(50)])('text that shows nothing is refused, and says so once', schema => {
  const messages = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);
  expect(messages(' ')).toEqual(['must not be empty']);
  for (const text of ['\u200b', '\u200e \u200f', '\u2060\ufe0f', '\u00ad', '\u3164', '\u2800', '\u034f', '\u{e0041}'])
    expect([text.codePointAt(0)?.toString(16), messages(text)]).toEqual([
      text.codePointAt(0)?.toString(16),
      ['must have a visible character'],
    ]);
  for (const text of ['7', '€', '!', '椅', `\u200f${hebrew}`, '👩\u200d🍳', '\u200bx'])
    expect(schema.parse(text)).toBe(text);
});
