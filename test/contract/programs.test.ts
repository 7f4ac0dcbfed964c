import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { commands } from '@florin/backend/programs/admin/commands.ts';
import { runAdmin } from '@florin/backend/programs/admin/run.ts';
import { describe, expect, type TestContext, test } from 'vitest';
import { isInPart } from '../support/part.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The npm scripts that run a program of the product; the others run a tool. In CI a sixth of them is started. */
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const [program, ...args] = script.split(' ');
  return program === 'node' && isInPart(name, 6) ? [[name, args] as const] : [];
});

/** Uses the test's own context, because tests run concurrently and another one may end first. */
function emptyFolder({ onTestFinished }: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-help-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script's command in an empty folder, where anything that it starts would leave files. */
async function run(context: TestContext, args: readonly string[], option: string) {
  const folder = emptyFolder(context);
  const located = args.map(arg => (/\.(ts|mjs)$/.test(arg) && !isAbsolute(arg) ? join(root, arg) : arg));
  const env = { PATH: process.env.PATH, TMPDIR: folder };
  return new Promise<{ code: unknown; out: string; errorOutput: string; left: string[] }>(resolve => {
    execFile(process.execPath, [...located, option], { cwd: folder, env, timeout: 60_000 }, (error, out, errorOutput) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, out, errorOutput, left: readdirSync(folder) }),
    );
  });
}

const createShop = ['business', 'create', '--name', 'Shop'];
const usageOf = (name: string) => (name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`);

describe.concurrent.each(programs)('npm run %s', { timeout: 60_000 }, (name, args) => {
  // An alias prints the usage of its target.
  const usage = name === 'e2e' ? usageOf('test') : usageOf(name);

  test('--help prints its usage and starts nothing', async context => {
    const { code, out, errorOutput, left } = await run(context, args, '--help');
    expect({ code, errorOutput, left }).toEqual({ code: 0, errorOutput: '', left: [] });
    expect(out).toMatch(/^Usage: /);
    expect(out).toContain(usage);
  });

  test('an unknown option is refused in one line that shows control characters as escapes, and nothing is started', async context => {
    const { code, out, errorOutput, left } = await run(context, args, '--no-such\u001b[31m\noption');
    expect({ code, out, left }).toEqual({ code: 2, out: '', left: [] });
    expect(errorOutput).toMatch(/^[\x20-\x7e]*--no-such\\u\{1b\}\[31m\\u\{a\}option[\x20-\x7e]*\n$/);
  });
});

/** Programs that keep data, as a person starts each. */
const programsWithData = programs.filter(([name]) =>
  ['start', 'backend', 'sandbox', 'hardware-sim', 'terminal', 'admin'].includes(name),
);

describe.concurrent.each(programsWithData)('npm run %s', { timeout: 60_000 }, (name, args) => {
  test('ends with one clear line if its data folder cannot be created', async context => {
    const more = name === 'terminal' ? ['--service', 'http://127.0.0.1:9'] : name === 'admin' ? createShop : [];
    const { code, errorOutput } = await run(context, [...args, ...more], '--data=/proc/nope');
    expect(code).toBe(2);
    expect(errorOutput).toMatch(/^[^\n]*\/proc\/nope[^\n]*\n$/);
  });
});

describe('the admin command line', () => {
  test.each([
    ['constructor', 'name'],
    ['__proto__', 'toString'],
    ['business', 'constructor'],
    ['business', '__proto__'],
  ])('%s %s is not a command', async (...words) => {
    const output: string[] = [];
    const print = (text: string) => void output.push(text);
    expect(await runAdmin({ args: words, env: {}, print, printError: print })).toBe(2);
    expect(output).toEqual([expect.stringMatching(/^error: unknown command '[^\n]*'$/)]);
  });
});

test('every command in a README goes through npm, which provides the right Node.js', () => {
  const files = globSync('{,shared/,backend/,device/,hardware-sim/,test/}**/README.md', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  expect(files.length).toBeGreaterThan(10);
  const direct = files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter(line => /^[`\s]*(npx )?node \S+\.ts/.test(line))
      .map(line => `${file}: ${line.trim()}`),
  );
  expect(direct).toEqual([]);
});

const verbs = Object.entries(commands).flatMap(([noun, actions]) => Object.keys(actions).map(verb => [noun, verb]));

describe.each(verbs)('admin %s %s', (noun = '', verb = '') => {
  async function call(context: TestContext, option: string) {
    const folder = emptyFolder(context);
    const output = { printed: '', errorOutput: '' };
    const code = await runAdmin({
      args: [noun, verb, option],
      env: { DATA: folder },
      print: text => (output.printed += text),
      printError: text => (output.errorOutput += text),
    });
    return { ...output, code, left: readdirSync(folder) };
  }

  test('--help prints its usage and opens nothing', async context => {
    const { code, printed, errorOutput, left } = await call(context, '--help');
    expect({ code, errorOutput, left }).toEqual({ code: 0, errorOutput: '', left: [] });
    expect(printed).toContain(`Usage: npm run admin -- ${noun} ${verb}`);
  });

  test('an unknown flag is refused by name', async context => {
    const { code, printed, errorOutput, left } = await call(context, '--no-such-flag');
    expect({ code, printed, left }).toEqual({ code: 2, printed: '', left: [] });
    expect(errorOutput).toBe("error: unknown option '--no-such-flag'");
  });
});
