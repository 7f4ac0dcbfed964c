import { readFileSync } from 'node:fs';
import { fileReason } from '@florin/shared/files/reason.ts';
import { amountMinor } from '@florin/shared/money.ts';
import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import type { ReadSettings } from '../../config/settings.ts';

/** The result of a command: JSON for programs, lines for people, and whether it succeeded. */
export type Outcome = { readonly ok: boolean; readonly json: unknown; readonly lines: readonly string[] };

/** A `<noun> <verb>` command. All input is validated before anything is opened, so invalid input writes nothing. */
export type Command<Input = unknown> = {
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly input: z.ZodType<Input>;
  /** `false`: needs no database. `new`: may create the database. Default: requires an existing database. */
  readonly needsBackend?: false | 'new';
  /** It only asks bitcoin nodes, so it may reach the sandbox node of the demo. */
  readonly asksNodes?: true;
  /** `false`: also runs if the settings are invalid, which it reports itself. */
  readonly needsSettings?: false;
  readonly run: (input: Input, backend: Backend, place: Place) => Promise<Outcome>;
};

/** The settings that a command runs with. */
export type Place = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings given on the command line. */
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly read: ReadSettings;
};

/** Flags by camel-case name; the command line uses kebab case. */
export type Flag = {
  readonly about: string;
  readonly boolean?: true;
  /** The environment variable used when the flag is not given. */
  readonly env?: string;
};

/** Declares a command: `run` is typed by its own `input`, and that type is erased so that commands form one table. */
export function command<Input>(definition: Command<Input>): Command {
  return definition as unknown as Command;
}

/** A command that succeeded: `lines` are printed, or `json` with `--json`. */
export function done(json: Readonly<Record<string, unknown>>, lines: readonly string[]): Outcome {
  return { ok: true, json, lines };
}

/**
 * A command that failed: exit code 1, with the message on standard error. `json` adds fields to the `error` that
 * `--json` prints.
 */
export function failed(message: string, json: Readonly<Record<string, unknown>> = {}): Outcome {
  return { ok: false, json: { error: message, ...json }, lines: [message] };
}

/** An amount in the smallest currency unit, as typed. */
export const typedAmount = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a whole number of the smallest currency unit' })
  .transform(Number)
  .pipe(amountMinor);

/** A JSON file given by path, because other users of the machine can read secrets on a command line. */
export const jsonFile = z.string().transform((path, context): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    context.addIssue(error instanceof SyntaxError ? 'must hold JSON' : `cannot be read: ${fileReason(error)}`);
    return z.NEVER;
  }
});

export const businessFlag: Flag = { about: 'Id of the business; optional where there is only one' };

/** The named business, or the only one if none is named. */
export async function theBusiness(backend: Backend, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return (await backend.services.businesses.find(named))?.id;
  const all = await backend.services.businesses.list();
  return all.length === 1 ? all[0]?.id : undefined;
}

/** The failure of a command for which `theBusiness` returned undefined. */
export function noBusiness(named: string | undefined): Outcome {
  return failed(
    named === undefined
      ? 'Which business? Name it with --business; business list shows their ids'
      : `There is no business ${named}`,
  );
}
