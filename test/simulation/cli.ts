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
import { type BlockReport, caseOf, enumerate, runCase } from './enumeration.ts';
import { faultKinds } from './faults.ts';
import { blocks, flows } from './flows.ts';
import { detect, remember, scoreOf } from './mutants/run.ts';
import { PooledDatabase } from './shop.ts';
import { commandFor, shrink } from './shrink.ts';
import { runSeed, type SweepOptions, type SweepReport } from './sweep.ts';

type Chunk = { readonly from: number; readonly runs: number };
type Totals = { worlds: number; steps: number; crashes: number; faults: number; refunds: number };
type Enumerated = { cases: number; awaits: number; distinct: number; failures: string[] };
type Reply = { readonly totals: Totals; readonly failures: readonly SweepReport[] };

const values = readOptions(
  new Command('npm run sim --')
    .description('Runs the backend’s modules in simulated shops, one for each seed.')
    .option('--seed <n>', 'the (first) seed')
    .option('--runs <m>', 'the number of worlds (default: 1 with --seed)')
    .option('--seconds <s>', 'start no new world after this many seconds')
    .option('--jobs <j>', 'worker processes (default: one for each core)')
    .option('--without <kinds>', `leave out these faults: ${faultKinds.join(', ')}`)
    .option('--actors <numbers>', 'run only these actors')
    .option('--actions <n>', 'run at most this many actions of each actor')
    .option('--enumerate', 'run every flow with every outcome of the gateway and up to two crashes at every await')
    .option('--case <flow:outcome:i,j>', 'one case of the enumeration, printed step by step')
    .option('--mutants', 'plant money bugs, one at a time, and report whether they are found')
    .option('--remember', 'record where they were found, where the next run looks first')
    .option('--part <n/m>', 'only every m-th block of the enumeration, or mutant, from the n-th on')
    .option('--only <text>', 'only the mutants whose name contains this')
    .option('--thrice', 'run each seed three times and compare the traces')
    .addOption(new Option('--worker').hideHelp())
    .addHelpText(
      'after',
      `
  npm run sim -- --seed 7              one world, step by step
  npm run sim -- --seed 1 --runs 1000  a thousand worlds, from seed 1 on
  npm run sim -- --seconds 60          as many as fit into a minute, from a seed of the day`,
    ),
  z.object({
    seed: count(0).optional(),
    runs: count(1).optional(),
    seconds: count(1).optional(),
    jobs: count(1).optional(),
    without: namesOf(faultKinds).default([]),
    actors: z
      .string()
      .regex(/^\d+(,\d+)*$/, { error: 'takes numbers by commas' })
      .transform(text => text.split(',').map(Number))
      .optional(),
    actions: count(1).optional(),
    enumerate: z.boolean().default(false),
    case: z.string().optional(),
    mutants: z.boolean().default(false),
    remember: z.boolean().default(false),
    part: z
      .string()
      .regex(/^[1-9]\d*\/[1-9]\d*$/, { error: 'takes a part such as 2/3' })
      .default('1/1')
      .transform(text => text.split('/').map(Number) as [part: number, parts: number]),
    only: z.string().optional(),
    thrice: z.boolean().default(false),
    worker: z.boolean().default(false),
  }),
);

const limits: Omit<SweepOptions, 'seed'> = {
  without: values.without,
  ...(values.actors === undefined ? {} : { actors: values.actors }),
  ...(values.actions === undefined ? {} : { actions: values.actions }),
};

if (values.worker) await serve();
else if (values.mutants) process.exitCode = await detectMutants();
else if (values.case !== undefined) process.exitCode = await printCase(values.case);
else if (values.enumerate) process.exitCode = await enumerateAll();
else if (values.seed !== undefined && values.runs === undefined && values.seconds === undefined)
  process.exitCode = await print(values.seed);
else process.exitCode = await sweep();

function count(least: number): z.ZodType<number> {
  return wholeNumber({ least, most: Number.MAX_SAFE_INTEGER });
}

