import { hash } from 'node:crypto';
import { type Clock, type Instant, type Log, type Timers, wait } from '@florin/shared/ports.ts';
import { afterCommit } from '../database/after-commit.ts';
import { type Database, rowsJson, type Transaction } from '../database/database.ts';
import type { Leases, LeasesOn } from '../jobs/leases.ts';
import {
  type Begun,
  type DurableWrite,
  type IdempotentCall,
  RepeatedCall,
  type StoredResponse,
  unkeyedWrite,
} from './call.ts';
import {
  deleteExpiredRecords,
  deleteRecord,
  endLease,
  insertRecord,
  type NewRecord,
  type Run,
  recordOfKey,
  renewRuns,
  replaceExpiredRecord,
  runColumns,
  storeResponse,
  takeOverRecord,
} from './store.ts';

export type IdempotencySettings = {
  /** How long a key keeps its first response. */
  readonly retentionMs: number;
  /** How often the database is polled for the response of a first call that runs in another process. */
  readonly pollMs: number;
};

export type KeyedRequest = {
  readonly businessId: string;
  readonly key: string;
  readonly requestHash: string;
  /** Names this run among all processes: it renews and releases no other run's lease. */
  readonly runId: string;
  /** Whether the caller has closed the connection. */
  readonly isGone: () => boolean;
};

export type KeyedOutcome<Response> =
  | { readonly kind: 'first'; readonly response: Response }
  | { readonly kind: 'replayed'; readonly status: number; readonly body: string }
  /** The key was used for another request. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'gone' };

export type Idempotency = {
  /**
   * Runs a call at most once per business and key, and returns the first response to every repetition. An error that
   * wrote nothing is not stored: the next call with the key runs again. decisions: Conventions.
   */
  run<Response extends object>(
    request: KeyedRequest,
    work: (call: IdempotentCall) => Promise<Response>,
  ): Promise<KeyedOutcome<Response>>;
  /** For calls without a key. */
  readonly unkeyed: IdempotentCall;
  /** Forgets keys past their retention; returns how many. */
  deleteExpired(): Promise<number>;
};

export type IdempotencyOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly leases: Leases;
  readonly settings: IdempotencySettings;
};

type Held = { readonly kind: 'held_elsewhere' };
type Free = { readonly kind: 'free'; readonly createdAt: Instant };
type Replayed = Extract<KeyedOutcome<never>, { kind: 'replayed' | 'reused' }>;

