import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

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

/** Where the outside world may be touched: each program's platform and settings, the programs themselves, and tests. */
const worldly =
  /(^|\/)(platform|config)\/|(^|\/)(main|cli)\.ts$|^backend\/demo\/|^test\/|\.test\.tsx?$|\.e2e\.ts$|\.config\.(ts|mjs)$/;
/** Pages tick by themselves: a browser has no platform to receive. */
const browser =
  /^device\/(renderer|preload)\/|^(hardware-sim|backend\/sandbox\/[^/]+)\/page\/|^backend\/web\/[^/]+\/browser\//;
const outside = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bsetTimeout\(|\bsetInterval\(|\bprocess\.env\b/;

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

describe('the tree', () => {
  test('takes time, chance, timers and settings from its ports', () => {
    expect(offenders(outside, [worldly, browser])).toEqual([]);
  });

  test('would notice one that does not', () => {
    expect(outside.test('const now = Date.now();')).toBe(true);
    expect(outside.test('const at = new Date();')).toBe(true);
    expect(outside.test('new Date(instant).toISOString()')).toBe(false);
    expect(withoutComments('a(); // Date.now\n/* Date.now */ b();')).not.toContain('Date.now');
  });

  test('has no file too long to hold in the head', () => {
    const long = sources
      .map(({ file, text }) => ({ file, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > 500);
    // A little over is told, far over is refused.
    for (const { file, lines } of long) console.warn(`${file} has ${lines} lines: look for a part that stands alone`);
    expect(long.filter(({ lines }) => lines > 700)).toEqual([]);
  });

  test('holds at its top the workspaces, what npm and TypeScript need, the README, and dotfiles', () => {
    const allowed = [
      'shared',
      'client',
      'backend',
      'device',
      'hardware-sim',
      'test',
      'package.json',
      'package-lock.json',
    ];
    const top = new Set(files.map(file => file.split('/')[0] ?? ''));
    const strangers = [...top].filter(
      name => !name.startsWith('.') && ![...allowed, 'tsconfig.json', 'README.md'].includes(name),
    );
    expect(strangers).toEqual([]);
  });

  test('swallows no failure: what is caught is handled or logged', () => {
    const swallowed = (text: string) =>
      /catch\s*(\(\w*\))?\s*\{\s*\}|\.catch\(\(\w*\) => \{\s*\}\)/.test(withoutComments(text));
    const inTests = /^test\/|\.test\.tsx?$/;
    const found = sources.filter(({ file, text }) => !inTests.test(file) && swallowed(text));
    expect(found.map(({ file }) => file)).toEqual([]);
    for (const text of ['try { a(); } catch {\n  // Never mind.\n}', 'a().catch(() => {});'])
      expect(swallowed(text), text).toBe(true);
  });

  test('promises nothing for later', () => {
    const marks = new RegExp(['TODO', 'FIXME', 'HACK'].map(mark => `\\b${mark}\\b`).join('|'));
    const found = sources
      .filter(({ file }) => file !== 'test/rules/tidy.test.ts')
      .filter(({ text }) => marks.test(text));
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  test('names no machine it was made on', () => {
    const machine = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/'].join('|'));
    const found = sources.filter(({ text }) => machine.test(text)).map(({ file }) => file);
    expect(found).toEqual([]);
  });
});
