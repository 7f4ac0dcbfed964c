import {
  type CardGatewaySandbox,
  startCardGatewaySandbox,
} from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { type SeededNumbers, seededNumbers } from '../simulation/seeded.ts';
import { clientOf } from '../support/client.ts';
import { violationsIn } from './auditor.ts';
import { drawPlan, type KillPlan, killTriggerOf } from './kill-plan.ts';
import { drawOperations, make, newSaleId, type Operation, type Stock } from './operations.ts';
import { type PhaseTable, phaseOf } from './phases.ts';
import { type BackendProcess, startBackend } from './process.ts';
import type { DatabaseReader } from './records.ts';
import { openShop, type Shop, takeLinkPayment, takeSale } from './shop.ts';
import { pause, until } from './until.ts';
import { passive, type WireTap, wireTap } from './wire-tap.ts';

/** An instance's database: settings for its process, and direct access for the auditor. */
export type Place = {
  readonly env: Readonly<Record<string, string>>;
  readonly reader: DatabaseReader;
  remove(): Promise<void>;
};

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
  const instance = await Instance.open(options);
  try {
    for (let done = 0; done < options.cycles; ) {
      const kills = Math.min(killsPerRound, options.cycles - done);
      await instance.round(done, kills);
      done += kills;
    }
  } finally {
    await instance.close();
  }
}

class Instance {
  readonly #options: InstanceOptions;
  readonly #numbers: SeededNumbers;
  /** A separate generator: the number of interrupted calls depends on the machine and must not affect the other draws. */
  readonly #repeats: SeededNumbers;
  readonly #sandbox: CardGatewaySandbox;
  readonly #tap: WireTap;
  readonly #shop: Shop;
  readonly #env: Readonly<Record<string, string>>;
  readonly #all: Operation[] = [];
  #process: BackendProcess;

  static async open(options: InstanceOptions): Promise<Instance> {
    const sandbox = await startCardGatewaySandbox({ file: ':memory:' });
    const tap = await wireTap(sandbox.url);
    const env = {
      ...options.place.env,
      GATEWAY_URL: tap.url,
      GATEWAY_CARD_PRESENT_URL: `${tap.url}/card-present`,
      PUBLIC_URL: tap.callbackUrl,
      SETTLEMENT_POLL_SECONDS: '1',
    };
    const staff = [{ dailyLimitMinor: null }, { dailyLimitMinor: null }];
    const shop = await openShop(env, { terminals: 2, staff });
    return new Instance({ options, sandbox, tap, shop, env, process: await startBackend(env) });
  }

