import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { partOf } from '../support/part.ts';

/**
 * CI runs one part of sixty, which the commit decides, so that all run within a few commits. On a developer's machine a
 * sample of each runs. In full: `npm run sim -- --seed 1 --runs 6000`, `--enumerate` and `--mutants`.
 */
const parts = 60;
const worldsInFull = 6_000;
const worldsByHand = 300;
const isCi = Boolean(process.env.CI);
const part = isCi ? partOf(parts) : 1;
const worlds = isCi ? worldsInFull / parts : worldsByHand;
const firstSeed = 1 + (part - 1) * worlds;
const named = isCi ? `part ${part} of ${parts}` : 'a sample';
const inPart = ['--part', `${part}/${parts}`];

function sim(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [new URL('cli.ts', import.meta.url).pathname, ...args]);
    let output = '';
    child.stdout.on('data', chunk => (output += String(chunk)));
    child.stderr.on('data', chunk => (output += String(chunk)));
    child.on('close', code => resolve({ code, output }));
  });
}

async function passes(...args: string[]): Promise<void> {
  const { code, output } = await sim(...args);
  process.stdout.write(`${named}: npm run sim -- ${args.join(' ')}\n${output.split('\n').slice(-2).join('\n')}`);
  expect(code, output).toBe(0);
}

test(`${worlds} worlds from seed ${firstSeed} break no invariant`, { timeout: 15 * 60_000 }, () =>
  passes('--seed', String(firstSeed), '--runs', String(worlds)),
);

test(`no flow breaks an invariant, whatever the crash and the outcome: ${named}`, { timeout: 15 * 60_000 }, () =>
  isCi ? passes('--enumerate', ...inPart) : passes('--case', 'refundSale:lateApproval:9'),
);

test(`planted money bugs are found: ${named}`, { timeout: 15 * 60_000 }, () =>
  isCi ? passes('--mutants', ...inPart) : passes('--mutants', '--only', 'reserve'),
);

test('the same seed runs the same world, to the last step', { timeout: 120_000 }, async () => {
  const { code, output } = await sim('--seed', '1', '--runs', '40', '--thrice', '--jobs', '1');
  expect(code, output).toBe(0);
});
