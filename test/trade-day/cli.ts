import { fork } from 'node:child_process';
import { Command, Option, readOptions, wholeNumber } from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';
import { PowerIsOff } from '../matrix/terminal.ts';
import type { Leak } from './hours.ts';
import { type DayPlan, timeZone } from './plan.ts';
import { runDay } from './run.ts';
import { hourLine, hourTitles, totalsTable } from './table.ts';

const kibibyte = 1_024;
/** What the README explains. */
const mostPerNightHour = 40 * kibibyte;
const mostPerMovement = 10 * kibibyte;

const count = (least: number) => wholeNumber({ least, most: Number.MAX_SAFE_INTEGER });

const values = readOptions(
  new Command('npm run trade-day --')
    .description(
      'Lets a shop trade for a day in virtual time, and compares what terminals, service, bank and staff say of it.',
    )
    .option('--seed <n>', 'decides everything: which day, who comes when, and what fails (default: 1)')
    .option('--terminals <n>', 'half of them with readers of each protocol (default: 20)')
    .option('--sales <n>', 'how many customers come (default: 2400)')
    .option('--bugs', 'plant bugs, one at a time, and report whether a small day finds them')
    .option('--only <text>', 'only the bugs whose name contains this')
    .addOption(new Option('--worker').hideHelp()),
  z.object({
    seed: count(0).default(1),
    terminals: wholeNumber({ least: 2, most: 200 }).default(20),
    sales: count(1).default(2_400),
    bugs: z.boolean().default(false),
    only: z.string().default(''),
    worker: z.boolean().default(false),
  }),
);

// A program without power goes no further, whatever it was waiting for.
process.on('unhandledRejection', reason => {
  if (!(reason instanceof Error && reason.name === PowerIsOff.name)) throw reason;
});

if (values.worker) process.exitCode = await trade();
else {
  // A program of its own: the heap is measured after garbage was collected.
  const child = values.bugs
    ? fork(new URL('plant.ts', import.meta.url), [values.only])
    : fork(import.meta.filename, [...process.argv.slice(2), '--worker'], {
        execArgv: [...process.execArgv, '--expose-gc'],
      });
  child.on('exit', code => {
    process.exitCode = code ?? 1;
  });
}

async function trade(): Promise<number> {
  const startedAt = performance.now();
  const { seed, terminals, sales } = values;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const report = await runDay(
    { seed, terminals, sales },
    { planned: plan => say(headOf(plan)), hour: hour => say(hourLine(hour)) },
  );
  const tookS = ((performance.now() - startedAt) / 1_000).toFixed(0);
  say(`\n${totalsTable(report)}\n\n${endsOf(report.roll)}`);
  for (const what of report.explained) say(`explained: ${what}`);
  const wrong = [...report.wrong, ...leaks(report.leak)];
  for (const what of wrong) say(`WRONG: ${what}`);
  say(growth(report.leak));
  say(
    wrong.length === 0
      ? `ok: terminals, service, bank and staff agree to the penny; seed ${seed}, ${tookS} s`
      : `FAILED: ${wrong.length} differences; repeat with npm run trade-day -- --seed ${seed} --terminals ${terminals} --sales ${sales}; ${tookS} s`,
  );
  return wrong.length === 0 ? 0 : 1;
}

function headOf({ date, hours, counters, incidents }: DayPlan): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const lines = incidents.map(({ what, from, to, counter }) => {
    const where = counter === undefined ? '' : ` of ${counters[counter]?.name}`;
    return `  ${time.format(from)}  ${what}${where}, ${Math.round((to - from) / 1_000)} s`;
  });
  const errands = counters.flatMap(one => one.errands);
  const returns = errands.filter(({ kind }) => kind === 'return').length;
  return [
    `seed ${values.seed}: ${date.toString()}, ${hours} hours in ${timeZone}, ${counters.length} terminals, ${errands.length - returns} customers, ${returns} returns`,
    'What fails:',
    ...lines,
    '',
    hourTitles(),
  ].join('\n');
}

/** How many sales and returns ended how, on the screens. */
function endsOf(roll: Awaited<ReturnType<typeof runDay>>['roll']): string {
  const ends = Map.groupBy(roll, ({ kind, end, ...line }) => {
    const where = 'isElsewhere' in line && line.isElsewhere ? ' at another terminal' : '';
    return `${kind}${where} ${end}`;
  });
  const counts = [...ends]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, lines]) => `${what}: ${lines.length}`);
  return `On the screens: ${counts.join(', ')}`;
}

function leaks(leak: Leak | undefined): string[] {
  const { bytesPerNightHour = 0, bytesPerMovement = 0 } = leak ?? {};
  const wrong = [];
  if (bytesPerNightHour > mostPerNightHour)
    wrong.push(`the heap grows by ${kibibytes(bytesPerNightHour)} in an hour of the night`);
  if (bytesPerMovement > mostPerMovement) wrong.push(`the heap grows by ${kibibytes(bytesPerMovement)} with each sale`);
  return wrong;
}

function growth(leak: Leak | undefined): string {
  if (!leak) return 'The heap is not judged: terminals were switched off between customers';
  const { bytesPerNightHour, bytesPerMovement } = leak;
  return `The heap grew by ${kibibytes(bytesPerNightHour)} in an hour of the night, and by ${kibibytes(bytesPerMovement)} with each sale or return by day`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / kibibyte).toFixed(1)} KiB`;
}
