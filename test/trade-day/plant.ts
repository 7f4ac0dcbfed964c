import { Planting } from '../simulation/mutants/planting.ts';
import { bugs } from './bugs.ts';

const urls = [new URL('./run.ts', import.meta.url).href];
const seedsTried = [1, 2, 3];
const small = { terminals: 4, sales: 60 };

const planting = new Planting();
const [, , only = ''] = process.argv;
process.on('unhandledRejection', reason => {
  if (!(reason instanceof Error && reason.name === 'PowerIsOff')) throw reason;
});
process.exitCode = (await findBugs()) ? 0 : 1;

/** Plants each bug whose name contains `only`, and reports whether a small day finds it. */
async function findBugs(): Promise<boolean> {
  await Promise.all(urls.map(url => import(url)));
  let isAllFound = true;
  for (const bug of bugs.filter(({ name }) => name.includes(only))) {
    const [run] = (await planting.plant(bug, urls)) as typeof import('./run.ts')[];
    let found: string | undefined;
    for (const seed of seedsTried) {
      const [wrong] = (await run?.runDay({ seed, ...small }))?.wrong ?? [];
      if (wrong === undefined) continue;
      found = `${wrong}\n  seed ${seed}`;
      break;
    }
    process.stdout.write(`${found ? 'found' : 'NOT FOUND'}  ${bug.name}${found ? `\n  ${found}` : ''}\n`);
    isAllFound &&= found !== undefined;
  }
  return isAllFound;
}
