import { z } from 'zod';
import { madeOnce } from './made-once.ts';

/** Control characters, line and paragraph separators. */
const oneLinePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
/** The same, but for line breaks and tabs. */
const linesPattern = /^(?:[\n\r\t]|[^\p{Cc}\p{Zl}\p{Zp}])*$/u;
/** Marks that turn the direction of what follows: a payer would read another text than the one that was written. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;
/** A character with a shape of its own: neither space nor mark, and not one of those that show nothing, such as U+200B and U+2800. */
const visibleCharacter = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isVisible = z.refine<string>(value => visibleCharacter.test(value), {
  error: 'must have a visible character',
});
const isWellFormed = z.refine<string>(value => value.isWellFormed(), {
  error: 'must be valid Unicode: it has half of a surrogate pair',
});
const keepsDirection = z.refine<string>(value => !directionMarks.test(value), {
  error: 'must not have marks that turn the direction of writing',
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
      keepsDirection,
    );
}

/** One line of text that people read: trimmed, with a visible character, without control characters or line breaks. */
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
