import { z } from 'zod';

/** One line of text that people read: trimmed, not empty, without control characters or line breaks. */
export function oneLine(maxLength: number) {
  return z
    .string({ error: issue => (issue.input === undefined ? 'is required' : 'must be text') })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(maxLength, { error: `must have at most ${maxLength} characters` })
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'must be one line without control characters' });
}

/** A word of a machine: visible ASCII characters only, as in ids, tokens and version tags. */
export function machineWord(maxLength: number) {
  return z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`), {
    error: `must be 1 to ${maxLength} visible ASCII characters`,
  });
}
