import { type Place, runLane } from './lane.ts';
import { PhaseTable } from './phases.ts';

export type CrashRun = {
  readonly seed: number;
  /** Kills, over all lanes. */
  readonly cycles: number;
  /** The number of services tested in parallel. */
  readonly lanes: number;
  readonly place: (lane: number) => Promise<Place>;
  readonly onCycle?: () => void;
};

/** Kills and restarts until `cycles` are done; throws at the first violation, with the command that repeats it. */
export async function crashRun(run: CrashRun): Promise<{ table: PhaseTable }> {
  const table = new PhaseTable();
  const lanes = Math.min(run.lanes, run.cycles);
  const outcomes = await Promise.allSettled(
    Array.from({ length: lanes }, async (_, lane) => {
      const cycles = Math.floor(run.cycles / lanes) + (lane < run.cycles % lanes ? 1 : 0);
      const place = await run.place(lane);
      const onCycle = run.onCycle ? { onCycle: run.onCycle } : {};
      return runLane({ seed: run.seed + lane, cycles, place, table, ...onCycle });
    }),
  );
  const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
  return { table };
}
