import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Command, namesOf, readOptions } from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';

/** Everything CI checks, in one go: types, lint, import rules, what nothing uses, unit tests, the simulation, tests in a browser. */

type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed, or passed only when it was tried again: a line for each. */
  readonly remarks?: readonly string[];
};
/** Where the programs of a step print: to the console, or to a file while other steps run beside it. */
type Output = 'inherit' | number;
type Step = { readonly name: string; readonly run: (output: Output) => Promise<Counts> };

const root = join(import.meta.dirname, '..');
const workspaces = ['shared', 'backend', 'device', 'hardware-sim', 'test'];
const reports = mkdtempSync(join(tmpdir(), 'florin-reports-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
/** Where tests keep their databases: in memory if there is room, since a fifth of their time goes to flushing them. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  const neededBytes = 4 * 1024 ** 3;
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  if (process.env.TMPDIR !== undefined || bavail * bsize < neededBytes) return tmpdir();
  const folder = mkdtempSync(join(memory, 'florin-test-'));
  // The user whom PostgreSQL runs as goes through it.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Types are stripped and modules compiled once for all the processes that tests start. */
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(reports, 'compile-cache');
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: compileCache,
  TMPDIR: temporaryFolder(),
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
};

function execute(
  command: string,
  args: readonly string[],
  output: Output,
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', output, output] });
    child.on('error', () => resolve(false));
    child.on('exit', code => resolve(code === 0));
  });
}

/** A command that passes or fails as a whole counts as one test. */
function whole(name: string, command: string, ...args: string[]): Step {
  return {
    name,
    async run(output) {
      const passed = await execute(command, args, output);
      return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
    },
  };
}

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

/** Projects of test/vitest.config.ts, at once: while the last files of one take long, those of the next run. */
async function vitest(projects: readonly string[], output: Output): Promise<Counts> {
  const file = join(reports, `${projects.join('-')}.json`);
  const unhandledFile = join(reports, `${projects.join('-')}-unhandled.json`);
  const reporters = ['dot', 'json', './test/support/unhandled-errors.ts'].map(name => `--reporter=${name}`);
  const named = projects.map(project => `--project=${project}`);
  const args = ['run', '-c', 'test/vitest.config.ts', ...named, ...reporters, `--outputFile.json=${file}`];
  const passed = await execute('vitest', args, output, { UNHANDLED_ERRORS_FILE: unhandledFile });
  const report = readReport(file, vitestReport);
  const unhandled = readReport(unhandledFile, z.array(z.string())) ?? [];
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  // A file that could not even be loaded has no tests to fail.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + unloaded.length;
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `failed: ${relative(root, name)}: ${fullName}\n${excerptOf(failureMessages)}`,
      ),
  );
  return {
    passed: report.numPassedTests,
    failed: passed ? failed : Math.max(1, failed),
    skipped: report.numPendingTests + report.numTodoTests,
    remarks: [
      ...unloaded.map(({ name }) => `failed: ${relative(root, name)}: could not be loaded`),
      ...failures,
      ...unhandled.slice(0, maxUnhandled).map(stack => `failed: an error that no test caught\n${excerptOf([stack])}`),
    ],
  };
}

const maxExcerptLines = 20;
/** Only the first errors are printed, because one timer that continues after its test causes thousands. */
const maxUnhandled = 3;

/** Why a test failed, short enough for the summary: often only the end of a long output is kept. */
function excerptOf(messages: readonly string[]): string {
  return messages
    .flatMap(message => stripVTControlCharacters(message).split('\n').slice(0, maxExcerptLines))
    .map(line => `      ${line.slice(0, 300)}`)
    .join('\n');
}

const suite = z.object({
  file: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(z.object({ errors: z.array(z.object({ message: z.string().default('') })).default([]) })),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(suite).optional();
  },
});
const browserReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  suites: z.array(suite),
});

const remarkByStatus = new Map([
  ['unexpected', 'failed'],
  ['flaky', 'failed once, then passed'],
]);

function remarksOn({ file, specs, suites = [] }: z.infer<typeof suite>): readonly string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ status, results }) => {
      const remark = remarkByStatus.get(status);
      const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
      return remark === undefined ? [] : [`${remark}: ${file}: ${title}\n${excerptOf(messages)}`];
    }),
  );
  return [...own, ...suites.flatMap(remarksOn)];
}

async function browserTests(output: Output): Promise<Counts> {
  const files = globSync('{shared,client,backend,device,hardware-sim,test}/**/*.e2e.ts', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const chromium = findChromium(chosenChromium) ?? installHeadlessShell() ?? findChromium(wholeChromium);
  if (chromium === undefined) {
    console.log(
      `No Chromium: ${files.length} files of browser tests are skipped. Install it (Debian: apt-get install chromium-headless-shell)`,
    );
    console.log('or set CHROMIUM_PATH to one.');
    return { passed: 0, failed: 0, skipped: files.length };
  }
  const file = join(reports, 'browser.json');
  // What passes only at its second attempt does not fail the run, but is named in the summary: it is a fault, here or in the test.
  // Recording a trace of each test would take half as long again, so a test that failed is recorded when it is tried again.
  const options = ['--retries=1', '--trace=on-first-retry', '--reporter=list,json'];
  const args = ['test', '-c', 'test/playwright.config.ts', ...options];
  const more = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, CHROMIUM_PATH: chromium };
  const passed = await execute('playwright', args, output, more);
  const report = readReport(file, browserReport);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return {
    passed: expected + flaky,
    failed: passed ? unexpected : Math.max(1, unexpected),
    skipped,
    remarks: report.suites.flatMap(remarksOn),
  };
}

