import type { Clock, Instant, SteadyClock } from '@florin/shared/ports.ts';

export type SteadyClockOptions = {
  readonly clock: Clock;
  /** Milliseconds since some fixed moment; nobody can set it. */
  readonly elapsedMs: () => number;
  /** How long a step is held back before it is believed: longer than the longest lockout. */
  readonly holdBackMs: number;
  readonly onStep?: (step: { readonly aheadMs: number }) => void;
};

/** What the two clocks may differ by without being a step: their drift, and slewing by a time service. */
const toleranceMs = 2_000;
/** How much faster than elapsed time the clock may run: twice what a time service slews by. */
const rate = 1.001;

/**
 * A clock that follows the system's, except that it takes no step forward: it never runs ahead of the time that has elapsed
 * in this process. A step is believed after `holdBackMs`, since most steps are corrections. A process that was restarted
 * after the step cannot know of it.
 */
export function steadyClock(options: SteadyClockOptions): SteadyClock {
  const { clock, elapsedMs, holdBackMs, onStep } = options;
  let elapsed = elapsedMs();
  /** The latest it can be, by elapsed time. */
  let latest: Instant = clock.now();
  let aheadSince: number | undefined;

  function now(): Instant {
    const wall = clock.now();
    const elapsedNow = elapsedMs();
    latest += (elapsedNow - elapsed) * rate;
    elapsed = elapsedNow;
    const aheadMs = wall - latest;
    if (Math.abs(aheadMs) <= toleranceMs) {
      // In step: only what the rate allows is gained, and none of it is saved up.
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
