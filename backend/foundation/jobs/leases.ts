import type { Cancel, Clock, ContextLog, Instant, Timers } from '@florin/shared/ports.ts';

export const defaultLeaseMs = 10_000;

/** Longer than the timeouts of all requests that one piece of work makes, together. */
const longestWorkMs = 3 * 60_000;

/** A piece of work, and until when other processes leave it to this one. */
export type Held<Work> = { readonly work: Work; readonly until: Instant };

type Kind<Work> = {
  /** Names the work in the log. */
  readonly what: string;
  /**
   * For how long a lease is renewed at most: longer than the timeouts of the work itself, so that only work that hangs
   * loses its lease.
   */
  readonly maxMs?: number;
  /** Stores new ends of leases; returns those that this process still has. Another process may have taken the rest. */
  readonly renew: (held: readonly Held<Work>[], until: Instant) => Promise<readonly Held<Work>[]>;
};

/** The leases of this process on one kind of work. */
export type LeasesOn<Work> = {
  /** The end of a lease that begins now. */
  fromNow(): Instant;
  /**
   * Renews the lease on work that this process has claimed until `until`, up to `end`. The work should be a small object that
   * refers to nothing large: V8 keeps entries of a Map that come and go in memory until a full collection.
   */
  hold(work: Work, until: Instant): void;
  end(work: Work): void;
  /** Whether others still leave the work to this process: to be asked before what only one process should do. */
  isHeld(work: Work): boolean;
  /** Holds the lease while `body` runs. Without an end there is none to hold. */
  during<Value>(work: Work, until: Instant | null, body: () => Promise<Value>): Promise<Value>;
};

export type Leases = { on<Work>(kind: Kind<Work>): LeasesOn<Work> };

type Ports = { readonly clock: Clock; readonly timers: Timers; readonly log: ContextLog; readonly leaseMs: number };

/**
 * Leases on work that only one process may do at a time. The end of a lease is stored with the claim of the work, and the
 * process that does the work renews it: others wait for a slow process, and take over from a dead one within a lease.
 * A lease is renewed once a third of it is over, so that most work ends without a statement more. The store that holds
 * the lease decides who has the work: it lets a process renew, and record, only what no other has claimed since.
 */
export function leasesOf(ports: Ports): Leases {
  return { on: kind => leasesOn(ports, kind) };
}

type Holding<Work> = { readonly work: Work; until: Instant; readonly renewedUntil: Instant; isRenewing: boolean };

function leasesOn<Work>(
  { clock, timers, log, leaseMs }: Ports,
  { what, maxMs = longestWorkMs, renew }: Kind<Work>,
): LeasesOn<Work> {
  const holdings = new Map<Work, Holding<Work>>();
  let cancel: Cancel | undefined;

  function lookSoon(): void {
    cancel = timers.after(Math.ceil(leaseMs / 6), look);
  }

  function look(): void {
    const now = clock.now();
    for (const { work, renewedUntil } of holdings.values()) {
      if (now < renewedUntil) continue;
      holdings.delete(work);
      log.warn({ what }, 'work hangs: its lease is no longer renewed, and another process may take it over');
    }
    void renewDue();
    cancel = undefined;
    if (holdings.size > 0) lookSoon();
  }

  /** Again at once, if a renewal took so long that the next one is due. */
  async function renewDue(): Promise<void> {
    for (;;) {
      const now = clock.now();
      const due = [...holdings.values()].filter(one => !one.isRenewing && one.until - now <= (leaseMs * 2) / 3);
      if (due.length === 0 || !(await extend(due, now + leaseMs))) return;
    }
  }

  /** Returns whether the store answered. */
  async function extend(due: readonly Holding<Work>[], until: Instant): Promise<boolean> {
    for (const one of due) one.isRenewing = true;
    try {
      const kept = new Set(await renew(due, until));
      for (const one of due)
        if (kept.has(one)) one.until = until;
        else if (holdings.get(one.work) === one) end(one.work);
      return true;
    } catch (error) {
      log.warn({ what, err: error }, 'leases could not be renewed; trying again');
      return false;
    } finally {
      for (const one of due) one.isRenewing = false;
    }
  }

  function hold(work: Work, until: Instant): void {
    holdings.set(work, { work, until, renewedUntil: clock.now() + maxMs, isRenewing: false });
    // Apart from the request that happens to be the first.
    if (!cancel) log.apart({ job: 'leases' }, lookSoon);
  }

  function end(work: Work): void {
    holdings.delete(work);
    if (holdings.size > 0) return;
    cancel?.();
    cancel = undefined;
  }

  return {
    fromNow: () => clock.now() + leaseMs,
    hold,
    end,
    isHeld: work => clock.now() < (holdings.get(work)?.until ?? 0),
    async during(work, until, body) {
      if (until !== null) hold(work, until);
      try {
        return await body();
      } finally {
        end(work);
      }
    },
  };
}
