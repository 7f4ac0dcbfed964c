import type { Cancel, ContextLog, Timers } from '@florin/shared/ports.ts';

/** A piece of background work that is due again and again. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** Processes what is due and returns how many items that were; a full batch is followed by the next at once. */
  run(): Promise<number>;
  /** How many a run takes at most; left out where one run does all. */
  readonly batch?: number;
};

export type JobRunner = {
  start(): void;
  /** Starts no further work and resolves once the running work has ended. */
  stop(): Promise<void>;
};

/**
 * Runs each job at its own interval, never twice at once in this process. Any number of processes may run the same
 * jobs: work that must not be done twice is claimed in the database, with a lease that survives a crash.
 */
export function jobRunner(options: { jobs: readonly Job[]; timers: Timers; log: ContextLog }): JobRunner {
  const { jobs, timers, log } = options;
  let stopped = false;
  const next = new Map<Job, Cancel>();
  const running = new Map<Job, Promise<void>>();

  async function runOnce(job: Job): Promise<void> {
    let did = 0;
    try {
      did = await log.within({ job: job.name }, () => job.run());
    } catch (error) {
      log.error({ job: job.name, err: error }, 'background work failed');
    }
    running.delete(job);
    const isFull = job.batch !== undefined && did >= job.batch;
    schedule(job, isFull ? 0 : job.everyMs);
  }

  function schedule(job: Job, delayMs: number): void {
    if (stopped) return;
    next.set(
      job,
      timers.after(delayMs, () => {
        if (stopped) return;
        running.set(job, runOnce(job));
      }),
    );
  }

  return {
    start() {
      for (const job of jobs) schedule(job, 0);
    },
    async stop() {
      stopped = true;
      for (const cancel of next.values()) cancel();
      await Promise.all(running.values());
    },
  };
}
