import { z } from 'zod';
import { printable } from './printable.ts';

/** The part of commander's Command used here; every program creates its own. */
export type Parser = {
  configureOutput(output: { outputError: (text: string, write: (text: string) => void) => void }): unknown;
  exitOverride(end: (error: { readonly exitCode: number }) => never): unknown;
  parse(argv: readonly string[]): unknown;
  opts(): unknown;
  error(message: string): never;
};

/**
 * Parses a program's options before it starts. `--help` exits with 0; an invalid command line exits with 2 and a
 * one-line error.
 */
export function optionsOf<Options>(
  parser: Parser,
  schema: z.ZodType<Options>,
  process: { readonly argv: readonly string[]; exit(code: number): never },
): Options {
  inOneLine(parser);
  parser.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  parser.parse(process.argv);
  return checked(parser, parser.opts(), schema);
}

/** Makes every error of this parser one line. */
export function inOneLine(parser: Pick<Parser, 'configureOutput'>): void {
  parser.configureOutput({ outputError: (text, write) => write(`${printable(text.trim().replace(/\n\(/, ' ('))}\n`) });
}

/** Validates options with their schema; an invalid one is the parser's error. */
export function checked<Options>(parser: Pick<Parser, 'error'>, given: unknown, schema: z.ZodType<Options>): Options {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message, code }) => {
    const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
    return `--${kebab(String(path[0] ?? ''))}: ${isMissing ? 'is required' : message}`;
  });
  return parser.error(`error: ${problems.join('; ')}`);
}

/** An option's name on the command line. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
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
