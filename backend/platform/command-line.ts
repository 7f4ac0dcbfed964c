import { optionsOf } from '@florin/shared/command-line.ts';
import type { Command } from 'commander';
import { z } from 'zod';

export { Command, Option } from 'commander';

/** Reads this process's own command line; see shared/command-line.ts. */
export function readOptions<Options>(command: Command, schema: z.ZodType<Options>): Options {
  return optionsOf(command, schema, process);
}

/** Names by commas, each of something there is. */
export function namesOf<const Name extends string>(known: readonly Name[]): z.ZodType<Name[]> {
  return z
    .string()
    .transform(text => text.split(',').map(name => name.trim()))
    .pipe(z.array(z.enum(known, { error: `takes ${known.join(', ')}, by commas` })));
}

/** A whole number as it is typed. */
export function wholeNumber(range: { readonly least: number; readonly most: number }): z.ZodType<number> {
  const error = `must be a whole number from ${range.least} to ${range.most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(range.least, { error }).max(range.most, { error }));
}
