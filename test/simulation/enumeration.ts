import type { FaultKind, FaultPlan } from './faults.ts';
import {
  type Block,
  decidedAtOnceMs,
  type FlowName,
  flows,
  isAtNode,
  nodeOutcomes,
  type OutcomeName,
  outcomes,
  type Scene,
} from './flows.ts';
import type { Plan } from './plan.ts';
import type { PooledDatabase } from './shop.ts';
import { runWorld, type SweepReport } from './sweep.ts';

export type BlockReport = {
  readonly cases: number;
  /** The awaits passed, and the number crashed at because a crash there leaves a new state behind. */
  readonly awaits: number;
  readonly distinct: number;
  readonly failures: readonly string[];
};

const member = {
  mayRefundAndVoid: 1,
  mayManageTerminals: 0,
  perTransactionLimitMinor: null,
  dailyLimitMinor: 5_000,
  passwordIsTemporary: 0,
} as const;

function planOf({
  isSettled,
  isPasswordProtected = true,
  staff = 1,
  instances = 1,
  hasWebhooks = false,
  hasNode = false,
  actors,
}: Scene): Plan {
  return {
    shop: {
      timeZone: 'Europe/London',
      beforeMidnightMinutes: null,
      isPasswordProtected,
      isLimited: false,
      instances,
      terminals: 1,
      recoveryEveryMs: 31_000,
      staff: Array.from({ length: staff }, () => member),
      payments: [{ amountMinor: 1_000, isSettled }],
      hasBitcoin: true,
      hasWebhooks,
      hasNode,
      confirmations: 1,
      earlierRefunds: [],
    },
    actors: actors.map(([kind, actions], id) => ({ id, kind, actions })),
  };
}

/** What happens at the awaits with these numbers; each process that takes over counts from zero. */
type Case = Block & { readonly crashes: readonly number[]; readonly freeze?: number | undefined };

type Await = { readonly state: string; readonly where: string };

/** Runs one case; `processes` lists the awaits that each process in turn passed. */
export async function runCase(
  pool: PooledDatabase,
  { flow, outcome, crashes, freeze }: Case,
  print?: (line: string) => void,
): Promise<{ report: SweepReport; processes: Await[][] }> {
  const scene: Scene = flows[flow];
  const processes: Await[][] = [[]];
  let isFirst = true;
  const faultPlan: FaultPlan = {
    triggered: new Map<FaultKind, number>(),
    behaviour(isBegun = false) {
      if (!isFirst || isBegun || isAtNode(outcome)) return {};
      isFirst = false;
      return outcomes[outcome];
    },
    answers: () => true,
    atAwait(state, where) {
      const processIndex = processes.length - 1;
      const passed = processes[processIndex] ?? [];
      passed.push({ state: state(), where });
      if (freeze === passed.length - 1) {
        faultPlan.triggered.set(scene.heldUpMs === undefined ? 'freeze' : 'stall', 1);
        return scene.heldUpMs ?? 'freeze';
      }
      if (crashes[processIndex] !== passed.length - 1) return 0;
      processes.push([]);
      return 'crash';
    },
    nodeBehaviour(makes) {
      if (!isFirst || !makes || !isAtNode(outcome)) return {};
      isFirst = false;
      return nodeOutcomes[outcome];
    },
    nodeStream: () => ({ endsAfterMs: 60_000, missesEvery: 0 }),
    quotes: () => true,
    skewMs: () => 0,
    receives: () => 'well',
    endAll: () => {},
  };
  const report = await runWorld(pool, { seed: 1, plan: planOf(flows[flow]), faultPlan }, print);
  return { report, processes };
}

/** The awaits whose state was not seen before; marks them as seen. */
function newOf(awaits: readonly Await[], seen: Set<string>, nameOf: (one: Await) => string): number[] {
  return awaits.flatMap((one, at) => {
    const name = nameOf(one);
    if (seen.has(name)) return [];
    seen.add(name);
    return [at];
  });
}

/**
 * One flow with one outcome: without faults, with a process frozen at every await, with a crash at every await,
 * and with a second crash at every await of the process that takes over. A crashed process keeps nothing in memory, so
 * of the awaits at which a crash leaves the same state, only the first is tried.
 */
export async function enumerate(
  pool: PooledDatabase,
  block: Block,
  most = Number.POSITIVE_INFINITY,
): Promise<BlockReport> {
  const failures: string[] = [];
  let cases = 0;
  let awaits = 0;
  async function run(ordered: Pick<Case, 'crashes' | 'freeze'>): Promise<readonly Await[]> {
    const one = { ...block, ...ordered };
    const { crashes } = ordered;
    const { report, processes } = await runCase(pool, one);
    cases += 1;
    const [violation] = report.violations;
    if (violation) failures.push(`${nameOf(one)}: ${violation}`);
    // An operation that was never sent is final at once.
    const isUndisturbed = crashes.length === 0 && ordered.freeze === undefined;
    if (block.outcome === 'notSent' && isUndisturbed && report.decidedMs > decidedAtOnceMs[block.flow])
      failures.push(`${nameOf(one)}: it took ${report.decidedMs} ms until the unsent operation was final`);
    // A process that was to crash at an await must have reached it.
    if (processes.length !== crashes.length + 1) failures.push(`${nameOf(one)}: a crash was not reached`);
    return processes.at(-1) ?? [];
  }
  const isHeldUp = 'heldUpMs' in flows[block.flow];
  const isEnough = () => cases >= most || failures.length > 0;
  const crashedAt = new Set<string>();
  const withoutCrash = await run({ crashes: [] });
  awaits += withoutCrash.length;
  const newStates = newOf(withoutCrash, crashedAt, ({ state }) => state);
  for (const freeze of newOf(withoutCrash, new Set(), ({ state, where }) => `${where} ${state}`)) {
    if (isEnough()) break;
    if (isHeldUp && !/ after |before createInvoice/.test(withoutCrash[freeze]?.where ?? '')) continue;
    await run({ crashes: [], freeze });
  }
  for (const first of newStates) {
    if (isEnough()) break;
    const after = await run({ crashes: [first] });
    awaits += after.length;
    for (const second of newOf(after, crashedAt, ({ state }) => state)) {
      if (isEnough()) break;
      await run({ crashes: [first, second] });
    }
  }
  return { cases, awaits, distinct: crashedAt.size, failures };
}

function nameOf({ flow, outcome, crashes, freeze }: Case): string {
  return `${flow}:${outcome}:${freeze === undefined ? crashes.join(',') : `freeze ${freeze}`}`;
}

/** Parses a name written by `nameOf`. */
export function caseOf(name: string): Case {
  const [flow = '', outcome = '', crashes = ''] = name.split(':');
  if (!(flow in flows) || !(outcome in outcomes || outcome in nodeOutcomes)) throw new Error(`no such case: ${name}`);
  const block = { flow: flow as FlowName, outcome: outcome as OutcomeName };
  if (crashes.startsWith('freeze ')) return { ...block, crashes: [], freeze: Number(crashes.slice('freeze '.length)) };
  return { ...block, crashes: crashes === '' ? [] : crashes.split(',').map(Number) };
}