/** Prints one world step by step. */
async function print(seed: number): Promise<number> {
  const pool = await PooledDatabase.open();
  const report = await runSeed(pool, { ...limits, seed }, line => process.stdout.write(`${line}\n`));
  const { violations, traceHash, steps, crashes, faults } = report;
  process.stdout.write(`seed ${seed}: ${steps} steps, ${crashes} crashes, ${faults} faults, trace ${traceHash}\n`);
  for (const violation of violations) process.stdout.write(`VIOLATION: ${violation}\n`);
  if (violations.length === 0) process.stdout.write('nothing wrong\n');
  return violations.length === 0 ? 0 : 1;
}

async function sweep(): Promise<number> {
  const first = values.seed ?? (Math.floor(Date.now() / 1_000) % 100_000_000) * 10;
  const runs = values.runs ?? Number.MAX_SAFE_INTEGER;
  const jobs = values.jobs ?? availableParallelism();
  const until = values.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + values.seconds * 1_000;
  const startedAt = Date.now();
  process.stdout.write(`seeds from ${first}, ${jobs} processes\n`);
  const totals: Totals = { worlds: 0, steps: 0, crashes: 0, faults: 0, refunds: 0 };
  const failures: SweepReport[] = [];
  let next = 0;
  const take = (): Chunk | undefined => {
    if (next >= runs || Date.now() > until || failures.length > 0) return undefined;
    const chunk = { from: first + next, runs: Math.min(50, runs - next) };
    next += chunk.runs;
    return chunk;
  };
  let printedAt = startedAt;
  const onReply = (answer: Reply | BlockReport) => {
    const reply = answer as Reply;
    for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += reply.totals[name];
    failures.push(...reply.failures);
    if (Date.now() - printedAt < 10_000) return;
    printedAt = Date.now();
    process.stdout.write(`${totals.worlds} worlds, ${rate(totals.worlds, startedAt)} per second\n`);
  };
  await Promise.all(Array.from({ length: jobs }, () => runWorker(take, onReply)));
  const { worlds, crashes, faults, refunds } = totals;
  for (const failure of failures.slice(0, 3)) await explain(failure);
  process.stdout.write(
    `${failures.length === 0 ? 'ok' : 'FAILED'}: ${worlds} worlds from seed ${first}, ${refunds} refunds, ${faults} faults, ${crashes} crashes, ${failures.length} with violations, ${rate(worlds, startedAt)} worlds per second\n`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** Runs every block of the enumeration in the next free process. */
async function enumerateAll(): Promise<number> {
  const jobs = values.jobs ?? availableParallelism();
  const sum: Enumerated = { cases: 0, awaits: 0, distinct: 0, failures: [] };
  const wanted = [...blocks.keys()].filter(isInPart);
  let next = 0;
  let answered = 0;
  const take = (): Chunk | undefined => {
    const from = sum.failures.length > 0 ? undefined : wanted[next++];
    return from === undefined ? undefined : { from, runs: 1 };
  };
  const startedAt = Date.now();
  await Promise.all(
    Array.from({ length: jobs }, () =>
      runWorker(take, reply => {
        const { cases, awaits, distinct, failures } = reply as BlockReport;
        answered += 1;
        sum.cases += cases;
        sum.awaits += awaits;
        sum.distinct += distinct;
        sum.failures.push(...failures);
      }),
    ),
  );
  for (const failure of sum.failures.slice(0, 5)) process.stdout.write(`FAILED ${failure}\n`);
  const isComplete = sum.failures.length === 0 && answered === wanted.length;
  process.stdout.write(
    `${isComplete ? 'ok' : 'FAILED'}: ${sum.cases} cases of ${Object.keys(flows).length} flows in ${answered} of ${blocks.length} blocks; ${sum.awaits} awaits passed, ${sum.distinct} of them distinct, with a crash at each; ${((Date.now() - startedAt) / 1_000).toFixed(0)} s\n`,
  );
  return isComplete ? 0 : 1;
}

async function printCase(name: string): Promise<number> {
  const pool = await PooledDatabase.open();
  const { report } = await runCase(pool, caseOf(name), line => process.stdout.write(`${line}\n`));
  for (const violation of report.violations) process.stdout.write(`VIOLATION: ${violation}\n`);
  return report.violations.length === 0 ? 0 : 1;
}

async function detectMutants(): Promise<number> {
  const findings = await detect({
    jobs: values.jobs ?? availableParallelism(),
    maxSeeds: values.runs ?? 6_000,
    isWanted: (name, index) => isInPart(index) && name.includes(values.only ?? ''),
    print: ({ name, by, place, failure }) => process.stdout.write(`${by} ${place ?? ''}  ${name}: ${failure ?? ''}\n`),
  });
  if (values.remember) remember(findings);
  process.stdout.write(`${scoreOf(findings)}\n`);
  // A name that fits no planted bug is a mistake, not a success.
  return findings.length > 0 && findings.every(({ by }) => by === 'seed' || by === 'flow') ? 0 : 1;
}

/** Whether this block or mutant belongs to the part that was asked for. */
function isInPart(index: number): boolean {
  const [part, parts] = values.part;
  return index % parts === part - 1;
}

function rate(worlds: number, startedAt: number): string {
  return (worlds / Math.max(0.001, (Date.now() - startedAt) / 1_000)).toFixed(1);
}

async function explain({ seed, violations }: SweepReport): Promise<void> {
  process.stdout.write(`\nseed ${seed}: ${violations[0]}\n  again: ${commandFor({ ...limits, seed })}\n`);
  const pool = await PooledDatabase.open();
  const { options, report } = await shrink(pool, { ...limits, seed });
  process.stdout.write(`  smaller: ${commandFor(options)}\n  ${report.violations[0]}\n\n`);
  await runSeed(pool, options, line => process.stdout.write(`    ${line}\n`));
}

/** One child process, given a chunk of seeds at a time until there are none left. */
function runWorker(take: () => Chunk | undefined, onReply: (reply: Reply | BlockReport) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--worker']);
    const feed = () => {
      const chunk = take();
      if (chunk) child.send(chunk);
      else child.disconnect();
    };
    child.on('message', reply => {
      onReply(reply as Reply | BlockReport);
      feed();
    });
    child.on('error', reject);
    child.on('exit', code => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    feed();
  });
}

async function serve(): Promise<void> {
  const pool = await PooledDatabase.open();
  process.on('message', chunk => {
    const { from } = chunk as Chunk;
    const block = blocks[from];
    const work = values.enumerate && block ? enumerate(pool, block) : runChunk(pool, chunk as Chunk);
    void work.then(reply => process.send?.(reply));
  });
}

async function runChunk(pool: PooledDatabase, { from, runs }: Chunk): Promise<Reply> {
  const totals: Totals = { worlds: 0, steps: 0, crashes: 0, faults: 0, refunds: 0 };
  const failures: SweepReport[] = [];
  for (let seed = from; seed < from + runs; seed += 1) {
    const report = await runSeed(pool, { ...limits, seed });
    if (values.thrice && report.violations.length === 0) await compare(pool, report, failures);
    totals.worlds += 1;
    totals.steps += report.steps;
    totals.crashes += report.crashes;
    totals.faults += report.faults;
    totals.refunds += report.refunds;
    if (report.violations.length > 0) failures.push(report);
  }
  return { totals, failures };
}

async function compare(pool: PooledDatabase, report: SweepReport, failures: SweepReport[]): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const again = await runSeed(pool, { ...limits, seed: report.seed });
    if (again.traceHash !== report.traceHash)
      failures.push({ ...again, violations: [`two runs differ: ${report.traceHash} and ${again.traceHash}`] });
  }
}
