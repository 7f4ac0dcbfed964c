import { expect, test } from 'vitest';
import { seededNumbers } from '../simulation/seeded.ts';
import { partOf } from '../support/part.ts';
import { runCell } from './cell.ts';
import { protocols } from './counter.ts';
import { faults } from './faults.ts';
import { operations } from './people.ts';
import { commandFor, planned } from './plan.ts';

/** Which part the commit decides; the whole takes about twenty minutes of a core. */
const parts = 500;
const cellsTried = 10;

test('a sample of the fault matrix: reader, terminal, service and bank agree, or something open names the difference', async () => {
  const seed = process.env.SEED === undefined ? partOf(parts) : Number(process.env.SEED);
  const numbers = seededNumbers(seed);
  const protocol = numbers.pick(protocols);
  const cells = await planned({ protocols: [protocol], operations, faults, seeds: [seed] });
  expect(cells.length).toBeGreaterThan(200);
  for (let tried = 0; tried < cellsTried; tried += 1) {
    const report = await runCell(numbers.pick(cells));
    expect(report.outcome, `${commandFor(report.cell)} (SEED=${seed}): ${report.why}`).not.toBe('disagrees');
  }
});
