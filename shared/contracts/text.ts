import { z } from 'zod';

/** Control characters, line and paragraph separators. */
const oneLinePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
/** The same, but for line breaks and tabs. */
const linesPattern = /^(?:[\n\r\t]|[^\p{Cc}\p{Zl}\p{Zp}])*$/u;
/** Marks that turn the direction of what follows: a payer would read another text than the one that was written. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

function text(maxLength: number) {
  return z
    .string({ error: issue => (issue.input === undefined ? 'is required' : 'must be text') })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(maxLength, { error: `must have at most ${maxLength} characters` })
    .refine(value => value.isWellFormed(), { error: 'must be valid Unicode: it has half of a surrogate pair' })
    .refine(value => !directionMarks.test(value), { error: 'must not have marks that turn the direction of writing' });
}

/** One line of text that people read: trimmed, not empty, without control characters or line breaks. */
export function oneLine(maxLength: number) {
  return text(maxLength).regex(oneLinePattern, { error: 'must be one line without control characters' });
}

/** Text that people wrote, of one or more lines. */
export function lines(maxLength: number) {
  return text(maxLength).regex(linesPattern, { error: 'must not have control characters other than line breaks' });
}

/** A word of a machine: visible ASCII characters only, as in ids, tokens and version tags. */
export function machineWord(maxLength: number) {
  return z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`), {
    error: `must be 1 to ${maxLength} visible ASCII characters`,
  });
}
