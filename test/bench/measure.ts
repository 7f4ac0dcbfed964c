/** The number of runs per second and the times in milliseconds. */
export type Measured = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

/** Times a synchronous action, after a tenth of it as warm-up. */
export function measure(times: number, action: (index: number) => void): Measured {
  const warmUp = Math.ceil(times / 10);
  for (let index = 0; index < warmUp; index += 1) action(index);
  const durations: number[] = [];
  const started = performance.now();
  for (let index = 0; index < times; index += 1) {
    const before = performance.now();
    action(warmUp + index);
    durations.push(performance.now() - before);
  }
  return summarise(durations, performance.now() - started);
}

/** Times an asynchronous action run by `concurrency` callers at once, after a tenth of it as warm-up. */
export async function measureConcurrently(
  options: { times: number; concurrency: number },
  action: (index: number) => Promise<void>,
): Promise<Measured> {
  const warmUp = Math.ceil(options.times / 10);
  const durations: number[] = [];
  let started = 0;
  let next = 0;
  async function caller(until: number, keep: boolean): Promise<void> {
    while (next < until) {
      const index = next;
      next += 1;
      const before = performance.now();
      await action(index);
      if (keep) durations.push(performance.now() - before);
    }
  }
  const run = (until: number, keep: boolean) =>
    Promise.all(Array.from({ length: options.concurrency }, () => caller(until, keep)));
  await run(warmUp, false);
  started = performance.now();
  await run(warmUp + options.times, true);
  return summarise(durations, performance.now() - started);
}

/** For runs that are timed as a whole. */
export function perSecondOf(times: number, elapsedMs: number): Measured {
  return { perSecond: (times / elapsedMs) * 1000, p50Ms: 0, p99Ms: 0 };
}

export function summarise(durations: number[], elapsedMs: number): Measured {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: (sorted.length / elapsedMs) * 1000, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Returns which of `count` rows the `index`-th action uses: each once, and never two adjacent rows in succession. */
export function scattered(index: number, count: number): number {
  return (index * 7919) % count;
}