  private constructor(parts: {
    options: InstanceOptions;
    sandbox: CardGatewaySandbox;
    tap: WireTap;
    shop: Shop;
    env: Readonly<Record<string, string>>;
    process: BackendProcess;
  }) {
    this.#options = parts.options;
    this.#numbers = seededNumbers(parts.options.seed);
    this.#repeats = seededNumbers(parts.options.seed + 1_000_000_007);
    this.#sandbox = parts.sandbox;
    this.#tap = parts.tap;
    this.#shop = parts.shop;
    this.#env = parts.env;
    this.#process = parts.process;
    this.#tap.serviceUrl = parts.process.url;
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
      const violations = violationsIn({
        records: await this.#options.place.reader.read(),
        ledger: this.#sandbox.control.ledger(),
        sent: this.#tap.sent,
        operations: this.#all,
      });
      if (violations.length > 0) throw new Error(violations.join('\n'));
    } catch (error) {
      const where = `seed ${this.#options.seed}, cycles ${firstCycle} to ${firstCycle + kills - 1}`;
      const how = plans.map(plan => JSON.stringify(plan)).join('\n  ');
      throw new Error(`${where}:\n${String(error)}\nkills:\n  ${how}\n${this.#process.output()}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#process.kill();
    await this.#process.gone;
    await this.#tap.close();
    await this.#sandbox.close();
    await this.#options.place.reader.close();
    await this.#options.place.remove();
  }

  /** Makes new payments for a round, some of them settled. */
  async #makePayments(): Promise<Stock> {
    const client = clientOf(this.#process.url);
    const shop = this.#shop;
    const tokenUrl = this.#sandbox.tokenUrl;
    const [terminal] = shop.terminals;
    if (!terminal) throw new Error('the shop has no terminal');
    const links = (count: number) =>
      Promise.all(Array.from({ length: count }, () => takeLinkPayment({ client, shop, tokenUrl }, 2_000)));
    const tills = (count: number, amountMinor: number) =>
      Promise.all(
        Array.from({ length: count }, () => takeSale({ client, terminal }, { newId: newSaleId, amountMinor })),
      );
    const [settledOnLinks, settledAtTills, [forWrongPasswords]] = await Promise.all([
      links(4),
      tills(3, 3_000),
      tills(1, 900_000),
    ]);
    if (!forWrongPasswords) throw new Error('no sale was made');
    const before = await this.#options.place.reader.settled();
    this.#sandbox.control.settle();
    const expected = before + settledOnLinks.length + settledAtTills.length + 1;
    await until('the payments settle', async () => (await this.#options.place.reader.settled()) >= expected);
    const [unsettledOnLinks, unsettledAtTills] = await Promise.all([links(3), tills(2, 3_000)]);
    return { shop, settledOnLinks, unsettledOnLinks, settledAtTills, unsettledAtTills, forWrongPasswords };
  }

  /** Runs operations, kills the process in between, and starts a new one on the same data. */
  async #cycle(plan: KillPlan, stock: Stock, operations: Operation[]): Promise<void> {
    const target = this.#process;
    const fresh = await drawOperations(target.url, stock, this.#numbers);
    // Some calls that earlier kills interrupted are repeated in parallel, so that a kill may hit them as well.
    const cutOff = operations.filter(({ answers }) => answers.length === 0 && this.#repeats.chance(0.3));
    const repeated = cutOff.slice(0, maxRepeated);
    operations.push(...fresh);
    const killed = new Promise<void>(resolve => {
      void target.gone.then(resolve);
    });
    const trigger = killTriggerOf(plan, { operations: fresh.length, kill: () => target.kill() });
    this.#tap.listener = trigger.listener;
    const calls = [...fresh, ...repeated].map(async operation => {
      if (await make(operation, target.url)) trigger.answered();
    });
    const enough = Promise.all(calls).then(() => pause(5));
    await Promise.race([killed, enough, pause(1_500)]);
    target.kill();
    await target.gone;
    this.#tap.serviceUrl = undefined;
    await Promise.all(calls);
    // Requests already sent still arrive.
    await pause(10);
    const gateway = this.#sandbox.control.transactions();
    const { sent, replied } = { sent: new Map(this.#tap.sent), replied: new Set(this.#tap.replied) };
    const records = await this.#options.place.reader.readAfterKill();
    for (const operation of fresh)
      this.#options.table.add(operation, phaseOf(operation, { records, gateway, sent, replied }));
    this.#process = await startBackend(this.#env);
    this.#tap.listener = passive;
    this.#tap.serviceUrl = this.#process.url;
  }

  /** Repeats every call until it is answered, and once more; then nothing may be pending. */
  async #repeatUntilAnswered(operations: readonly Operation[]): Promise<void> {
    await Promise.all(
      operations.map(operation =>
        until(
          `an answer to ${operation.kind} ${operation.id}`,
          async () => (await make(operation, this.#process.url)) !== undefined,
        ),
      ),
    );
    await this.#everyOutcomeIsKnown();
    await Promise.all(operations.map(operation => make(operation, this.#process.url)));
    await this.#everyOutcomeIsKnown();
  }

  async #everyOutcomeIsKnown(): Promise<void> {
    const { reader } = this.#options.place;
    const pending = async () => {
      const { refunds, payments } = await reader.read();
      return `${JSON.stringify([...refunds, ...payments].filter(({ status }) => status === 'pending'))}\n${this.#process.output()}`;
    };
    await until('every outcome is known', async () => (await reader.pending()) === 0, pending);
  }
}
