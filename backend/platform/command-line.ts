import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/**
 * The options of a program, as typed. `--help` prints the usage and ends the process with 0; what is not understood ends it
 * with 2, named in the first line. Nothing of the program has begun by then.
 */
export function commandLine<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
): Values<Options> {
  const { help, ...values } = parsed(usage, { ...options, help: { type: 'boolean' } });
  if (!help) return values as Values<Options>;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

function parsed(usage: string, options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(usage, error instanceof Error ? error.message : 'the command line is not valid');
  }
}

/** Ends the process over a wrong command line, with the usage. */
export function refuse(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n\n${usage}\n`);
  process.exit(2);
}
