import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Backend } from '../backend.ts';

/** What a command leaves behind: one object for programs, lines for people, and whether it went well. */
export type Outcome = { readonly ok: boolean; readonly json: unknown; readonly lines: readonly string[] };

/** One `<noun> <verb>`. Its input is checked whole before anything is opened, so that bad input writes nothing. */
export type Command<Input = unknown> = {
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly input: z.ZodType<Input>;
  /** Left out for a command that needs no database. */
  readonly needsBackend?: false;
  readonly run: (input: Input, backend: Backend) => Promise<Outcome>;
};

/** A flag by its name in camel case; written on the command line in kebab case. */
export type Flag = { readonly about: string; readonly boolean?: true };

export function command<Input>(definition: Command<Input>): Command {
  return definition as unknown as Command;
}

export function done(json: Readonly<Record<string, unknown>>, lines: readonly string[]): Outcome {
  return { ok: true, json, lines };
}

export function failed(message: string, json: Readonly<Record<string, unknown>> = {}): Outcome {
  return { ok: false, json: { error: message, ...json }, lines: [message] };
}

export type Global = { readonly json: boolean; readonly help: boolean; readonly data: string | undefined };
export type Parsed =
  | { readonly kind: 'run'; readonly input: unknown; readonly global: Global }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

export function parseFlags(wanted: Command, args: readonly string[]): Parsed {
  const options = Object.fromEntries([
    ...Object.entries(wanted.flags).map(([name, flag]) => [kebab(name), { type: flag.boolean ? 'boolean' : 'string' }]),
    ['json', { type: 'boolean' }],
    ['help', { type: 'boolean' }],
    ['data', { type: 'string' }],
  ]) as Record<string, { type: 'string' | 'boolean' }>;
  let values: Record<string, string | boolean | undefined>;
  try {
    values = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as typeof values;
  } catch (error) {
    return { kind: 'wrong', problems: [error instanceof Error ? error.message : 'the command line is not valid'] };
  }
  if (values.help) return { kind: 'help' };
  const given = Object.fromEntries(
    Object.keys(wanted.flags).flatMap(name => {
      const value = values[kebab(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const parsed = wanted.input.safeParse(given);
  if (!parsed.success) {
    return {
      kind: 'wrong',
      problems: parsed.error.issues.map(({ path, message }) => `--${kebab(String(path[0] ?? ''))}: ${message}`),
    };
  }
  const data = typeof values.data === 'string' ? values.data : undefined;
  return { kind: 'run', input: parsed.data, global: { json: values.json === true, help: false, data } };
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** A whole number of the smallest currency unit, as typed. */
export const typedAmount = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a whole number of the smallest currency unit' })
  .transform(Number);

export const businessFlag: Flag = { about: 'Id of the business; may be left out where there is only one' };

/** The business meant: the one named, or the only one there is. */
export async function theBusiness(backend: Backend, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return (await backend.services.businesses.find(named))?.id;
  const all = await backend.services.businesses.list();
  return all.length === 1 ? all[0]?.id : undefined;
}

export function noBusiness(named: string | undefined): Outcome {
  return failed(
    named === undefined
      ? 'There is not exactly one business: name it with --business'
      : `There is no business ${named}`,
  );
}
