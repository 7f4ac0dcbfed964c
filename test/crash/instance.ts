import { type SeededNumbers, seededNumbers } from '../simulation/seeded.ts';
import { Cluster } from './cluster.ts';
import { drawPlan, type KillPlan, killTriggerOf } from './kill-plan.ts';
import { drawOperations, make, type Operation, type Stock } from './operations.ts';
import { type PhaseTable, phaseOf } from './phases.ts';
import type { Place } from './records.ts';
import { pause } from './until.ts';
import { passive } from './wire-tap.ts';

export type InstanceOptions = {
  readonly seed: number;
  readonly cycles: number;
  readonly place: Place;
  readonly table: PhaseTable;
  readonly onCycle?: () => void;
};

/** Kills before both sides are compared: later kills also hit the recovery from earlier ones. */
const killsPerRound = 5;
const maxRepeated = 2;

/**
 * One service with its own database and gateway: operations, a kill, a new process on the same data, again and again.
 * Throws with a list of all violations.
 */
export async function runInstance(options: InstanceOptions): Promise<void> {
  const { place, cycles } = options;
  const ends: (() => Promise<void> | void)[] = [() => place.remove()];
  try {
    const atTheEnd = (end: () => Promise<void> | void) => void ends.unshift(end);
    const cluster = await Cluster.start({ place, processes: 1, dailyLimitsMinor: [null, null], atTheEnd });
    const instance = new Instance(options, cluster);
    for (let done = 0; done < cycles; ) {
      const kills = Math.min(killsPerRound, cycles - done);
      await instance.round(done, kills);
      done += kills;
    }
  } finally {
    for (const end of ends) await end();
  }
}

class Instance {
  readonly #options: InstanceOptions;
  readonly #numbers: SeededNumbers;
  /** A separate generator: the number of interrupted calls depends on the machine and must not affect the other draws. */
  readonly #repeats: SeededNumbers;
  readonly #cluster: Cluster;
  readonly #all: Operation[] = [];

  constructor(options: InstanceOptions, cluster: Cluster) {
    this.#options = options;
    this.#numbers = seededNumbers(options.seed);
    this.#repeats = seededNumbers(options.seed + 1_000_000_007);
    this.#cluster = cluster;
  }

  async round(firstCycle: number, kills: number): Promise<void> {
    const operations: Operation[] = [];
    const plans: KillPlan[] = [];
    try {
      const stock = await this.#makePayments();
      for (let kill = 0; kill < kills; kill += 1) {
        const plan = drawPlan(firstCycle + kill, this.#numbers);
        plans.push(plan);
        await this.#cycle(plan, stock, operations);
        this.#options.onCycle?.();
      }
      await this.#repeatUntilAnswered(operations);
      this.#all.push(...operations);
      const violations = await this.#cluster.violations(this.#all);
      if (violations.length > 0) throw new Error(violations.join('\n'));
    } catch (error) {
      const where = `seed ${this.#options.seed}, cycles ${firstCycle} to ${firstCycle + kills - 1}`;
      const how = plans.map(plan => JSON.stringify(plan)).join('\n  ');
      throw new Error(`${where}:\n${String(error)}\nkills:\n  ${how}\n${this.#cluster.output()}`, { cause: error });
    }
  }

  /** Makes new payments for a round, some of them settled. */
  async #makePayments(): Promise<Stock> {
    const cluster = this.#cluster;
    const [settledOnLinks, settledAtTills, [forWrongPasswords]] = await cluster.settled(() =>
      Promise.all([cluster.takeOnLinks(4, 2_000), cluster.takeAtTill(3, 3_000), cluster.takeAtTill(1, 900_000)]),
    );
    if (!forWrongPasswords) throw new Error('no sale was made');
    const [unsettledOnLinks, unsettledAtTills] = await Promise.all([
      cluster.takeOnLinks(3, 2_000),
      cluster.takeAtTill(2, 3_000),
    ]);
    const { shop } = cluster;
    return { shop, settledOnLinks, unsettledOnLinks, settledAtTills, unsettledAtTills, forWrongPasswords };
  }

  /** Runs operations, kills the process in between, and starts a new one on the same data. */
  async #cycle(plan: KillPlan, stock: Stock, operations: Operation[]): Promise<void> {
    const cluster = this.#cluster;
    const { tap } = cluster;
    const [target] = cluster.processes;
    if (!target) throw new Error('no process runs');
    const fresh = await drawOperations(target.url, stock, this.#numbers);
    // Some calls that earlier kills interrupted are repeated in parallel, so that a kill may hit them as well.
    const cutOff = operations.filter(({ answers }) => answers.length === 0 && this.#repeats.chance(0.3));
    const repeated = cutOff.slice(0, maxRepeated);
    operations.push(...fresh);
    const killed = new Promise<void>(resolve => {
      void target.gone.then(resolve);
    });
    const trigger = killTriggerOf(plan, { operations: fresh.length, kill: () => target.kill() });
    tap.listener = trigger.listener;
    const calls = [...fresh, ...repeated].map(async operation => {
      if (await make(operation, target.url)) trigger.answered();
    });
    const enough = Promise.all(calls).then(() => pause(5));
    await Promise.race([killed, enough, pause(1_500)]);
    target.kill();
    await target.gone;
    tap.serviceUrl = undefined;
    await Promise.all(calls);
    // Requests already sent still arrive.
    await pause(10);
    const gateway = cluster.sandbox.control.transactions();
    const { sent, replied } = { sent: new Map(tap.sent), replied: new Set(tap.replied) };
    const records = await cluster.reader.readAfterKill();
    for (const operation of fresh)
      this.#options.table.add(operation, phaseOf(operation, { records, gateway, sent, replied }));
    tap.listener = passive;
    await cluster.replace(0);
  }

  /** Repeats every call until it is answered, and once more; then nothing may be pending. */
  async #repeatUntilAnswered(operations: readonly Operation[]): Promise<void> {
    const cluster = this.#cluster;
    await cluster.repeatUntilAnswered(operations);
    await Promise.all(operations.map(operation => make(operation, cluster.url(0))));
    await cluster.everyOutcomeIsKnown();
  }
}
