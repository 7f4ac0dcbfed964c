import { describe, expect, test } from 'vitest';
import { lines, oneLine } from './text.ts';

const hebrew = '\u05e9\u05dc\u05d5\u05dd';

describe.each([
  ['a line of text', oneLine(50)],
  ['text of several lines', lines(50)],
])('%s', (_, schema) => {
  const messagesFor = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);

  test('that shows nothing is refused, and the message says so once', () => {
    expect(messagesFor(' ')).toEqual(['must not be empty']);
    for (const text of ['\u200b', '\u200e \u200f', '\u2060\ufe0f', '\u00ad', '\u3164', '\u2800', '\u034f', '\u{e0041}'])
      expect([text.codePointAt(0)?.toString(16), messagesFor(text)]).toEqual([
        text.codePointAt(0)?.toString(16),
        ['must have a visible character'],
      ]);
    for (const text of ['7', '€', '!', '椅', hebrew]) expect(schema.parse(text)).toBe(text);
  });

  test.each([
    ['a space without width', 'Pay\u200bPal', 'U+200B'],
    ['a space without width at its beginning', '\u200bx', 'U+200B'],
    ['a joiner between Latin letters', 'Pay\u200cPal', 'U+200C'],
    ['a joiner between digits', '1\u200d0', 'U+200D'],
    ['a joiner between an emoji and a letter', '👩\u200dx', 'U+200D'],
    ['two joiners after one letter', 'می\u200c\u200cخواهم', 'U+200C'],
    ['a mark of direction in text from left to right', '\u200f12.\u200f34', 'U+200F'],
    ['an Arabic mark of direction among digits', '\u061c12.34', 'U+061C'],
    ['an embedding', 'Table \u202a4', 'U+202A'],
    ['an override', 'Total \u202e00.21', 'U+202E'],
    ['an override in Hebrew', `${hebrew} \u202e00.21`, 'U+202E'],
    ['an isolate', 'Table \u20664\u2069', 'U+2066'],
    ['a word joiner', 'a\u2060b', 'U+2060'],
    ['an invisible plus', '1\u20642', 'U+2064'],
    ['a joiner after a mark of direction', `${hebrew} \u061c\u200d`, 'U+200D'],
    ['a byte order mark', 'a\ufeffb', 'U+FEFF'],
    ['a soft hyphen', 'Auf\u00adlage', 'U+00AD'],
    ['a filler', 'a\u3164b', 'U+3164'],
    ['a grapheme joiner', 'a\u034fb', 'U+034F'],
    ['a variation of a letter', 'a\ufe0fb', 'U+FE0F'],
    ['a variation of a digit', '1\ufe0f0', 'U+FE0F'],
    ['tags after a letter', 'a\u{e0041}', 'U+E0041'],
    ['tags after a flag that do not end', '🏴\u{e0067}\u{e0062}', 'U+E0067'],
    ['an annotation', 'a\ufff9b\ufffac\ufffb', 'U+FFF9'],
  ])('with %s is refused, and the message names the character', (_kind, text, code) => {
    expect(messagesFor(text)).toEqual([`must not have the invisible character ${code}`]);
  });

  test.each([
    ['Persian', 'می\u200cخواهم'],
    ['an abbreviation in Persian', '۱۳۹۰ ه\u200d.ش.'],
    ['Hindi', 'क्\u200dष'],
    ['Bengali with a mark before the joiner', 'র\u200d্যাম'],
    ['old Malayalam, whose words end with a joiner', 'അവന്\u200d'],
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['Khmer, whose words have no spaces between them', 'សួស្តី\u200bពិភពលោក'],
    ['Mongolian', 'ᠠ\u180bᠡ'],
    ['a Japanese name', '辻\u{e0100}さん'],
    ['Hebrew before a mark of direction', `Table 4, ${hebrew} \u200f`],
    ['Arabic with a number', '\u200fطاولة 12\u200e!'],
    ['a cook', '👩\u200d🍳'],
    ['a family of other skin', '👩🏽\u200d❤\ufe0f\u200d👨🏻'],
    ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a heart', '❤\ufe0f Café'],
    ['a keycap', 'Table 7\ufe0f\u20e3'],
    ['accents of their own', 'Cafe\u0301'],
  ])('in %s is taken as it is', (_script, text) => {
    expect(schema.parse(text)).toBe(text);
  });
});
