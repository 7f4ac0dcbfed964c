import { runInstance } from './instance.ts';
import { PhaseTable } from './phases.ts';
import type { Place } from './records.ts';

export type CrashRun = {
  readonly seed: number;
  /** Kills, over all instances. */
  readonly cycles: number;
  /** The number of services tested in parallel. */
  readonly instances: number;
  readonly place: (instance: number) => Promise<Place>;
  readonly onCycle?: () => void;
  /** Where the steps that were hit are counted; a new table unless given. */
  readonly table?: PhaseTable;
};

/** Kills and restarts until `cycles` are done; throws at the first violation, with the command that repeats it. */
export async function crashRun(run: CrashRun): Promise<{ table: PhaseTable }> {
  const { table = new PhaseTable() } = run;
  const instances = Math.min(run.instances, run.cycles);
  const outcomes = await Promise.allSettled(
    Array.from({ length: instances }, async (_, instance) => {
      const cycles = Math.floor(run.cycles / instances) + (instance < run.cycles % instances ? 1 : 0);
      const place = await run.place(instance);
      const onCycle = run.onCycle ? { onCycle: run.onCycle } : {};
      return runInstance({ seed: run.seed + instance, cycles, place, table, ...onCycle });
    }),
  );
  const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
  return { table };
}
