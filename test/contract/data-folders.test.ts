import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInPart } from '../support/part.ts';

const root = join(import.meta.dirname, '../..');

/** Programs that keep data, with arguments for free ports, and the outcome of a second process on the same folder. */
const inUse = { code: 2, errorOutput: expect.stringMatching(/^[^\n]*in use by another[^\n]*\n$/) as string };
const programs = {
  backend: { args: ['backend/main.ts', '--port', '0'], second: 'ready' },
  sandbox: { args: ['backend/programs/sandbox/main.ts', '--port-base', '0', '--json'], second: 'ready' },
  terminal: {
    args: ['device/main/browser/main.ts', '--service', 'http://127.0.0.1:1', '--reader', '/dev/null', '--port', '0'],
    second: inUse,
  },
  'hardware-sim': { args: ['hardware-sim/cli.ts', '--headless'], second: inUse },
} as const;

let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-data-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: keyof typeof programs, data: string) {
  const child = spawn(process.execPath, [...programs[name].args, '--data', data], { cwd: root, stdio: 'pipe' });
  running.add(child);
  let errorOutput = '';
  child.stderr.on('data', chunk => {
    errorOutput += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errorOutput }));
  const ready = once(createInterface({ input: child.stdout }), 'line').then(() => 'ready' as const);
  return { child, outcome: await Promise.race([ready, ended]) };
}

const names = (Object.keys(programs) as (keyof typeof programs)[]).filter(name => isInPart(name, 2));
test.each(names)(
  'the data folder of %s is accessible only to its owner, and a second process uses it or is refused in one clear line',
  async name => {
    const data = join(folder, 'made', 'here');
    expect((await start(name, data)).outcome).toBe('ready');
    const kept = globSync('**/*', { cwd: folder }).filter(path => path !== '.');
    expect(kept).toEqual(expect.arrayContaining(['made', 'made/here']));
    expect(kept.filter(path => (statSync(join(folder, path)).mode & 0o077) !== 0)).toEqual([]);
    expect((await start(name, data)).outcome).toEqual(programs[name].second);
  },
);

test('the folder of a simulated reader whose process was killed can be used again', async () => {
  const { child } = await start('hardware-sim', folder);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await start('hardware-sim', folder)).outcome).toBe('ready');
});
