import { Actor, Callers } from './actors.ts';
import type { FaultKind } from './faults.ts';
import { eventLoopTurn } from './seeded.ts';
import { type PooledDatabase, Shop } from './shop.ts';

/** One world, from one number. What is left out makes it smaller and leaves the rest as it was. */
export type SweepOptions = {
  readonly seed: number;
  readonly without?: readonly FaultKind[];
  /** Only these actors. */
  readonly actors?: readonly number[] | undefined;
  /** At most so many actions of each actor. */
  readonly actions?: number | undefined;
};

export type SweepReport = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly traceHash: string;
  readonly steps: number;
  readonly crashes: number;
  readonly faults: number;
  readonly refunds: number;
};

/** Invariant 13: this long after the last fault everything has settled. */
const settledWithinMs = 10 * 60_000;

/** Errors nobody handled belong to the world that is running. */
let current: Shop | undefined;
process.on('unhandledRejection', error => {
  if (!current) throw error;
  current.auditor.accuse(`nobody handled: ${error instanceof Error ? error.stack : String(error)}`);
});

/** Runs one world: business with faults, then without, then rest; answers what went wrong. */
export async function runSeed(
  pool: PooledDatabase,
  options: SweepOptions,
  tell?: (line: string) => void,
): Promise<SweepReport> {
  const { seed, without = [] } = options;
  await pool.empty();
  const shop = await Shop.open({ seed, without, pool, tell });
  current = shop;
  const { auditor, world, trouble } = shop;
  try {
    await business(shop, options);
    trouble.cease();
    await comeToRest(shop);
    if (auditor.violations.length === 0) await world.drive(world.database.write(tx => auditor.atRest(tx)));
  } catch (error) {
    auditor.accuse(`the world broke: ${error instanceof Error ? error.stack : String(error)}`);
  }
  for (const { id, status, amountMinor } of auditor.refunds.values())
    shop.note(`at rest ${id} ${status} ${amountMinor}`);
  shop.close();
  // Whatever is queued belongs to nobody any more; its batch runs in virtual time.
  await world.drive(world.database.write(async () => undefined));
  await eventLoopTurn();
  current = undefined;
  return {
    seed,
    violations: [...auditor.violations],
    traceHash: shop.traceHash,
    steps: world.time.steps,
    crashes: shop.crashes,
    faults: [...trouble.struck.values()].reduce((sum, times) => sum + times, 0),
    refunds: auditor.refunds.size,
  };
}

async function business(shop: Shop, { actors, actions = Number.POSITIVE_INFINITY }: SweepOptions): Promise<void> {
  shop.begin();
  const callers = new Callers(shop);
  const chosen = shop.plan.actors.filter(({ id }) => !actors || actors.includes(id));
  const work = chosen.map(plan => {
    const shorter = { ...plan, actions: plan.actions.slice(0, actions) };
    return new Actor(shop, shorter, callers).work();
  });
  await shop.world.drive(Promise.all(work));
}

async function comeToRest(shop: Shop): Promise<void> {
  const { world, auditor } = shop;
  const until = world.now() + settledWithinMs;
  await world.advance({ seconds: 1 });
  while (!auditor.isAtRest() && auditor.violations.length === 0) {
    if (world.now() > until) return auditor.accuse('not everything settled within ten minutes of the last fault');
    await world.advance({ seconds: 5 });
  }
}
