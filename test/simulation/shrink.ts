import { faultKinds } from './faults.ts';
import { drawPlan } from './plan.ts';
import type { PooledDatabase } from './shop.ts';
import { runSeed, type SweepOptions, type SweepReport } from './sweep.ts';

/** The smallest world found that still fails: fewer actors, fewer actions, fewer kinds of fault. */
export async function shrink(
  pool: PooledDatabase,
  failing: SweepOptions,
): Promise<{ options: SweepOptions; report: SweepReport }> {
  let options = failing;
  let report = await runSeed(pool, options);
  async function isEnough(smaller: SweepOptions): Promise<boolean> {
    const tried = await runSeed(pool, smaller);
    if (tried.violations.length === 0) return false;
    options = smaller;
    report = tried;
    return true;
  }
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const kind of faultKinds) {
      const without = options.without ?? [];
      if (!without.includes(kind) && (await isEnough({ ...options, without: [...without, kind] }))) isSmaller = true;
    }
    for (const { id } of drawPlan(options.seed).actors) {
      const actors = options.actors ?? drawPlan(options.seed).actors.map(actor => actor.id);
      if (!actors.includes(id)) continue;
      if (await isEnough({ ...options, actors: actors.filter(other => other !== id) })) isSmaller = true;
    }
    for (const actions of [1, 2, 3])
      if (actions < (options.actions ?? 4) && (await isEnough({ ...options, actions }))) isSmaller = true;
    // Leaving out faults that never occurred would not make the world smaller.
    if (options === failing) break;
  }
  return { options, report };
}

/** The command that repeats this world. */
export function commandFor({ seed, without, actors, actions }: SweepOptions): string {
  return [
    `npm run sim -- --seed ${seed}`,
    ...(without?.length ? [`--without ${without.join(',')}`] : []),
    ...(actors ? [`--actors ${actors.join(',')}`] : []),
    ...(actions === undefined ? [] : [`--actions ${actions}`]),
  ].join(' ');
}
