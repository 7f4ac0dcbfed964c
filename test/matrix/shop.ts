import type { Screen, View } from '@florin/device/ipc/view.ts';
import { describe } from '@florin/hardware-sim/readers/zvt/describe.ts';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { operator } from '@florin/shared/actor.ts';
import { eventLoopTurn, seededRandom } from '../simulation/seeded.ts';
import { PooledDatabase } from '../simulation/shop.ts';
import { markSettled } from '../simulation/tables.ts';
import { aWorld, type World } from '../simulation/world.ts';
import { noLog } from '../support/log.ts';
import { type Bank, bankOfReader, bankOfService } from './bank.ts';
import { refuse, serve } from './served.ts';
import { type Passing, Steps } from './steps.ts';
import { PoweredTerminal } from './terminal.ts';
import { Wire } from './wire.ts';

export const protocols = ['line', 'zvt'] as const;
export type Protocol = (typeof protocols)[number];

type Row = { readonly id: string; readonly status: string; readonly reversalDueAt?: number | null };
type ScreenNamed<Name extends Screen['name']> = Extract<Screen, { name: Name }>;

const bankCalls: ReadonlySet<string> = new Set(['authorise', 'cancel', 'refundSale', 'refund']);

/** Of all shops of this process, one after another. */
let pool: PooledDatabase | undefined;

/**
 * One terminal with the real driver, a simulated reader, the real service and a bank with its own ledger, in virtual
 * time. Nothing in it waits for this machine, so that a seed repeats it.
 */
export async function aShop(options: { readonly seed: number; readonly protocol: Protocol }): Promise<MatrixShop> {
  const steps = new Steps();
  const shop = new MatrixShop(options.protocol, steps);
  pool ??= await PooledDatabase.open();
  await pool.empty();
  const world = await aWorld({
    seed: options.seed,
    database: pool.database,
    onWorld: ({ time, numbers }) => pool?.runIn(drain => void time.after(numbers.between(0, 2), drain)),
    business: { passwordProtectRefundsAndVoids: 0 },
    atAwait: where => shop.awaited(where),
  });
  await shop.begin(world);
  return shop;
}

export class MatrixShop {
  readonly protocol: Protocol;
  readonly steps: Steps;
  #view: View | undefined;
  world!: World;
  reader!: ReaderSimulator;
  terminal!: PoweredTerminal;
  bank!: Bank;
  /** What happened, for people. */
  readonly story: string[] = [];
  #served: ReturnType<typeof serve> | undefined;

  constructor(protocol: Protocol, steps: Steps) {
    this.protocol = protocol;
    this.steps = steps;
  }

  async begin(world: World): Promise<void> {
    this.world = world;
    const { time, numbers, instance } = world;
    const wire = new Wire(time, (from, bytes) => {
      const to = from === 'terminal' ? 'reader' : 'terminal';
      return this.steps.pass({ from, to, what: this.#whatIsSaid(bytes) });
    });
    this.reader = await ReaderSimulator.start({
      protocol: this.protocol,
      pace: 'unpaced',
      link: wire.path,
      socket: wire.socket,
      clock: time,
      timers: time,
      random: seededRandom(numbers),
      seed: numbers.word(),
    });
    this.#served = serve(instance);
    this.terminal = new PoweredTerminal({
      protocol: this.protocol,
      time,
      numbers,
      ids: instance.served.ids,
      steps: this.steps,
      wire,
      connect: (connection, callback) => (this.#served ? this.#served.connect(connection, callback) : refuse(callback)),
      isServiceUp: () => this.#served !== undefined,
      log: noLog,
      onView: view => {
        this.#view = view;
      },
    });
    this.bank = this.reader.zvt ? bankOfReader(this.reader.zvt, world, this.steps) : bankOfService(world);
    await this.#enrol();
  }

  #whatIsSaid(bytes: Buffer): string {
    if (this.protocol === 'zvt') {
      const { text, frame } = describe(bytes, { lane: 'reader', medium: 'serial' });
      return `${frame?.raw} (${text})`;
    }
    const [kind, , verb, ...fields] = bytes.toString('latin1').trim().replace(/\*.*$/, '').split(' ');
    const outcome = fields.find(field => /^(stage|outcome|state)=/.test(field));
    return [kind, verb, outcome].join(' ').trim();
  }

  async #enrol(): Promise<void> {
    const { world, terminal } = this;
    const create = world.instance.call(services =>
      services.terminals.create({ businessId: world.business.id, name: 'Till 1', mode: 'staff', by: operator }),
    );
    const { enrolment } = await world.drive(create);
    terminal.start();
    await this.shown('enrolment');
    void terminal.send({ name: 'enrol', code: enrolment.code });
    await this.shown('keypad');
    await this.until('the reader is found', () => this.#view?.header.reader.connection === 'ready');
  }

  get screen(): Screen | undefined {
    return this.terminal.isOn ? this.#view?.screen : undefined;
  }

  /** Runs until the terminal shows this screen. */
  async shown<Name extends Screen['name']>(name: Name, withinMs?: number): Promise<ScreenNamed<Name>> {
    await this.until(`the screen ${name}`, () => this.screen?.name === name, withinMs);
    return this.screen as ScreenNamed<Name>;
  }

  /** Runs the world until the condition holds. @throws Error if it does not within this time. */
  async until(what: string, holds: () => boolean, withinMs = 600_000): Promise<void> {
    const end = this.world.now() + withinMs;
    while (!(await this.#quiet(holds))) {
      if (this.world.now() > end)
        throw new Error(`${what}: not within ${withinMs / 1_000} s; ${JSON.stringify(this.screen)}`);
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
    for (let turn = 0; turn < 4; turn += 1) await eventLoopTurn();
    return holds();
  }

  /** A process of the service is about to wait, or waited, for something outside. */
  awaited(where: string): number {
    const [when, operation = ''] = where.split(' ');
    if (!bankCalls.has(operation)) return 0;
    const isRequest = when === 'before';
    const from = isRequest ? 'service' : 'bank';
    const { delayMs = 0, afterwards }: Passing = this.steps.pass({
      from,
      to: isRequest ? 'bank' : 'service',
      what: operation,
    });
    afterwards?.();
    return delayMs;
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

  /** Whether the terminal, the reader and the line are ready for the next customer. */
  isIdle(): boolean {
    const { reader, terminal } = this;
    return terminal.hasReported && reader.stage === undefined && reader.state().insertedCard === null;
  }

  /** Whether nothing is under way, at the counter and at the service. */
  async isAtRest(): Promise<boolean> {
    if (!this.isIdle() || !this.isServiceUp || !this.steps.hasOccurred) return false;
    const tables = [await this.world.rows<Row>('payments'), await this.world.rows<Row>('refunds')];
    return tables.flat().every(row => row.status !== 'pending' && (row.reversalDueAt ?? null) === null);
  }

  async settleAtBank(): Promise<void> {
    await this.bank.settle();
    const { world } = this;
    for (const { id } of await world.rows<Row>('payments'))
      await world.drive(world.database.write(tx => tx.run(markSettled, { id, settledAt: world.now() })));
  }

  note(what: string): void {
    this.story.push(`${((this.world.now() - Date.UTC(2026, 10, 20, 12)) / 1_000).toFixed(3).padStart(9)} s  ${what}`);
  }

  async close(): Promise<void> {
    this.terminal.close();
    this.#served?.stop();
    this.reader.close();
    await this.world.close();
  }
}
