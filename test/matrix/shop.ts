import type { Screen } from '@florin/device/ipc/view.ts';
import type { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { markSettled } from '../simulation/tables.ts';
import type { World } from '../simulation/world.ts';
import type { Bank } from './bank.ts';
import type { Counter, Protocol, ScreenNamed } from './counter.ts';
import { anEmptyWorld, Premises } from './premises.ts';
import { type Passing, Steps } from './steps.ts';
import type { PoweredTerminal } from './terminal.ts';

type Row = { readonly id: string; readonly status: string; readonly reversalDueAt?: number | null };

const bankCalls: ReadonlySet<string> = new Set(['authorise', 'cancel', 'refundSale', 'refund']);

/**
 * One terminal with the real driver, a simulated reader, the real service and a bank with its own ledger, in virtual
 * time.
 */
export async function aShop(options: { readonly seed: number; readonly protocol: Protocol }): Promise<MatrixShop> {
  const steps = new Steps();
  const world = await anEmptyWorld({
    seed: options.seed,
    business: { passwordProtectRefundsAndVoids: 0 },
    atAwait: where => awaited(steps, where),
  });
  const premises = new Premises(world);
  const counter = await premises.addCounter({ name: 'Till 1', protocol: options.protocol, steps });
  return new MatrixShop(premises, counter);
}

/** A process of the service is about to wait, or waited, for something outside. */
function awaited(steps: Steps, where: string): number {
  const [when, operation = ''] = where.split(' ');
  if (!bankCalls.has(operation)) return 0;
  const isRequest = when === 'before';
  const from = isRequest ? 'service' : 'bank';
  const { delayMs = 0, afterwards }: Passing = steps.pass({
    from,
    to: isRequest ? 'bank' : 'service',
    what: operation,
  });
  afterwards?.();
  return delayMs;
}

export class MatrixShop {
  readonly premises: Premises;
  readonly counter: Counter;
  /** What happened, for people. */
  readonly story: string[] = [];

  constructor(premises: Premises, counter: Counter) {
    this.premises = premises;
    this.counter = counter;
  }

  get world(): World {
    return this.premises.world;
  }

  get protocol(): Protocol {
    return this.counter.protocol;
  }

  get steps(): Steps {
    return this.counter.steps;
  }

  get reader(): ReaderSimulator {
    return this.counter.reader;
  }

  get terminal(): PoweredTerminal {
    return this.counter.terminal;
  }

  get bank(): Bank {
    return this.counter.bank;
  }

  get screen(): Screen | undefined {
    return this.counter.screen;
  }

  shown<Name extends Screen['name']>(name: Name): Promise<ScreenNamed<Name>> {
    return this.counter.shown(name);
  }

  until(what: string, holds: () => boolean): Promise<void> {
    return this.premises.until(what, holds);
  }

  pass(ms: number): Promise<void> {
    return this.premises.pass(ms);
  }

  cutService(): void {
    this.premises.cutService();
  }

  startService(): void {
    this.premises.startService();
  }

  isIdle(): boolean {
    return this.counter.isIdle();
  }

  /** Whether nothing is under way, at the counter and at the service. */
  async isAtRest(): Promise<boolean> {
    if (!this.isIdle() || !this.premises.isServiceUp || !this.steps.hasOccurred) return false;
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

  close(): Promise<void> {
    return this.premises.close();
  }
}
