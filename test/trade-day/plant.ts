import { findEach } from '../simulation/mutants/find-each.ts';
import type { Mutant } from '../simulation/mutants/mutant.ts';
import { bugs } from './bugs.ts';

type Day = readonly [typeof import('./run.ts')];

const urls = [new URL('./run.ts', import.meta.url).href];
await findEach<Mutant, Day>(bugs, urls, async (_bug, [{ runDay }]) => {
  for (const seed of [1, 2, 3]) {
    const [wrong] = (await runDay({ seed, terminals: 4, sales: 60 })).wrong;
    if (wrong !== undefined) return `${wrong}\n  seed ${seed}`;
  }
  return undefined;
});
