import { z } from 'zod';

/** No vowels, and none of the characters that are taken for another one when read out or written down. */
export const supportCodeAlphabet = 'BCDFGHJKMPQRTVWXY2346789';

/** The code that a person reads out for something with a long id; `shared/signing/support-code.ts` derives it. */
export const supportCode = z.string().regex(new RegExp(`^[${supportCodeAlphabet}]{6}$`), {
  error: 'must be a support code: six capital letters and digits',
});
