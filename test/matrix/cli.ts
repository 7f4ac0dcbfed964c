import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import {
  Command,
  namesOf,
  Option,
  readOptions,
  wholeNumber,
} from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';
import { seededNumbers } from '../simulation/seeded.ts';
import { type Cell, type CellReport, runCell } from './cell.ts';
import { protocols } from './counter.ts';
import { faults } from './faults.ts';
import { operations } from './people.ts';
import { commandFor, planned } from './plan.ts';
import { tableOf } from './table.ts';
import { PowerIsOff } from './terminal.ts';

const count = (least: number) => wholeNumber({ least, most: Number.MAX_SAFE_INTEGER });

const values = readOptions(
  new Command('npm run matrix --')
    .description(
      'Lets every fault occur at every step of a sale, a void and a refund, and compares what everybody says.',
    )
    .option('--protocol <names>', `of the reader: ${protocols.join(', ')}`)
    .option('--operation <names>', operations.join(', '))
    .option('--fault <names>', faults.join(', '))
    .option('--step <n>', 'only this step; with one protocol, operation and fault, this one cell is told step by step')
    .option('--seed <n>', 'decides how each fault occurs in detail, and how the customer pays (default: 1)')
    .option('--seeds <m>', 'as many seeds, from this one on (default: 1)')
    .option('--sample <n>', 'as many cells, drawn by the seed')
    .option('--bugs', 'plant money bugs, one at a time, and report whether they are found')
    .option('--only <text>', 'only the bugs whose name contains this')
    .option('--jobs <j>', 'worker processes (default: one for each core)')
    .addOption(new Option('--worker').hideHelp())
    .addHelpText(
      'after',
      `
  npm run matrix                                    all of it
  npm run matrix -- --protocol zvt --operation sale --fault cable --step 7 --seed 1
                                                    one cell, as the table names it`,
    ),
  z.object({
    protocol: namesOf(protocols).default([...protocols]),
    operation: namesOf(operations).default([...operations]),
    fault: namesOf(faults).default([...faults]),
    step: count(1).optional(),
    seed: count(0).default(1),
    seeds: count(1).default(1),
    sample: count(1).optional(),
    bugs: z.boolean().default(false),
    only: z.string().default(''),
    jobs: count(1).default(availableParallelism()),
    worker: z.boolean().default(false),
  }),
);

// A program without power goes no further, whatever it was waiting for.
process.on('unhandledRejection', reason => {
  if (!(reason instanceof Error && reason.name === PowerIsOff.name)) throw reason;
});

if (values.worker) serve();
else if (values.bugs) {
  // It loads the rest of the program again and again, with a bug in it.
  const finder = fork(new URL('plant.ts', import.meta.url), [values.only]);
  finder.on('exit', code => {
    process.exitCode = code ?? 1;
  });
} else {
  const cell = theCell();
  process.exitCode = cell ? await tell(cell) : await runAll();
}

/** The cell that the options name, if it is one. */
function theCell(): Cell | undefined {
  const [protocol, ...moreProtocols] = values.protocol;
  const [operation, ...moreOperations] = values.operation;
  const [fault, ...moreFaults] = values.fault;
  const isOne = [moreProtocols, moreOperations, moreFaults].every(({ length }) => length === 0);
  if (!isOne || !protocol || !operation || !fault || values.step === undefined) return undefined;
  return { protocol, operation, fault, step: values.step, seed: values.seed };
}

async function tell(cell: Cell): Promise<number> {
  const { outcome, why, at, story } = await runCell(cell);
  for (const line of story) process.stdout.write(`${line}\n`);
  if (!at) process.stdout.write(`there is no step ${cell.step}\n`);
  process.stdout.write(`${outcome}: ${why}\n`);
  return at && outcome !== 'disagrees' ? 0 : 1;
}

async function runAll(): Promise<number> {
  const startedAt = performance.now();
  const seeds = Array.from({ length: values.seeds }, (_, index) => values.seed + index);
  const all = await planned({ protocols: values.protocol, operations: values.operation, faults: values.fault, seeds });
  const wanted = all.filter(({ step }) => values.step === undefined || step === values.step);
  const cells = values.sample === undefined ? wanted : drawn(wanted, values.sample);
  process.stdout.write(`${cells.length} of ${all.length} cells, seed ${values.seed}, ${values.jobs} processes\n`);
  const reports = await runIn(values.jobs, cells);
  const tookS = ((performance.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(`${tableOf(reports)}\n\n`);
  const wrong = reports.filter(({ outcome }) => outcome === 'disagrees');
  for (const { cell, at, why } of wrong)
    process.stdout.write(`DISAGREES at ${at?.from} → ${at?.to} ${at?.what}\n  ${why}\n  ${commandFor(cell)}\n`);
  const isWhole = reports.length === cells.length;
  process.stdout.write(
    wrong.length === 0 && isWhole
      ? `ok: in all ${cells.length} cells reader, terminal, service and bank agree, or something open names the difference; ${tookS} s\n`
      : `FAILED: in ${wrong.length} of ${cells.length} cells they disagree, ${cells.length - reports.length} were not run; ${tookS} s\n`,
  );
  return wrong.length === 0 && isWhole ? 0 : 1;
}

/** As many different cells, in their order. */
function drawn(cells: readonly Cell[], many: number): Cell[] {
  const numbers = seededNumbers(values.seed);
  const lots = cells.map(cell => ({ cell, lot: numbers.word() }));
  const limit = lots.map(({ lot }) => lot).sort((one, other) => one - other)[many - 1] ?? Number.POSITIVE_INFINITY;
  return lots.filter(({ lot }) => lot <= limit).map(({ cell }) => cell);
}

/** Runs the cells in several processes; the reports are in the order of the cells. */
async function runIn(jobs: number, cells: readonly Cell[]): Promise<CellReport[]> {
  const reports = new Map<number, CellReport>();
  let next = 0;
  let toldAt = performance.now();
  const progress = () => {
    if (performance.now() - toldAt < 10_000) return;
    toldAt = performance.now();
    process.stdout.write(`${reports.size} of ${cells.length} cells\n`);
  };
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(import.meta.filename, ['--worker']);
      let current = 0;
      let isLate: NodeJS.Timeout | undefined;
      const feed = () => {
        current = next;
        next += 1;
        const cell = cells[current];
        if (!cell) {
          child.disconnect();
          return;
        }
        child.send(cell);
        isLate = setTimeout(() => process.stdout.write(`has not ended for a minute: ${commandFor(cell)}\n`), 60_000);
      };
      child.on('message', report => {
        clearTimeout(isLate);
        reports.set(current, report as CellReport);
        progress();
        feed();
      });
      child.on('error', reject);
      child.on('exit', () => {
        clearTimeout(isLate);
        resolve();
      });
      feed();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, cells.length) }, work));
  return cells.flatMap((_, index) => reports.get(index) ?? []);
}

function serve(): void {
  process.on('message', cell => {
    void runCell(cell as Cell).then(report => process.send?.(report));
  });
}
