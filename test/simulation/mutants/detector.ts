import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.ts';

/**
 * Plants one bug and looks for it: where it was found the last time, in the flow that is likely to meet it, then seed by
 * seed. Run as a process of its own, for the bug is in the source that Node loads.
 */
const [name = '', mostSeeds = '400', known = ''] = process.argv.slice(2);
const mutant = mutants.find(one => one.name === name);
if (!mutant) throw new Error(`no mutant is called "${name}"`);
const target = new URL(`../../../${mutant.file}`, import.meta.url).href;
let isPlanted = false;
registerHooks({
  load(url, context, nextLoad) {
    if (url !== target) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (source.split(mutant.find).length !== 2) throw new Error(`"${name}" does not match ${mutant.file} exactly once`);
    isPlanted = true;
    return {
      format: 'module-typescript',
      source: source.replace(mutant.find, () => mutant.replace),
      shortCircuit: true,
    };
  },
});
const { PooledDatabase } = await import('../shop.ts');
const { runSeed } = await import('../sweep.ts');
const { blocks, caseOf, enumerate, runCase } = await import('../enumeration.ts');
if (!isPlanted) throw new Error(`nothing loads ${mutant.file}`);

const pool = await PooledDatabase.open();
const finding = (await again(known)) ?? (await detect(mutant.flow));
// It uses a name that its file does not have any more.
if ('failure' in finding && finding.failure.includes('ReferenceError')) throw new Error(finding.failure);
process.stdout.write(`${JSON.stringify(finding)}\n`);

/** Where it was found before: a case of the enumeration, or a seed. */
async function again(place: string) {
  if (place === '') return undefined;
  const isCase = place.includes(':');
  const report = isCase ? (await runCase(pool, caseOf(place))).report : await runSeed(pool, { seed: Number(place) });
  const [failure] = report.violations;
  return failure === undefined ? undefined : { by: isCase ? 'flow' : 'seed', place, failure };
}

async function detect(flow: string | undefined) {
  for (const block of blocks) {
    if (block.flow !== flow) continue;
    const { failures } = await enumerate(pool, block, 40);
    const [failure] = failures;
    if (failure) return { by: 'flow', place: failure.slice(0, failure.indexOf(': ')), failure };
  }
  for (let seed = 1; seed <= Number(mostSeeds); seed += 1) {
    const { violations } = await runSeed(pool, { seed });
    if (violations[0]) return { by: 'seed', place: String(seed), failure: violations[0] };
  }
  return { by: 'nothing' };
}
