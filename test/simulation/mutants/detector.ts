import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { Planting } from './planting.ts';

/**
 * Plants the bugs that it receives, one after another, and searches for each: where it was found the last time, in the
 * flow that is likely to trigger it, and then seed by seed.
 */
export type Wanted = { readonly name: string; readonly maxSeeds: number; readonly place: string };

type Simulation = readonly [
  typeof import('../shop.ts'),
  typeof import('../sweep.ts'),
  typeof import('../enumeration.ts'),
  typeof import('../flows.ts'),
];
const urls = ['../shop.ts', '../sweep.ts', '../enumeration.ts', '../flows.ts'].map(
  path => new URL(path, import.meta.url).href,
);
const planting = new Planting();
await Promise.all(urls.map(url => import(url)));

process.on('message', (wanted: Wanted) => {
  void look(wanted)
    .catch((error: unknown) => ({ by: 'error', failure: String(error) }))
    .then(finding => process.send?.({ ...finding, name: wanted.name }));
});

async function look({ name, maxSeeds, place }: Wanted) {
  const mutant = mutants.find(one => one.name === name);
  if (!mutant) throw new Error(`there is no mutant "${name}"`);
  const simulation = (await planting.plant(mutant, urls)) as unknown as Simulation;
  const [{ PooledDatabase }] = simulation;
  const pool = await PooledDatabase.open();
  const finding = (await again(simulation, pool, place)) ?? (await detect(simulation, pool, mutant, maxSeeds));
  await pool.database.close();
  // The planted text uses a name that its file no longer has.
  if ('failure' in finding && finding.failure.includes('ReferenceError')) throw new Error(finding.failure);
  return finding;
}

type Pool = import('../shop.ts').PooledDatabase;

/** Runs the case of the enumeration or the seed that found it before. */
async function again([, { runSeed }, { caseOf, runCase }]: Simulation, pool: Pool, place: string) {
  if (place === '') return undefined;
  const isCase = place.includes(':');
  const report = isCase ? (await runCase(pool, caseOf(place))).report : await runSeed(pool, { seed: Number(place) });
  const [failure] = report.violations;
  return failure === undefined ? undefined : { by: isCase ? 'flow' : 'seed', place, failure };
}

async function detect(
  [, { runSeed }, { enumerate }, { blocks }]: Simulation,
  pool: Pool,
  { flow }: Mutant,
  maxSeeds: number,
) {
  for (const block of blocks) {
    if (block.flow !== flow) continue;
    const { failures } = await enumerate(pool, block, 40);
    const [failure] = failures;
    if (failure) return { by: 'flow', place: failure.slice(0, failure.indexOf(': ')), failure };
  }
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    const { violations } = await runSeed(pool, { seed });
    if (violations[0]) return { by: 'seed', place: String(seed), failure: violations[0] };
  }
  return { by: 'nothing' };
}
