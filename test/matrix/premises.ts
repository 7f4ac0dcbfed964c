import type { View } from '@florin/device/ipc/view.ts';
import type { buildConnector } from 'undici';
import type { Instance } from '../simulation/instance.ts';
import { eventLoopTurn } from '../simulation/seeded.ts';
import { PooledDatabase } from '../simulation/shop.ts';
import { aWorld, type World, type WorldOptions } from '../simulation/world.ts';
import { Counter, type Place } from './counter.ts';
import { refuse, serve } from './served.ts';

const derivedWithinMs = 2_000;

/** Of all premises of this process, one after another. */
let pool: PooledDatabase | undefined;

/** A business without a row, in virtual time: nothing in it waits for this machine, so that a seed repeats it. */
export async function anEmptyWorld(options: Omit<WorldOptions, 'database' | 'onWorld'>): Promise<World> {
  pool ??= await PooledDatabase.open();
  await pool.empty();
  return aWorld({
    ...options,
    database: pool.database,
    onWorld: ({ time, numbers }) => pool?.runIn(drain => void time.after(numbers.between(0, 2), drain)),
  });
}

/** The service in a world, and how the world runs: what the counters of a business stand on. */
export class Premises {
  readonly world: World;
  readonly counters: Counter[] = [];
  #served: ReturnType<typeof serve> | undefined;
  #heldFor: View | undefined;
  readonly #ids: Instance['served']['ids'];

  constructor(world: World) {
    this.world = world;
    this.#ids = world.instance.served.ids;
    this.#served = serve(world.instance);
  }

  readonly connect: buildConnector.connector = (connection, callback) =>
    this.#served ? this.#served.connect(connection, callback) : refuse(callback);

  /** Sets up one more counter; `reached` stands between it and the service. */
  async addCounter(
    options: Parameters<typeof Counter.open>[1],
    reached: Pick<Place, 'connect' | 'isServiceUp'> = { connect: this.connect, isServiceUp: () => this.isServiceUp },
  ): Promise<Counter> {
    const until: Place['until'] = (...given) => this.until(...given);
    const counter = await Counter.open({ world: this.world, ids: this.#ids, until, ...reached }, options);
    this.counters.push(counter);
    return counter;
  }

  /** Runs the world until the condition holds. @throws Error if it does not within this time. */
  async until(what: string, holds: () => boolean, withinMs = 600_000): Promise<void> {
    const end = this.world.now() + withinMs;
    while (!(await this.#quiet(holds))) {
      if (this.world.now() > end) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
      await this.#step();
    }
  }

  /** Runs the world for a time. */
  async pass(ms: number): Promise<void> {
    const { time } = this.world;
    let isOver = false;
    time.after(ms, () => {
      isOver = true;
    });
    while (!isOver) {
      await this.#quiet(() => false);
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    const { world } = this;
    if (!(await world.time.step())) throw new Error('nothing is left to happen');
    const [failed] = world.jobErrors;
    if (failed instanceof Error) throw failed;
  }

  /** Lets the streams in memory deliver everything that does not wait for time. */
  async #quiet(holds: () => boolean): Promise<boolean> {
    // A connection is quiet where no call waits, apart from a stream's events, which may come a step later.
    const turns = this.counters.some(({ terminal }) => terminal.callsUnderWay > 0) ? 4 : 1;
    for (let turn = 0; turn < turns; turn += 1) await eventLoopTurn();
    await this.#keysDerived();
    return holds();
  }

  /** Lets the time of the world stand while a terminal derives a key; a terminal that waits for the service looks alike. */
  async #keysDerived(): Promise<void> {
    for (const counter of this.counters) {
      const { view } = counter;
      if (view === this.#heldFor || !counter.isDerivingKey()) continue;
      const end = performance.now() + derivedWithinMs;
      while (counter.isDerivingKey() && performance.now() < end) await eventLoopTurn();
      this.#heldFor = view;
    }
  }

  get isServiceUp(): boolean {
    return this.#served !== undefined;
  }

  /** Cuts the power of the service: only its database survives. */
  cutService(): void {
    this.#served?.stop();
    this.#served = undefined;
    this.world.instance.crash();
  }

  startService(): void {
    if (this.#served) return;
    this.world.restart();
    this.#served = serve(this.world.instance);
  }

  async close(): Promise<void> {
    for (const counter of this.counters) counter.terminal.close();
    this.#served?.stop();
    for (const counter of this.counters) counter.reader.close();
    await this.world.close();
  }
}
