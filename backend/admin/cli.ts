import { type Backend, compose } from '../compose.ts';
import { readSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { type Command, kebab, parseFlags } from './command.ts';
import { commands } from './commands.ts';

const [noun = '', verb = '', ...rest] = process.argv.slice(2);
process.exitCode = await main();

/** 0: done. 1: refused, or what was checked is not in order. 2: the command line is wrong; nothing was opened. */
async function main(): Promise<number> {
  const wanted = commands[noun]?.[verb];
  if (!wanted) {
    const asksForHelp = noun === '' || noun === '--help' || verb === '--help';
    if (!asksForHelp) console.error(`There is no command "${[noun, verb].join(' ').trim()}"\n`);
    console[asksForHelp ? 'log' : 'error'](overview());
    return asksForHelp ? 0 : 2;
  }
  const parsed = parseFlags(wanted, rest);
  if (parsed.kind === 'help') {
    console.log(helpOf(wanted));
    return 0;
  }
  if (parsed.kind === 'wrong') return wrong(parsed.problems, helpOf(wanted));
  const read = readSettings(process.env, { DATA: parsed.global.data, LOG_LEVEL: 'error' });
  if (!read.ok) return wrong(read.problems, '');
  const backend =
    wanted.needsBackend === false
      ? undefined
      : await compose({ settings: read.settings, log: createLog({ level: 'error' }), publicUrl: 'http://127.0.0.1' });
  try {
    const outcome = await wanted.run(parsed.input, backend as Backend);
    const print = outcome.ok || parsed.global.json ? console.log : console.error;
    print(parsed.global.json ? JSON.stringify(outcome.json) : outcome.lines.join('\n'));
    return outcome.ok ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'the command failed');
    return 1;
  } finally {
    await backend?.close();
  }
}

function wrong(problems: readonly string[], help: string): number {
  console.error(`${problems.join('\n')}\n\n${help}`.trim());
  return 2;
}

function overview(): string {
  const lines = Object.entries(commands).flatMap(([each, verbs]) =>
    Object.entries(verbs).map(([action, { summary }]) => `  ${`${each} ${action}`.padEnd(24)}${summary}`),
  );
  return `Usage: npm run admin -- <noun> <verb> [flags]\n\n${lines.join('\n')}\n\nEvery command takes --json (one object on one line), --data DIR and --help.\nDATABASE_URL=postgres://… works on PostgreSQL.`;
}

function helpOf(wanted: Command): string {
  const lines = Object.entries(wanted.flags).map(([name, flag]) => `  ${`--${kebab(name)}`.padEnd(26)}${flag.about}`);
  return [`Usage: npm run admin -- ${noun} ${verb} [flags]`, '', wanted.summary, '', ...lines].join('\n').trim();
}
