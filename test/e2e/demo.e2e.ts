import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect as expectOnce, test } from '@playwright/test';
import { type Florin, startFlorin } from './florin.ts';

/** `npm start` as somebody uses it who tries out what happens when a program is away. */
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

/** Runs a line the program printed, as it stands, in a shell. */
const shell = (line: string) => promisify(execFile)('sh', ['-c', line], { cwd: florin.directory });

test('the commands it prints work as they stand', async () => {
  expect((await shell(florin.printed(/(npm run admin -- sandbox settle.*)$/m))).stdout).toMatch(/\d+ sales? settled\./);
  expect((await shell(florin.printed(/(npm run admin -- audit verify.*)$/m))).stdout).toMatch(/\d+ entries/);
});

test('it says which invoice numbers are taken before the terminal’s first sale', async () => {
  const { items } = (await florin.get('/api/v1/payments')) as { items: { invoiceNumber: string }[] };
  expect(
    items
      .map(({ invoiceNumber }) => invoiceNumber)
      .toSorted()
      .at(-1),
  ).toBe(florin.printed(/to (INV-\d+)/));
});

test('a killed backend is started again by the line that is printed, while everything else keeps running', async () => {
  const before = await florin.get('/api/v1/devices');
  await shell(florin.printed(/(kill \d+)$/m));
  const line = await florin.printedLine(/^ {2}(\S.* npm run backend -- .*)$/);
  await expect.poll(() => florin.get('/api/v1/devices').catch(() => 'away')).toBe('away');
  expect((await fetch(florin.readerUrl)).status).toBe(200);
  expect((await fetch(florin.terminalUrl)).status).toBe(200);
  // A group of its own, so that npm and what it starts end together.
  restarted = spawn('sh', ['-c', line], { cwd: florin.directory, detached: true, stdio: 'ignore' });
  await expect.poll(() => florin.get('/api/v1/devices').catch(() => 'away')).toEqual(before);
});

test('a reader that is plugged in elsewhere is found again', async () => {
  const act = (action: object) =>
    fetch(`${florin.readerUrl}/api/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
  type Entry = { direction: string; text: string };
  const greetingCount = async () => {
    const { items } = (await (await fetch(`${florin.readerUrl}/api/log`)).json()) as { items: Entry[] };
    return items.filter(({ direction, text }) => direction === 'host' && / HELLO /.test(text)).length;
  };
  await expect.poll(greetingCount).toBe(1);
  for (const times of [2, 3]) {
    await act({ do: 'unplug' });
    await act({ do: 'replug', path: 'new' });
    await expect.poll(greetingCount).toBe(times);
  }
});
