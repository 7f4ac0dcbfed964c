import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect as expectOnce, test } from '@playwright/test';
import { type Florin, startFlorin } from './florin.ts';

/** `npm start`, as used to try what happens while one of its programs is stopped. */
test.describe.configure({ mode: 'serial' });
const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
let restarted: ChildProcess | undefined;
test.beforeAll(async () => {
  florin = await startFlorin();
});
test.afterAll(async () => {
  if (restarted?.pid !== undefined) process.kill(-restarted.pid, 'SIGTERM');
  await florin?.stop();
});

/** Runs a line that the program printed, unchanged, in a shell. */
const shell = (line: string) => promisify(execFile)('sh', ['-c', line], { cwd: florin.directory });

test('the commands that npm start prints work unchanged', async () => {
  expect((await shell(florin.printed(/(npm run admin -- sandbox settle.*)$/m))).stdout).toMatch(/\d+ sales? settled\./);
  expect((await shell(florin.printed(/(npm run admin -- audit verify.*)$/m))).stdout).toMatch(/\d+ entries/);
});

test('npm start prints which invoice numbers are taken before the terminal’s first sale', async () => {
  const { items } = (await florin.get('/api/v1/payments')) as { items: { invoiceNumber: string }[] };
  expect(
    items
      .map(({ invoiceNumber }) => invoiceNumber)
      .toSorted()
      .at(-1),
  ).toBe(florin.printed(/to (INV-\d+)/));
});

test('the printed command restarts a killed backend, while everything else keeps running', async () => {
  const before = await florin.get('/api/v1/devices');
  await shell(florin.printed(/(kill \d+)$/m));
  const line = await florin.printedLine(/^ {2}(\S.* npm run backend -- .*)$/);
  await expect.poll(() => florin.get('/api/v1/devices').catch(() => 'away')).toBe('away');
  expect((await fetch(florin.readerUrl)).status).toBe(200);
  expect((await fetch(florin.terminalUrl)).status).toBe(200);
  // In a separate process group, so that npm and the program it starts can be ended together.
  restarted = spawn('sh', ['-c', line], { cwd: florin.directory, detached: true, stdio: 'ignore' });
  await expect.poll(() => florin.get('/api/v1/devices').catch(() => 'away')).toEqual(before);
});

test('a reader that is plugged into another port is found again', async () => {
  const act = (action: object) =>
    fetch(`${florin.readerUrl}/api/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
  type Entry = { lane: string; frame?: { name: string } };
  const greetingCount = async () => {
    const { items } = (await (await fetch(`${florin.readerUrl}/api/timeline`)).json()) as { items: Entry[] };
    return items.filter(({ lane, frame }) => lane === 'terminal' && frame?.name.startsWith('HELLO')).length;
  };
  await expect.poll(greetingCount).toBe(1);
  for (const times of [2, 3]) {
    await act({ do: 'unplug' });
    await act({ do: 'replug', path: 'new' });
    await expect.poll(greetingCount).toBe(times);
  }
});
