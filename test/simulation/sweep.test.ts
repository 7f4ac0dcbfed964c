import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';

/** The worlds run in CI: less than two minutes on two slow cores. Random seeds find every planted bug within 5,100. */
const worldsInCi = 6_000;
/** The worlds run on a developer's machine. */
const worldsByHand = 300;
const worlds = process.env.CI ? worldsInCi : worldsByHand;
const firstSeed = 1;

function sim(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [new URL('cli.ts', import.meta.url).pathname, ...args]);
    let output = '';
    child.stdout.on('data', chunk => (output += String(chunk)));
    child.stderr.on('data', chunk => (output += String(chunk)));
    child.on('close', code => resolve({ code, output }));
  });
}

test(`${worlds} worlds from seed ${firstSeed} break no invariant`, { timeout: 15 * 60_000 }, async () => {
  const { code, output } = await sim('--seed', String(firstSeed), '--runs', String(worlds));
  process.stdout.write(output.split('\n').slice(-2).join('\n'));
  expect(code, output).toBe(0);
});

test('no flow breaks an invariant, whatever the crash and the outcome', { timeout: 15 * 60_000 }, async () => {
  // Outside CI only the smallest block runs: all of them take minutes.
  const { code, output } = await (process.env.CI ? sim('--enumerate') : sim('--case', 'refundSale:lateApproval:9'));
  process.stdout.write(output.split('\n').slice(-2).join('\n'));
  expect(code, output).toBe(0);
});

test('planted money bugs are found', { timeout: 15 * 60_000 }, async () => {
  const { code, output } = await (process.env.CI ? sim('--mutants') : sim('--mutants', '--only', 'reserve'));
  process.stdout.write(output.split('\n').slice(-2).join('\n'));
  expect(code, output).toBe(0);
});

test('the same seed runs the same world, to the last step', { timeout: 120_000 }, async () => {
  const { code, output } = await sim('--seed', '1', '--runs', '40', '--thrice', '--jobs', '1');
  expect(code, output).toBe(0);
});
