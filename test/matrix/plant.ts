import { findEach } from '../simulation/mutants/find-each.ts';
import { bugs, type PlantedBug } from './bugs.ts';

type Matrix = readonly [typeof import('./cell.ts'), typeof import('./plan.ts')];

const urls = ['./cell.ts', './plan.ts'].map(path => new URL(path, import.meta.url).href);
await findEach<PlantedBug, Matrix>(bugs, urls, async ({ where }, [{ runCell }, { planned, commandFor }]) => {
  const { protocol, operation, fault } = where;
  // Where the customer pays decides which steps there are: both ways are tried.
  const cells = await planned({ protocols: [protocol], operations: [operation], faults: [fault], seeds: [1, 2, 3] });
  for (const cell of cells) {
    const { outcome, why } = await runCell(cell);
    if (outcome === 'disagrees') return `${why}\n  ${commandFor(cell)}`;
  }
  return undefined;
});
