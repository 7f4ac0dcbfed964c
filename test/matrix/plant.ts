import { Planting } from '../simulation/mutants/planting.ts';
import { bugs } from './bugs.ts';

const urls = ['./cell.ts', './plan.ts'].map(path => new URL(path, import.meta.url).href);
type Matrix = readonly [typeof import('./cell.ts'), typeof import('./plan.ts')];

const planting = new Planting();
const [, , only = ''] = process.argv;
process.on('unhandledRejection', reason => {
  if (!(reason instanceof Error && reason.name === 'PowerIsOff')) throw reason;
});
process.exitCode = (await findBugs()) ? 0 : 1;

/** Plants each bug whose name contains `only`, and reports whether the matrix finds it where it must. */
async function findBugs(): Promise<boolean> {
  await Promise.all(urls.map(url => import(url)));
  let isAllFound = true;
  for (const bug of bugs.filter(({ name }) => name.includes(only))) {
    const [{ runCell }, { planned, commandFor }] = (await planting.plant(bug, urls)) as unknown as Matrix;
    const { protocol, operation, fault } = bug.where;
    // Where the customer pays decides which steps there are: both ways are tried.
    const cells = await planned({ protocols: [protocol], operations: [operation], faults: [fault], seeds: [1, 2, 3] });
    let found: string | undefined;
    for (const cell of cells) {
      const { outcome, why } = await runCell(cell);
      if (outcome !== 'disagrees') continue;
      found = `${why}\n  ${commandFor(cell)}`;
      break;
    }
    process.stdout.write(`${found ? 'found' : 'NOT FOUND'}  ${bug.name}${found ? `\n  ${found}` : ''}\n`);
    isAllFound &&= found !== undefined;
  }
  return isAllFound;
}