function readReport<Report>(file: string, schema: z.ZodType<Report>): Report | undefined {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Chromium without a window of its own takes half the processor time for the same pages. */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';
const chosenChromium = [process.env.CHROMIUM_PATH ?? '', headlessShell];
const wholeChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const findChromium = (places: readonly string[]) => places.find(place => existsSync(place));

function installHeadlessShell(): string | undefined {
  const isDebian = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (process.getuid?.() !== 0 || !isDebian) return undefined;
  console.log('Installing Chromium for the browser tests (apt-get install chromium-headless-shell) …');
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'];
    execFileSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    return undefined;
  }
  return findChromium([headlessShell]);
}

/** What uses one processor for most of its time, the longest first. With one checker, types take half the processor time. */
const sideBySide: readonly Step[] = [
  whole('types', 'tsc', '-p', '.', '--singleThreaded'),
  { name: 'simulation', run: output => vitest(['simulation'], output) },
  whole('promises', 'oxlint', '-c', '.oxlintrc.json', '--deny-warnings', '--type-aware', ...workspaces),
  whole('format', 'biome', 'check', '--error-on-warnings', '.'),
  whole('imports', 'depcruise', '--config', '.dependency-cruiser.cjs', ...workspaces),
  whole('unused', 'knip', '--config', '.knip.json'),
];
/** What uses all processors. */
const projects = ['crash', 'unit'];
const browser: Step = { name: 'browser', run: browserTests };
const names = [...sideBySide.map(({ name }) => name), ...projects, browser.name];

type Ended = { readonly name: string; readonly counts: Counts; readonly seconds: number };

async function timed({ name, run }: Step, output: Output): Promise<Ended> {
  const startedAtMs = performance.now();
  const counts = await run(output);
  return { name, counts, seconds: Math.round((performance.now() - startedAtMs) / 1_000) };
}

const printName = (name: string) => console.log(`\n── ${name} ${'─'.repeat(70 - name.length)}`);

/** Runs as many steps at once as there are processors, and prints what each printed once it has ended. */
async function runSideBySide(wanted: readonly Step[]): Promise<readonly Ended[]> {
  const waiting = [...wanted];
  const ended: Ended[] = [];
  const runNext = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const file = join(reports, `${step.name}.txt`);
      const output = openSync(file, 'w');
      ended.push(await timed(step, output));
      closeSync(output);
      printName(step.name);
      process.stdout.write(readFileSync(file));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return ended;
}

async function runOneByOne(wanted: readonly Step[]): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const step of wanted) {
    printName(step.name);
    ended.push(await timed(step, 'inherit'));
  }
  return ended;
}

async function main(): Promise<number> {
  const { only } = readOptions(
    new Command('npm test --').option('--only <names>', 'only these, by commas').addHelpText(
      'after',
      `
Runs side by side: ${sideBySide.map(({ name }) => name).join(', ')}.
Runs after them: ${projects.join(' and ')} at once, then ${browser.name}.
  simulation  seeded worlds, the enumeration, planted bugs
  crash       real processes killed in the middle of their work
  unit        every other *.test.ts, on SQLite and on a PostgreSQL of its own
  browser     every *.e2e.ts, in Chromium`,
    ),
    z.object({ only: namesOf(names).optional() }),
  );
  const isWanted = (name: string) => only?.includes(name) ?? true;
  const tested = projects.filter(isWanted);
  const tests: Step = { name: tested.join(' and '), run: output => vitest(tested, output) };
  const oneByOne = [...(tested.length > 0 ? [tests] : []), ...(isWanted(browser.name) ? [browser] : [])];
  const ended = [
    ...(await runSideBySide(sideBySide.filter(({ name }) => isWanted(name)))),
    ...(await runOneByOne(oneByOne)),
  ];
  const summary = ended.flatMap(({ name, counts, seconds }) => [
    `${name}: ${summaryOf(counts)} (${seconds} s)`,
    ...(counts.remarks ?? []).map(remark => `  ${remark}`),
  ]);
  const sum = (of: 'passed' | 'failed' | 'skipped') => ended.reduce((total, { counts }) => total + counts[of], 0);
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  console.log(`\n${summary.map(line => `  ${line}`).join('\n')}\n`);
  console.log(summaryOf(total));
  return total.failed === 0 ? 0 : 1;
}

function summaryOf({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

process.exitCode = await main();
