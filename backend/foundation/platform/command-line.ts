import { optionsOf } from '@florin/shared/command-line.ts';
import type { Command } from 'commander';
import { z } from 'zod';

export { wholeNumber } from '@florin/shared/command-line.ts';
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
