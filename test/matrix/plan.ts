import { type Cell, stepsOf } from './cell.ts';
import type { Protocol } from './counter.ts';
import { type Fault, isPossibleAt } from './faults.ts';
import type { Operation } from './people.ts';

/** Every fault at every step at which it can occur; the steps are those of a run without a fault. */
export async function planned(options: {
  readonly protocols: readonly Protocol[];
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
  readonly seeds: readonly number[];
}): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const seed of options.seeds)
    for (const protocol of options.protocols)
      for (const operation of options.operations) {
        const steps = await stepsOf({ protocol, operation, seed });
        for (const fault of options.faults)
          for (const [index, step] of steps.entries())
            if (isPossibleAt(fault, step)) cells.push({ protocol, operation, fault, step: index + 1, seed });
      }
  return cells;
}

/** The command that repeats a cell. */
export function commandFor({ protocol, operation, fault, step, seed }: Cell): string {
  return `npm run matrix -- --protocol ${protocol} --operation ${operation} --fault ${fault} --step ${step} --seed ${seed}`;
}
