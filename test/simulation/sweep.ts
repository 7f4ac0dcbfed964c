import type { Transaction } from '../../backend/foundation/database/database.ts';
import { Actor } from './actors.ts';
import type { Auditor } from './auditor.ts';
import { Callers } from './caller.ts';
import { type FaultKind, type FaultPlan, faultPlanOf } from './faults.ts';
import { openForeignWallet } from './foreign-wallet.ts';
import { decideDisputed, emptyOutboxes, resolveAll } from './manager.ts';
import { drawPlan, type Plan } from './plan.ts';
import { forgetPasswords } from './refund-calls.ts';
import { eventLoopTurn } from './seeded.ts';
import { type PooledDatabase, Shop } from './shop.ts';

/** One world, from one seed. Leaving something out makes it smaller and does not change the rest. */
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
  /** The virtual time from the first action until every outcome was known. */
  readonly decidedMs: number;
};

/** Invariant 13: nothing is pending this long after the last fault. */
const settledWithinMs = 10 * 60_000;

/** Managers decide only after the service has decided what it can. */
const decidesAfterMs = 290_000;
/** How long the bank waits with its settlement run at the end of a world. */
const settlesAfterMs = 3 * 60_000;

/** Reports unhandled errors to the auditor of this world, until the returned function is called. */
function watchErrors({ auditor }: Shop): () => void {
  const onError = (error: unknown) =>
    auditor.report(`unhandled error: ${error instanceof Error ? error.stack : String(error)}`);
  process.on('unhandledRejection', onError);
  return () => void process.off('unhandledRejection', onError);
}

/** Runs the world of a seed. */
export async function runSeed(
  pool: PooledDatabase,
  { seed, without = [], actors, actions = Number.POSITIVE_INFINITY }: SweepOptions,
  print?: (line: string) => void,
): Promise<SweepReport> {
  const drawn = drawPlan(seed);
  const chosen = drawn.actors.filter(({ id }) => !actors || actors.includes(id));
  const plan = { ...drawn, actors: chosen.map(actor => ({ ...actor, actions: actor.actions.slice(0, actions) })) };
  return runWorld(pool, { seed, plan, faultPlan: faultPlanOf(seed, without) }, print);
}

/** Runs one world: actions with faults, then without, then until nothing is pending; returns the violations. */
export async function runWorld(
  pool: PooledDatabase,
  { seed, plan, faultPlan }: { seed: number; plan: Plan; faultPlan: FaultPlan },
  print?: (line: string) => void,
): Promise<SweepReport> {
  await pool.empty();
  forgetPasswords();
  if (plan.actors.some(({ kind }) => kind === 'treasurer')) await openForeignWallet();
  const shop = await Shop.open({ seed, plan, faultPlan, pool, print });
  const endWatch = watchErrors(shop);
  const { auditor, world } = shop;
  const beganAt = world.now();
  let decidedAt = beganAt;
  try {
    await business(shop);
    faultPlan.endAll();
    decidedAt = await runUntilIdle(shop);
    if (auditor.violations.length === 0) await world.drive(emptyOutboxes(shop));
    if (auditor.violations.length === 0) await world.drive(resolveAll(shop));
    let isAudited = false;
    while (!isAudited && auditor.violations.length === 0) {
      await runUntilIdle(shop);
      isAudited = await world.drive(world.database.write(tx => auditedAtRest(auditor, tx)));
    }
  } catch (error) {
    auditor.report(`unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
  }
  for (const { id, status, amountMinor } of auditor.refunds.values())
    shop.note(`at rest ${id} ${status} ${amountMinor}`);
  shop.close();
  // Closing waits for queued writes, which run in virtual time.
  await world.drive(world.database.write(async () => undefined));
  await eventLoopTurn();
  endWatch();
  return {
    seed,
    violations: [...auditor.violations],
    traceHash: shop.traceHash,
    steps: world.time.steps,
    crashes: shop.crashes,
    faults: [...faultPlan.triggered.values()].reduce((sum, times) => sum + times, 0),
    refunds: auditor.refunds.size,
    decidedMs: decidedAt - beganAt,
  };
}

/** False if an event was emitted since the world became idle. */
async function auditedAtRest(auditor: Auditor, tx: Transaction): Promise<boolean> {
  if (auditor.violations.length > 0) return true;
  if (!(await auditor.hasReceivedAll(tx))) return false;
  await auditor.atRest(tx);
  return true;
}

async function business(shop: Shop): Promise<void> {
  shop.begin();
  const callers = new Callers(shop);
  await shop.world.drive(Promise.all(shop.plan.actors.map(plan => new Actor(shop, plan, callers).work())));
}

/** Resolves to when all outcomes were known; consumers of events may have come to the end later. */
async function runUntilIdle(shop: Shop): Promise<number> {
  const { world, auditor } = shop;
  const faultsEndedAt = world.now();
  let decidedAt: number | undefined;
  world.gateway.finishSettling();
  await world.advance({ seconds: 1 });
  const isOver = async () => {
    if (auditor.undecided().length > 0) return false;
    decidedAt ??= world.now();
    return world.drive(world.database.write(tx => auditor.hasReceivedAll(tx)));
  };
  while (auditor.violations.length === 0 && !(await isOver())) {
    if (world.now() > Math.max(faultsEndedAt, shop.lastCrashAt) + settledWithinMs) {
      auditor.report(`ten minutes after the last fault this is not settled: ${auditor.undecided().join(', ')}`);
      break;
    }
    if (world.now() > faultsEndedAt + decidesAfterMs) await world.drive(decideDisputed(shop));
    // Reversals of payments in settlement are refunded after it.
    if (world.now() > faultsEndedAt + settlesAfterMs) world.gateway.settle();
    if (world.node?.isChainMoving()) world.node.mine();
    await world.advance({ seconds: 5 });
  }
  return decidedAt ?? world.now();
}
