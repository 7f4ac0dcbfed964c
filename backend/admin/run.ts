import { type Backend, openBackend } from '../backend.ts';
import { readSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { type Command, kebab, parseFlags } from './command.ts';
import { commands } from './commands.ts';

/** Where a command line comes from and what it says. */
export type AdminCall = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
};

/**
 * Runs one command and answers its exit code. 0: done. 1: refused, or what was checked is not in order. 2: the command
 * line is wrong; nothing was opened.
 */
export async function runAdmin({ args, env, print, complain }: AdminCall): Promise<number> {
  const [noun = '', verb = '', ...rest] = args;
  const wanted = commands[noun]?.[verb];
  if (!wanted) {
    const asksForHelp = noun === '' || noun === '--help' || verb === '--help';
    if (asksForHelp) print(overview());
    else complain(`There is no command "${[noun, verb].join(' ').trim()}"\n\n${overview()}`);
    return asksForHelp ? 0 : 2;
  }
  const help = helpOf(wanted, `${noun} ${verb}`);
  const parsed = parseFlags(wanted, rest);
  if (parsed.kind === 'help') {
    print(help);
    return 0;
  }
  if (parsed.kind === 'wrong') return wrong(complain, parsed.problems, help);
  const read = readSettings(env, { DATA: parsed.global.data, LOG_LEVEL: 'error' });
  if (!read.ok) return wrong(complain, read.problems, '');
  const backend =
    wanted.needsBackend === false
      ? undefined
      : await openBackend({
          settings: read.settings,
          log: createLog({ level: 'error' }),
          publicUrl: 'http://127.0.0.1',
        });
  try {
    const outcome = await wanted.run(parsed.input, backend as Backend);
    const say = outcome.ok || parsed.global.json ? print : complain;
    say(parsed.global.json ? JSON.stringify(outcome.json) : outcome.lines.join('\n'));
    return outcome.ok ? 0 : 1;
  } catch (error) {
    complain(error instanceof Error ? error.message : 'the command failed');
    return 1;
  } finally {
    await backend?.close();
  }
}

function wrong(complain: AdminCall['complain'], problems: readonly string[], help: string): number {
  complain(`${problems.join('\n')}\n\n${help}`.trim());
  return 2;
}

function overview(): string {
  const lines = Object.entries(commands).flatMap(([each, verbs]) =>
    Object.entries(verbs).map(([action, { summary }]) => `  ${`${each} ${action}`.padEnd(24)}${summary}`),
  );
  return `Usage: npm run admin -- <noun> <verb> [flags]\n\n${lines.join('\n')}\n\nEvery command takes --json (one object on one line), --data DIR and --help.\nDATABASE_URL=postgres://… works on PostgreSQL.`;
}

function helpOf(wanted: Command, name: string): string {
  const lines = Object.entries(wanted.flags).map(([name, flag]) => `  ${`--${kebab(name)}`.padEnd(26)}${flag.about}`);
  return [`Usage: npm run admin -- ${name} [flags]`, '', wanted.summary, '', ...lines].join('\n').trim();
}
