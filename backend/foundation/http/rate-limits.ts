import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many requests in each window. */
export type RateLimit = { readonly requests: number; readonly windowSeconds: number };

export type RateLimitSettings = {
  /** Of each API key and each terminal. */
  readonly perKey: RateLimit;
  /** Of each address that shows no valid credential. */
  readonly perAddress: RateLimit;
  /** Additional limits of single operations, by contract name and caller. */
  readonly perOperation: Readonly<Record<string, RateLimit>>;
  /**
   * Per address, for `/healthz` and `/readyz`: separate from the other limits, so that a flood of requests cannot make
   * the service look unhealthy.
   */
  readonly probes: RateLimit;
};

export type Allowance = {
  readonly allowed: boolean;
  /** The first request of this window that may not: the others are not worth a line in the log. */
  readonly isFirstRefused: boolean;
  readonly retryAfterSeconds: number;
  /** RateLimit and RateLimit-Policy, as name and value in turn. */
  readonly headers: readonly string[];
};

/** Counts one request of `who` and returns whether it is within the limit. */
export type Limiter = (who: string) => Promise<Allowance>;

/** Where requests are counted: in the memory of one process, or where several share their counts. */
export type RequestCounts = {
  counterOf(name: string, limit: RateLimit): Pick<RateLimiterAbstract, 'consume'>;
};

/** Several processes each allow the whole limit. */
export const countsInMemory: RequestCounts = {
  counterOf: (_, limit) => new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds }),
};

/** Protects the service from floods. Exact limits (refund caps, lockouts of staff) are enforced in the database. */
function limiter(name: string, limit: RateLimit, counts: RequestCounts): Limiter {
  const counter = counts.counterOf(name, limit);
  const policy = `"${name}";q=${limit.requests};w=${limit.windowSeconds}`;
  return async who => {
    const { allowed, result } = await counter.consume(who).then(
      granted => ({ allowed: true, result: granted }),
      (reason: unknown) => {
        if (reason instanceof RateLimiterRes) return { allowed: false, result: reason };
        throw reason;
      },
    );
    const resetSeconds = Math.ceil(result.msBeforeNext / 1000);
    return {
      allowed,
      isFirstRefused: result.consumedPoints === limit.requests + 1,
      retryAfterSeconds: Math.max(1, resetSeconds),
      headers: ['RateLimit-Policy', policy, 'RateLimit', `"${name}";r=${result.remainingPoints};t=${resetSeconds}`],
    };
  };
}

export type Limiters = {
  readonly perKey: Limiter;
  /** The same limit, of operations that each process counts by itself. */
  readonly perKeyInProcess: Limiter;
  readonly perAddress: Limiter;
  readonly perOperation: ReadonlyMap<string, Limiter>;
  readonly probes: Limiter;
};

/** The service's limiters over the given counts, except that probes are always counted in the memory of the process. */
export function limitersOf(settings: RateLimitSettings, counts: RequestCounts): Limiters {
  return {
    // Each process is probed by itself, also while the database is unavailable.
    probes: limiter('probes', settings.probes, countsInMemory),
    perKey: limiter('key', settings.perKey, counts),
    perKeyInProcess: limiter('key', settings.perKey, countsInMemory),
    perAddress: limiter('address', settings.perAddress, counts),
    perOperation: new Map(
      Object.entries(settings.perOperation).map(([operation, limit]) => [operation, limiter(operation, limit, counts)]),
    ),
  };
}
