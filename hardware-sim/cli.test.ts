import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame } from '@florin/shared/reader-line/frame.ts';
import { SerialPort } from 'serialport';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'florin-sim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args]);
  let out = '';
  let errors = '';
  const firstLine = new Promise<string>(resolve => {
    child.stdout.on('data', chunk => {
      out += chunk;
      if (out.includes('\n')) resolve(out.split('\n')[0] ?? '');
    });
  });
  child.stderr.on('data', chunk => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; errors: string }>(resolve =>
    child.once('close', code => resolve({ code, out, errors })),
  );
  const lines = () => out.split('\n').filter(line => line !== '');
  return {
    child,
    ended,
    lines,
    ready: async () => JSON.parse(await firstLine) as { path: string; url: string | null },
  };
}

/** A minimal host: sends HELLO and starts one payment. */
async function pay(path: string): Promise<SerialPort> {
  const port = new SerialPort({ path, baudRate: 115_200 });
  const send = (sequence: number, verb: string, fields: Record<string, string>) => {
    const line = encodeFrame({ kind: 'Q', sequence, verb, fields });
    if (line.ok) port.write(`${line.value}\n`);
  };
  send(1, 'HELLO', { proto: '1-1', host: 'test', nonce: 'ab' });
  send(2, 'PAY', { txn: 'sale_1', amt: '1250', cur: '826', exp: '2', tmo: '60' });
  return port;
}

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the command line', () => {
  test('prints one JSON line when ready, keeps its link, and stops cleanly on SIGTERM', async () => {
    const link = join(folder, 'reader');
    const run = start('--protocol', 'line', '--link', link, '--http', '127.0.0.1:0', '--seed', '7');
    const ready = await run.ready();
    expect(ready).toMatchObject({ ready: true, path: link, seed: 7 });
    expect((await fetch(`${ready.url}/api/state`)).status).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, errors: '' });
  });

  test.each([
    [['--protocol', 'smoke'], '--protocol: takes line'],
    [['--protocol', 'raw', '--auto', 'tap visa'], '--auto: needs a simulated reader'],
    [['explode'], 'too many arguments'],
    [['--http', '0.0.0.0:80'], '127.0.0.1'],
    [['--seed', 'x'], 'whole number'],
    [['--auto', 'insert lion'], 'insert lion'],
    [['--script', '/does/not/exist.yaml'], 'no such file'],
  ])('%j is refused in words', async (args, words) => {
    const { code, out, errors } = await start(...args).ended;
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(errors).toContain(words);
    expect(errors).not.toContain('    at ');
  });

  test.each([
    ['declined', 0],
    ['approved', 1],
  ])('an expectation of %s ends with %i', async (outcome, code) => {
    const file = script(
      `${outcome}.yaml`,
      `steps:\n  - when: { verb: PAY, amountMinor: 1250 }\n    do: [insert blocked]\n    expect: { outcome: ${outcome} }\n`,
    );
    const run = start('--headless', '--pace', 'off', '--script', file);
    const { path } = await run.ready();
    const port = await pay(path);
    const ended = await run.ended;
    expect(ended.code, ended.errors).toBe(code);
    expect(JSON.parse(ended.out.trim().split('\n')[1] ?? '')).toMatchObject({ passed: code === 0, violations: [] });
    port.destroy();
  });

  test('several readers are ready at once, each with its port and page, and what is done is recorded', async () => {
    const record = join(folder, 'recorded.yaml');
    const run = start('--readers', '3', '--link', join(folder, 'many'), '--record', record, '--pace', 'off');
    await expect.poll(() => run.lines().length).toBe(3);
    const readers = run.lines().map(line => JSON.parse(line) as { path: string; url: string });
    expect(readers.map(({ path }) => path).toSorted()).toEqual(
      ['many', 'many2', 'many3'].map(name => join(folder, name)),
    );
    const [first] = readers.filter(({ path }) => path === join(folder, 'many'));
    const port = await pay(first?.path ?? '');
    const act = (action: object) =>
      fetch(`${first?.url}/api/actions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(action),
      });
    await expect.poll(async () => (await act({ do: 'insert', card: 'blocked' })).status).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, errors: '' });
    expect(readFileSync(record, 'utf8')).toContain('insert blocked');
    port.destroy();
  });

  test('an invalid scenario reports the location of the error', async () => {
    const file = script('bad.yaml', 'steps:\n  - when: { verb: DANCE }\n    do: [jump]\n');
    const { code, errors } = await start('--script', file).ended;
    expect(code).toBe(2);
    expect(errors).toContain('steps.0.when.verb');
    expect(errors).toContain('no such action: jump');
  });
});
