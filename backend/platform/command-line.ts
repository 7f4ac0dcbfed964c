import { optionsOf } from '@florin/shared/command-line.ts';
import type { Command } from 'commander';
import { z } from 'zod';

export { Command, Option } from 'commander';

/** Reads this process's command line; see shared/command-line.ts. */
export function readOptions<Options>(command: Command, schema: z.ZodType<Options>): Options {
  return optionsOf(command, schema, process);
}

/** A comma-separated list of known names. */
export function namesOf<const Name extends string>(known: readonly Name[]): z.ZodType<Name[]> {
  return z
    .string()
    .transform(text => text.split(',').map(name => name.trim()))
    .pipe(z.array(z.enum(known, { error: `must be of ${known.join(', ')}, separated by commas` })));
}

/** A whole number as typed. */
export function wholeNumber(range: { readonly least: number; readonly most: number }): z.ZodType<number> {
  const error = `must be a whole number from ${range.least} to ${range.most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(range.least, { error }).max(range.most, { error }));
}
