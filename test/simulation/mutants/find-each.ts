import type { Mutant } from './mutant.ts';
import { Planting } from './planting.ts';

/** Plants each bug whose name contains the program's argument, and reports what `find` says of it; fails if one is not found. */
export async function findEach<Bug extends Mutant, Program>(
  bugs: readonly Bug[],
  urls: readonly string[],
  find: (bug: Bug, program: Program) => Promise<string | undefined>,
): Promise<void> {
  const planting = new Planting();
  const [, , only = ''] = process.argv;
  process.on('unhandledRejection', reason => {
    if (!(reason instanceof Error && reason.name === 'PowerIsOff')) throw reason;
  });
  await Promise.all(urls.map(url => import(url)));
  let isAllFound = true;
  for (const bug of bugs.filter(({ name }) => name.includes(only))) {
    const found = await find(bug, (await planting.plant(bug, urls)) as Program);
    process.stdout.write(`${found ? 'found' : 'NOT FOUND'}  ${bug.name}${found ? `\n  ${found}` : ''}\n`);
    isAllFound &&= found !== undefined;
  }
  process.exitCode = isAllFound ? 0 : 1;
}
