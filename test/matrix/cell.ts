import type { Protocol } from './counter.ts';
import { type Fault, isPossibleAt, occur } from './faults.ts';
import { judge, type Verdict } from './judge.ts';
import { attendReader, cardholder, type Operation, type Shown, saleMinor, work } from './people.ts';
import { aShop, type MatrixShop } from './shop.ts';
import type { Step } from './steps.ts';

/** One fault at one step of one operation. The seed decides how the fault occurs in detail. */
export type Cell = {
  readonly protocol: Protocol;
  readonly operation: Operation;
  readonly fault: Fault;
  /** From 1. */
  readonly step: number;
  readonly seed: number;
};

export type CellReport = Verdict & {
  readonly cell: Cell;
  readonly at: Step | undefined;
  readonly story: readonly string[];
};

type Run = Pick<Cell, 'protocol' | 'operation' | 'seed'>;

const settleWithinMs = 15 * 60_000;

/** The steps of an operation in which nothing fails. */
export async function stepsOf(run: Run): Promise<readonly Step[]> {
  const { shop, verdict } = await play(run);
  if (verdict.outcome !== 'moved') throw new Error(`without a fault: ${verdict.why}`);
  return shop.steps.seen;
}

export async function runCell(cell: Cell): Promise<CellReport> {
  let at: Step | undefined;
  const { shop, verdict } = await play(cell, one =>
    one.steps.arm(cell.step, step => {
      at = step;
      return isPossibleAt(cell.fault, step) ? occur(one, cell.fault, step) : {};
    }),
  );
  return { ...verdict, cell, at, story: shop.story };
}

async function play(run: Run, arm?: (shop: MatrixShop) => void): Promise<{ shop: MatrixShop; verdict: Verdict }> {
  const shop = await aShop(run);
  try {
    attendReader(shop, cardholder(run.seed % 2 === 0 ? 'tap' : 'insert'));
    await prepare(shop, run.operation);
    arm?.(shop);
    if (run.operation === 'sale') shop.steps.count(true);
    const told = await work(shop, run.operation);
    if (!arm) {
      await shop.until('the operation is over', () => shop.isIdle());
      shop.steps.count(false);
    }
    const shown = await settle(shop, told);
    shop.note(`the terminal shows ${JSON.stringify(shown?.notice)}`);
    return { shop, verdict: await judge(shop, run.operation, shown) };
  } catch (error) {
    const why = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]?.trim()}` : String(error);
    return { shop, verdict: { outcome: 'disagrees', why: `the shop came to a halt: ${why}` } };
  } finally {
    await shop.close();
  }
}

/** What was before: a void and a refund return a sale, the latter one that is settled. */
async function prepare(shop: MatrixShop, operation: Operation): Promise<void> {
  if (operation === 'sale') return;
  await shop.terminal.send({ name: 'start_sale', amountMinor: saleMinor });
  await shop.shown('sale_result');
  await shop.until('the sale is over', () => shop.isIdle());
  await shop.terminal.send({ name: 'show_keypad' });
  if (operation === 'refund') await shop.settleAtBank();
}

/** Waits until nothing is under way any more; what the terminal shows by then is its last word. */
async function settle(shop: MatrixShop, told: Shown): Promise<Shown> {
  const end = shop.world.now() + settleWithinMs;
  do await shop.pass(5_000);
  while (shop.world.now() < end && !(await shop.isAtRest()));
  // The terminal follows what the service does at most a minute later.
  await shop.pass(75_000);
  const { screen } = shop;
  return screen?.name === 'sale_result' || screen?.name === 'return_result' ? screen : told;
}
