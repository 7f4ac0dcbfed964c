import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { functionLengths } from './function-lengths.ts';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(file => file !== '');
const sources = files
  .filter(file => /\.(ts|tsx|mjs|cjs)$/.test(file))
  .flatMap(file => {
    try {
      return [{ file, text: readFileSync(join(root, file), 'utf8') }];
    } catch {
      return [];
    }
  });

/** Files that may use clocks, timers and the environment: each program's platform and settings, the programs themselves, and tests. */
const worldly =
  /(^|\/)(platform|config)\/|(^|\/)(main|cli)\.ts$|^backend\/programs\/demo\/|^test\/|\.test\.tsx?$|\.e2e\.ts$|\.config\.(ts|mjs)$/;
/** Scripts of pages use the browser's own timers. */
const browser =
  /^device\/(renderer|preload)\/|^(hardware-sim|backend\/programs\/sandbox(\/[^/]+)?)\/page\/|^backend\/web\/([^/]+\/browser|portal\/app\/platform)\//;
const outside = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bsetTimeout\(|\bsetInterval\(|\bprocess\.env\b/;

const maxFunctionLines = 70;
/** Longer functions that are allowed, with the reason. */
const longFunctions: Readonly<Record<string, string>> = {
  'backend/compose.ts: compose': 'a list of modules',
  'device/core/parts.ts: terminalParts': 'a list of parts',
};

/** Files in which a failure has no consequence of its own, with the reason. */
const ignoredFailures: Readonly<Record<string, string>> = {
  'backend/programs/admin/sandbox.ts': 'the command says that the sandbox does not answer',
  'backend/foundation/database/migrations/migrate.ts': 'without the list of migrations the migrator reads every table',
  'backend/foundation/database/postgres-notifications.ts': 'the loss of the connection is awaited later',
  'backend/foundation/database/postgres.ts': 'each answer of a batch is awaited later',
  'backend/gateways/http-client.ts': 'the connection of an ended exchange is closed',
  'backend/bitcoin/nodes/connection.ts': 'the connection of an ended exchange is closed',
  'backend/people/portal-users/factors.ts': 'an answer of a passkey that does not verify is refused',
  'backend/programs/sandbox/card-gateway/page/card-fields.ts': 'the page says that the bank does not answer',
  'backend/web/portal/app/shell/business-frame.tsx':
    'the palette that could not be loaded ahead is loaded when it is opened',
  'device/main/platform/log-file.ts': 'a log line that cannot be written has nowhere else to go',
  'shared/client/follow.ts': 'a refusal of the stream, which is raised where the caller waits for the next state',
  'shared/client/stream.ts': 'the rest of an ended stream is not wanted',
};

function offenders(pattern: RegExp, exempt: readonly RegExp[]): string[] {
  return sources
    .filter(({ file }) => !exempt.some(allowed => allowed.test(file)))
    .flatMap(({ file, text }) =>
      withoutComments(text)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** The exported functions with no comment above; overloads share the comment of the first. */
function withoutCommentAbove(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const name = /^export (?:(?:async )?function\*? |const (?=\w+ = (?:async )?(?:\(|<|\w+ =>)))(\w+)/.exec(line)?.[1];
    const above = lines[index - 1] ?? '';
    if (name === undefined || above.endsWith('*/') || above.startsWith(`export function ${name}`)) return [];
    return [name];
  });
}

describe('the tree', () => {
  test('takes time, randomness, timers and settings from its ports', () => {
    expect(offenders(outside, [worldly, browser])).toEqual([]);
  });

  test('would notice a file that does not', () => {
    expect(outside.test('const now = Date.now();')).toBe(true);
    expect(outside.test('const at = new Date();')).toBe(true);
    expect(outside.test('new Date(instant).toISOString()')).toBe(false);
    expect(withoutComments('a(); // Date.now\n/* Date.now */ b();')).not.toContain('Date.now');
  });

  test('has no file of more than 500 lines', () => {
    const lengths = sources.map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 500)).toEqual([]);
  });

  test('has no function of more than 70 lines, except those that would be harder to read in parts', () => {
    const long = sources
      .filter(({ file }) => /\.tsx?$/.test(file) && !/^test\/|\.(test|e2e|config)\.tsx?$|\.d\.ts$/.test(file))
      .flatMap(({ file, text }) =>
        functionLengths(text, file.endsWith('x'))
          .filter(({ ownLines }) => ownLines > maxFunctionLines)
          .map(({ name }) => `${file}: ${name}`),
      );
    expect(long.sort()).toEqual(Object.keys(longFunctions).sort());
  });

  test('would notice a long function, and counts the functions inside it separately', () => {
    const body = (lines: number) => '  act();\n'.repeat(lines);
    const inner = `function inner() {\n${body(60)}}\n`;
    const text = `/** é */\nexport const outer = () => {\n${inner}${body(60)}};\nconst one = { long() {\n${body(69)}} };`;
    expect(functionLengths(text, false)).toEqual([
      { name: 'inner', line: 3, ownLines: 62 },
      { name: 'outer', line: 2, ownLines: 62 },
      { name: 'long', line: 126, ownLines: 71 },
    ]);
  });

  test('has a comment above every exported function of the product', () => {
    const found = sources
      .filter(({ file }) => /\.tsx?$/.test(file) && !/^test\/|\.(test|e2e|config)\.tsx?$|\.d\.ts$/.test(file))
      .flatMap(({ file, text }) => withoutCommentAbove(text).map(name => `${file}: ${name}`));
    expect(found).toEqual([]);
  });

  test('would notice an exported function without one', () => {
    const text = '/** What. */\nexport function a() {}\n\nexport async function b() {}\n\nexport const c = () => 1;\n';
    const overloads = '/** What. */\nexport function d(x: 1): 1;\nexport function d(x: 2): 2;\n';
    expect(withoutCommentAbove(text + overloads)).toEqual(['b', 'c']);
  });

  test('has at its top level only the workspaces, the files of npm and TypeScript, the README and dotfiles', () => {
    const allowed = ['shared', 'backend', 'device', 'hardware-sim', 'test', 'package.json', 'package-lock.json'];
    const top = new Set(files.map(file => file.split('/')[0] ?? ''));
    const unexpected = [...top].filter(
      name => !name.startsWith('.') && ![...allowed, 'tsconfig.json', 'README.md'].includes(name),
    );
    expect(unexpected).toEqual([]);
  });

  test('ignores no failure: everything caught is handled or logged', () => {
    const swallowed = (text: string) =>
      /catch\s*(\(\w*\))?\s*\{\s*\}|\.catch\(\(?\w*\)? => (\{\s*\}|undefined|null)\)|\.catch\(ignored\)/.test(
        withoutComments(text),
      );
    const inTests = /^test\/|\.test\.tsx?$/;
    const found = sources.filter(({ file, text }) => !inTests.test(file) && swallowed(text));
    expect(found.map(({ file }) => file).sort()).toEqual(Object.keys(ignoredFailures).sort());
    const examples = [
      'try { a(); } catch {\n  // Never mind.\n}',
      'a().catch(() => {});',
      'a().catch(() => undefined)',
    ];
    for (const text of examples) expect(swallowed(text), text).toBe(true);
  });

  test('keeps the queries of the backend in its stores, which have nothing else to run', () => {
    const stores = sources.filter(
      ({ file }) => /^backend\/.*store\.ts$/.test(file) && !file.startsWith('backend/programs/sandbox/'),
    );
    const others = sources.filter(({ file }) =>
      /^backend\/(?!foundation\/database\/).*(?<!store|\.test)\.ts$/.test(file),
    );
    expect(stores.length).toBeGreaterThan(20);
    const withQueries = others.filter(({ text }) => /\bstatement(<|\()|\bsql(<\w+>)?`/.test(text));
    expect(withQueries.map(({ file }) => file)).toEqual([]);
    // The rows that two stores select from: a part of a statement, which needs arguments.
    const shared = ['backend/money/overview/tips-store.ts', 'backend/money/transactions/movements-store.ts'];
    const functions = stores.filter(({ text }) => /^export (async )?function /m.test(text));
    expect(functions.map(({ file }) => file)).toEqual(shared);
  });

  test('writes the words of its screens with typographic apostrophes', () => {
    const words = sources.filter(({ file }) => /^device\/(core|renderer)\/(words|customer)\//.test(file));
    expect(words.length).toBeGreaterThan(20);
    const straight = words.flatMap(({ text }) => {
      const code = text.replaceAll(/^\s*(\/\*|\*|\/\/).*$/gm, '');
      return code.match(/(["`])[^"`\n]*\p{L}'\p{L}[^"`\n]*\1/gu) ?? [];
    });
    expect(straight).toEqual([]);
  });

  test('has no marks of unfinished work', () => {
    const marks = new RegExp(['TODO', 'FIXME', 'HACK'].map(mark => `\\b${mark}\\b`).join('|'));
    const found = sources
      .filter(({ file }) => file !== 'test/rules/tidy.test.ts')
      .filter(({ text }) => marks.test(text));
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  test('names no path of the machine it was written on', () => {
    const machine = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/'].join('|'));
    const found = sources.filter(({ text }) => machine.test(text)).map(({ file }) => file);
    expect(found).toEqual([]);
  });
});