/** A repetition while the first call runs waits for it: by promise in this process, else by asking the database. */
export function idempotencyService(options: IdempotencyOptions): Idempotency {
  const { database, clock, timers, log, settings } = options;
  const running = new Map<string, Promise<void>>();
  const leases = options.leases.on<Run>({
    what: 'idempotency keys',
    async renew(held, until) {
      const runsJson = rowsJson(
        runColumns,
        held.map(({ work }) => work),
      );
      const renewed = await database.write(tx => tx.all(renewRuns, { runsJson, leaseUntil: until }));
      const kept = new Set(renewed.map(({ runId }) => runId));
      return held.filter(({ work }) => kept.has(work.runId));
    },
  });

  async function run<Response extends object>(
    request: KeyedRequest,
    work: (call: IdempotentCall) => Promise<Response>,
  ): Promise<KeyedOutcome<Response>> {
    const slot = `${request.businessId}\n${request.key}`;
    while (!request.isGone()) {
      await running.get(slot);
      const found = await lookUp(request);
      if (found.kind === 'replayed' || found.kind === 'reused') return found;
      // Another call of this process may have begun while the record was read: its promise is the shorter wait.
      if (running.has(slot)) continue;
      if (found.kind === 'held_elsewhere') {
        await wait(timers, settings.pollMs);
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(slot, promise);
      try {
        const { response, isOvertaken } = await runOnce(request, found.createdAt, work);
        if (isOvertaken) log.warn(idsOf(request), 'another process took over this call and completed it');
        const stored = isOvertaken ? await lookUp(request) : undefined;
        return stored?.kind === 'replayed' ? stored : { kind: 'first', response };
      } catch (error) {
        if (!(error instanceof RepeatedCall)) throw error;
      } finally {
        running.delete(slot);
        resolve();
      }
    }
    return { kind: 'gone' };
  }

  async function lookUp(request: KeyedRequest): Promise<Replayed | Held | Free> {
    const now = clock.now();
    const { businessId, key } = request;
    const record = await database.first(recordOfKey, { businessId, key });
    if (!record || record.createdAt <= now - settings.retentionMs) return { kind: 'free', createdAt: now };
    if (record.requestHash !== request.requestHash) return { kind: 'reused' };
    if (record.responseStatus !== null) {
      return { kind: 'replayed', status: record.responseStatus, body: record.responseBody ?? '' };
    }
    return record.leaseUntil > now ? { kind: 'held_elsewhere' } : { kind: 'free', createdAt: record.createdAt };
  }

  /** @throws RepeatedCall when another run turned out to have the key. */
  async function runOnce<Response extends object>(
    request: KeyedRequest,
    createdAt: Instant,
    work: (call: IdempotentCall) => Promise<Response>,
  ): Promise<{ response: Response; isOvertaken: boolean }> {
    const call = new KeyedCall(request, createdAt, { database, clock, leases, settings });
    try {
      const response = await work(call);
      if (call.begun === 'resumed') log.warn(idsOf(request), 'resumed a call whose process did not complete it');
      if (!call.isFinished && !('error' in response))
        throw new Error('the operation is idempotent, but its handler stored no response for the key');
      leases.end(call.run);
      if (!call.isFinished) await giveBack(request, call.begun);
      return { response, isOvertaken: call.isOvertaken };
    } catch (error) {
      leases.end(call.run);
      if (!call.isFinished && call.begun)
        await giveBack(request, 'resumed').catch((failure: unknown) =>
          log.warn({ ...idsOf(request), err: failure }, 'could not end the lease of a key; it runs out by itself'),
        );
      throw error;
    }
  }

  /** The effects of an earlier run are found by the key's record, so only a first run may delete it. */
  async function giveBack({ businessId, key, runId }: KeyedRequest, begun: Begun | undefined): Promise<void> {
    if (begun === 'new') await database.write(tx => tx.run(deleteRecord, { businessId, key, runId }));
    if (begun === 'resumed') await database.write(tx => tx.run(endLease, { businessId, key, runId, now: clock.now() }));
  }

  /** Without the key, which the caller chose and which may contain sensitive data. */
  function idsOf({ businessId, runId }: Pick<KeyedRequest, 'businessId' | 'runId'>) {
    return { businessId, runId };
  }

  const write = unkeyedWrite(database);
  return {
    run,
    unkeyed: { storing: () => write },
    deleteExpired() {
      const expiredBefore = clock.now() - settings.retentionMs;
      return database.write(tx => tx.run(deleteExpiredRecords, { expiredBefore }));
    },
  };
}

/** Undefined where another run has the key or has finished. */
async function takeKey(
  tx: Transaction,
  record: NewRecord,
  times: { readonly now: Instant; readonly expiredBefore: Instant },
): Promise<Begun | undefined> {
  if ((await tx.run(insertRecord, { ...record, responseStatus: null, responseBody: null })) === 1) return 'new';
  if ((await tx.run(replaceExpiredRecord, { ...record, expiredBefore: times.expiredBefore })) === 1) return 'new';
  return (await tx.run(takeOverRecord, { ...record, now: times.now })) === 1 ? 'resumed' : undefined;
}

type Context = {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: LeasesOn<Run>;
  readonly settings: IdempotencySettings;
};

/** One execution of one call. */
class KeyedCall implements IdempotentCall {
  begun: Begun | undefined;
  isFinished = false;
  /** Another run took over after the lease and stored its response first: that response counts. */
  isOvertaken = false;
  /** What the lease is on: apart from the request, which refers to its connection. */
  readonly run: Run;
  readonly #request: KeyedRequest;
  readonly #createdAt: Instant;
  readonly #context: Context;
  readonly #clientRequestId: string;

  constructor(request: KeyedRequest, createdAt: Instant, context: Context) {
    this.#request = request;
    const { businessId, key, runId } = request;
    this.run = { businessId, key, runId };
    this.#createdAt = createdAt;
    this.#context = context;
    // The time is part of it: a key used again after its retention stands for a new request.
    const identity = `${request.businessId}\n${request.key}\n${createdAt}`;
    this.#clientRequestId = `idem_${hash('sha256', identity).slice(0, 40)}`;
  }

  storing<Value>(responseOf: (value: Value) => StoredResponse): DurableWrite<Value> {
    const begin = (tx: Transaction) => this.#begin(tx);
    const finish = (tx: Transaction, value: Value) => this.#finish(tx, responseOf(value));
    return {
      clientRequestId: this.#clientRequestId,
      begin,
      finish,
      run: body =>
        this.#context.database.write(async tx => {
          const written = await body(tx, await begin(tx));
          if (written !== undefined) await finish(tx, written as Value);
          return written;
        }),
    };
  }

  async #begin(tx: Transaction): Promise<Begun> {
    const { clock, leases, settings } = this.#context;
    const { businessId, key, requestHash, runId } = this.#request;
    const now = clock.now();
    const leaseUntil = leases.fromNow();
    const record = { businessId, key, requestHash, runId, leaseUntil, createdAt: this.#createdAt };
    // The transaction may be retried, so the state of the previous attempt is discarded.
    this.isFinished = false;
    this.begun = await takeKey(tx, record, { now, expiredBefore: now - settings.retentionMs });
    if (this.begun === undefined) throw new RepeatedCall('another run has this Idempotency-Key');
    // A call that is one transaction is finished by then.
    afterCommit(tx, () => {
      if (!this.isFinished) leases.hold(this.run, leaseUntil);
    });
    return this.begun;
  }

  async #finish(tx: Transaction, { status, body }: StoredResponse): Promise<void> {
    const { businessId, key } = this.#request;
    const response = { responseStatus: status, responseBody: JSON.stringify(body) };
    const stored = await tx.run(storeResponse, { businessId, key, createdAt: this.#createdAt, ...response });
    this.isOvertaken = stored === 0;
    this.isFinished = true;
  }
}
