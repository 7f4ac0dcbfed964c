import { existsSync } from 'node:fs';
import { checked, inOneLine, kebab } from '@florin/shared/command-line.ts';
import { FolderFailure } from '@florin/shared/files/folder.ts';
import { fileReason, folderProblem } from '@florin/shared/files/reason.ts';
import { printable } from '@florin/shared/printable.ts';
import { CommanderError } from 'commander';
import { z } from 'zod';
import { type Backend, databaseFile, openBackend } from '../../backend.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { Command as Parser } from '../../foundation/platform/command-line.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { withRemedy } from '../../foundation/platform/start.ts';
import { reachingSandbox } from '../doctor/services.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';

/** The arguments and streams of a command line. */
export type AdminCall = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
};

/**
 * Runs one command and returns its exit code: 0 success; 1 refused or a check failed; 2 invalid command line, nothing
 * opened.
 */
export async function runAdmin(call: AdminCall): Promise<number> {
  const parser = parserOf(call);
  try {
    await parser.parseAsync(call.args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommandFailed) return 1;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    call.printError(printable(lineOf(error)));
    return error instanceof FolderFailure ? 2 : 1;
  }
}

/** A file that cannot be used is named with the reason in words. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the command failed';
  const reason = fileReason(error);
  return reason !== undefined && 'path' in error
    ? `${String(error.path)} cannot be used: ${reason}`
    : withRemedy(error);
}

/** The command has already reported its error. */
class CommandFailed extends Error {}

/** The Commander program of all commands; subcommands inherit its exit and output handling. */
function parserOf(call: AdminCall): Parser {
  const parser = new Parser('npm run admin --').exitOverride().addHelpText(
    'after',
    `
${overview()}

Every command takes --json (one object on one line), --data DIR and --help.
DATABASE_URL=postgres://… works on PostgreSQL.`,
  );
  parser.configureOutput({
    writeOut: text => call.print(text.trimEnd()),
    writeErr: text => call.printError(text.trimEnd()),
  });
  inOneLine(parser);
  for (const [noun, verbs] of Object.entries(commands)) {
    const group = parser.command(noun);
    for (const [verb, command] of Object.entries(verbs)) {
      // `doctor` alone is `doctor run`.
      const one = group.command(verb, { isDefault: verb === 'run' }).description(command.summary);
      for (const [name, { about, boolean }] of Object.entries(command.flags))
        one.option(boolean ? `--${kebab(name)}` : `--${kebab(name)} <value>`, about);
      one.option('--json', 'one object on one line').option('--data <dir>', 'folder of the SQLite file (DATA)');
      one.action(() => carryOut(command, one, call));
    }
  }
  return parser;
}

const oneLine = z.record(
  z.string(),
  z.union([
    z.boolean(),
    z.string().regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'must be one line without control characters' }),
  ]),
);

async function carryOut(command: Command, parser: Parser, { env, print, printError }: AdminCall): Promise<void> {
  const { json, data, ...given } = checked(parser, parser.opts(), oneLine);
  const input = checked(parser, { ...fromEnvironment(command, env), ...given }, command.input);
  const place = { DATA: typeof data === 'string' ? data : undefined };
  const read = readSettings(env, place);
  if (!read.ok && command.needsSettings !== false) return parser.error(`error: ${read.problems.join('; ')}`);
  const backend = read.ok ? await backendFor(command, read.settings) : undefined;
  try {
    const outcome = await command.run(input, backend as Backend, { env, given: place, read });
    const output = outcome.ok || json ? print : printError;
    output(json ? JSON.stringify(outcome.json) : outcome.lines.map(printable).join('\n'));
    if (!outcome.ok) throw new CommandFailed();
  } finally {
    await backend?.close();
  }
}

/** An empty variable is one that is not set, as for settings. */
function fromEnvironment(command: Command, env: AdminCall['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(command.flags).flatMap(([name, flag]) => {
      const value = flag.env === undefined ? undefined : env[flag.env];
      return value ? [[name, value]] : [];
    }),
  );
}

/** @throws Error if the command needs an existing database and there is none */
async function backendFor(command: Command, settings: Settings): Promise<Backend | undefined> {
  if (command.needsBackend === false) return undefined;
  const isThere = settings.databaseUrl !== undefined || existsSync(databaseFile(settings));
  if (!isThere && command.needsBackend !== 'new')
    throw new Error(
      folderProblem(settings.data) ??
        `There is no database in ${settings.data}: name its folder with --data, or begin with business create`,
    );
  const reaching = command.asksNodes ? reachingSandbox(settings) : settings;
  return openBackend({ settings: reaching, log: createLog({ level: 'error' }), publicUrl: 'http://127.0.0.1' });
}

function overview(): string {
  const lines = Object.entries(commands).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, { summary }]) => ({ name: `${noun} ${verb}`, summary })),
  );
  const width = 2 + Math.max(...lines.map(({ name }) => name.length));
  return lines.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n');
}
