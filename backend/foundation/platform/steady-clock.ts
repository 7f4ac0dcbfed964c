import type { Clock, Instant, SteadyClock } from '@florin/shared/ports.ts';

export type SteadyClockOptions = {
  readonly clock: Clock;
  /** Monotonic time in milliseconds. */
  readonly elapsedMs: () => number;
  /** How long a step is held back: longer than the longest lockout. */
  readonly holdBackMs: number;
  readonly onStep?: (step: { readonly aheadMs: number }) => void;
};

/** The difference between the clocks that is not a step: drift, and slewing by a time service. */
const toleranceMs = 2_000;
/** The fastest rate accepted: twice that of slewing by a time service. */
const rate = 1.001;

/**
 * A clock that follows the system clock but takes no step forward: it never runs ahead of the time elapsed in this
 * process. A step is accepted after `holdBackMs`, because most steps are corrections. A process started after the step
 * cannot detect it.
 */
export function steadyClock(options: SteadyClockOptions): SteadyClock {
  const { clock, elapsedMs, holdBackMs, onStep } = options;
  let elapsed = elapsedMs();
  /** The upper limit by elapsed time. */
  let latest: Instant = clock.now();
  let aheadSince: number | undefined;

  function now(): Instant {
    const wall = clock.now();
    const elapsedNow = elapsedMs();
    latest += (elapsedNow - elapsed) * rate;
    elapsed = elapsedNow;
    const aheadMs = wall - latest;
    if (Math.abs(aheadMs) <= toleranceMs) {
      // In step: only the tolerated rate is gained, and it does not accumulate.
      latest = Math.min(latest, wall);
      aheadSince = undefined;
    } else if (aheadMs > 0) {
      if (aheadSince === undefined) onStep?.({ aheadMs });
      aheadSince ??= elapsedNow;
      if (elapsedNow - aheadSince >= holdBackMs) {
        latest = wall;
        aheadSince = undefined;
      }
    }
    return Math.floor(Math.min(wall, latest));
  }

  return { now, lagMs: () => clock.now() - now() };
}
