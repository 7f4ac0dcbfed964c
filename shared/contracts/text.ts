import { z } from 'zod';
import { hasCardNumber } from '../card-numbers.ts';
import { madeOnce } from './made-once.ts';

/** Control characters, line and paragraph separators. */
const oneLinePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
/** The same, but for line breaks and tabs. */
const linesPattern = /^(?:[\n\r\t]|[^\p{Cc}\p{Zl}\p{Zp}])*$/u;
/** A character with a shape of its own: neither space nor mark, and not one of those that show nothing, such as U+200B and U+2800. */
const visibleCharacter = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Characters that show nothing: with them two names look the same, and an amount or a name reads in another order. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/u;

/** Whose letters are joined, or kept from being joined, by U+200C and U+200D. */
const joiningScripts = 'Arab,Syrc,Nkoo,Mong,Deva,Beng,Guru,Gujr,Orya,Taml,Telu,Knda,Mlym,Sinh,Khmr,Mymr,Tibt'.split(
  ',',
);
/** Whose words have no spaces between them: U+200B marks where a line may break. */
const unspacedScripts = ['Khmr', 'Thai', 'Laoo', 'Mymr'];
const writtenIn = (scripts: readonly string[]) =>
  `[[${scripts.map(script => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}]]`;

/** The uses of invisible characters without which a script or an emoji cannot be written. */
const writingUses = new RegExp(
  [
    `(?<=${writtenIn(joiningScripts)})[\\u200c\\u200d]`,
    `(?<=${writtenIn(unspacedScripts)})\\u200b(?=${writtenIn(unspacedScripts)})`,
    `(?<=${writtenIn(['Mong'])})[\\u180b-\\u180f]`,
    '(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\ufe0e\\ufe0f]',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[0-9#\\*])\\ufe0f(?=\\u20e3)',
    // The flags of England, Scotland and Wales.
    '(?<=\\u{1f3f4})[\\u{e0061}-\\u{e007a}]{4,6}\\u{e007f}',
  ].join('|'),
  'gv',
);
/** Text in these scripts needs marks of direction where it meets digits, punctuation or other scripts. */
const rightToLeft = /[[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]&&\p{L}]/v;
const directionMarks = /[\u061c\u200e\u200f]/g;

/** The first invisible character that no writing needs, such as `U+200B`. */
function invisibleCharacterOf(text: string): string | undefined {
  if (!invisible.test(text)) return undefined;
  const others = text.replace(writingUses, '').replace(rightToLeft.test(text) ? directionMarks : '', '');
  const code = invisible.exec(others)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const isVisible = z.refine<string>(value => visibleCharacter.test(value), {
  error: 'must have a visible character',
  abort: true,
});
const isWellFormed = z.refine<string>(value => value.isWellFormed(), {
  error: 'must be valid Unicode: it has half of a surrogate pair',
});
const showsAllOfItself = z.refine<string>(value => invisibleCharacterOf(value) === undefined, {
  error: ({ input }) => `must not have the invisible character ${invisibleCharacterOf(String(input))}`,
});

/** Card numbers are never stored, wherever somebody types one. */
const isWithoutCardNumber = z.refine<string>(value => !hasCardNumber(value), {
  error: 'must not have a card number in it',
});

function text(maxLength: number) {
  return z
    .string({ error: issue => (issue.input === undefined ? 'is required' : 'must be text') })
    .check(
      z.trim(),
      z.minLength(1, { error: 'must not be empty', abort: true }),
      z.maxLength(maxLength, { error: `must have at most ${maxLength} characters` }),
      isWellFormed,
      isVisible,
      showsAllOfItself,
      isWithoutCardNumber,
    );
}

/**
 * One line of text that people read: trimmed, with a visible character, without control characters or line breaks, and
 * with invisible characters only where a script or an emoji needs them.
 */
export const oneLine = madeOnce((maxLength: number) =>
  text(maxLength).regex(oneLinePattern, { error: 'must be one line without control characters' }),
);

/** Text that people wrote, of one or more lines. */
export const lines = madeOnce((maxLength: number) =>
  text(maxLength).regex(linesPattern, { error: 'must not have control characters other than line breaks' }),
);

/** A word of a machine: visible ASCII characters only, as in ids, tokens and version tags. */
export const machineWord = madeOnce((maxLength: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`), {
    error: `must be 1 to ${maxLength} visible ASCII characters`,
  }),
);
