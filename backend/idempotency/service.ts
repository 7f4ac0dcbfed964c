import { hash } from 'node:crypto';
import { type Clock, type Instant, type Timers, wait } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Once } from './once.ts';
import { type Begun, type IdempotencyStore, idempotencyStore } from './store.ts';

export type IdempotencySettings = {
  /** How long a key keeps its first answer. */
  readonly retentionMs: number;
  /** How long a first call may run before another may take it over; longer than any gateway timeout. */
  readonly leaseMs: number;
  /** How often the database is asked whether the first call, running in another process, has its answer. */
  readonly pollMs: number;
};

export type IdempotentCall = {
  readonly businessId: string;
  readonly key: string;
  readonly requestHash: string;
  /** Whether the flow calls begin and finish itself, in its own transactions. */
  readonly flowKeepsOnce: boolean;
  /** Whether the caller hung up: nobody waits any longer then. */
  readonly isGone: () => boolean;
};

export type IdempotentOutcome =
  | { readonly kind: 'first' | 'replayed'; readonly status: number; readonly body: string }
  /** The key stands for another request. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'gone' };

type Answer = { readonly status: number; readonly body: unknown };
export type Idempotency = {
  run(call: IdempotentCall, work: (once: Once) => Promise<Answer>): Promise<IdempotentOutcome>;
  /** Forgets keys past their retention; answers how many. */
  deleteExpired(): Promise<number>;
};

export type IdempotencyOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: IdempotencySettings;
};

/**
 * Runs a call at most once per business and Idempotency-Key, and gives every repetition the first answer. decisions:
 * Conventions. A repetition while the first runs waits for it: by promise in this process, by asking the database
 * where another process has it.
 */
export function idempotencyService(options: IdempotencyOptions): Idempotency {
  const { database, clock, timers, settings } = options;
  const store = idempotencyStore(database);
  const running = new Map<string, Promise<void>>();

  async function run(call: IdempotentCall, work: (once: Once) => Promise<Answer>): Promise<IdempotentOutcome> {
    const slot = `${call.businessId}\n${call.key}`;
    while (!call.isGone()) {
      await running.get(slot);
      const known = await settle(call);
      if (known.kind === 'elsewhere') {
        // Another call of this process may have begun while the record was read: its promise is the shorter wait.
        if (running.has(slot)) continue;
        await wait(timers, settings.pollMs);
        continue;
      }
      if (known.kind !== 'free') return known;
      if (running.has(slot)) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(slot, promise);
      try {
        const outcome = await runOnce(call, known.createdAt, work);
        if (outcome) return outcome;
      } finally {
        running.delete(slot);
        resolve();
      }
    }
    return { kind: 'gone' };
  }

  /** What the record of this key says; `free` when this call may try to begin. */
  async function settle(
    call: IdempotentCall,
  ): Promise<IdempotentOutcome | { kind: 'elsewhere' } | { kind: 'free'; createdAt: Instant }> {
    const now = clock.now();
    const record = await store.find(call);
    if (!record || record.createdAt <= now - settings.retentionMs) return { kind: 'free', createdAt: now };
    if (record.requestHash !== call.requestHash) return { kind: 'reused' };
    if (record.responseStatus !== null) {
      return { kind: 'replayed', status: record.responseStatus, body: record.responseBody ?? '' };
    }
    return record.leaseUntil > now ? { kind: 'elsewhere' } : { kind: 'free', createdAt: record.createdAt };
  }

  /** Undefined when another run turned out to have the key. */
  async function runOnce(
    call: IdempotentCall,
    createdAt: Instant,
    work: (once: Once) => Promise<Answer>,
  ): Promise<IdempotentOutcome | undefined> {
    const once = new OneCall(call, createdAt, { store, clock, settings });
    try {
      if (!call.flowKeepsOnce && (await once.beginAround(database)) === 'repeat') return undefined;
      const answer = await work(once);
      if (once.begun === 'repeat') return undefined;
      // Either the server keeps the key for this route, or the flow refused before it came to begin.
      if (!once.stored && (await once.finishAround(database, answer)) === 'repeat') return undefined;
      return { kind: 'first', status: answer.status, body: JSON.stringify(answer.body) };
    } catch (error) {
      if (once.begun) await store.endLease({ ...call, createdAt }, clock.now()).catch(() => {});
      throw error;
    }
  }

  return { run, deleteExpired: () => store.deleteExpired(clock.now() - settings.retentionMs) };
}

type Context = {
  readonly store: IdempotencyStore;
  readonly clock: Clock;
  readonly settings: IdempotencySettings;
};

/** One run of one call. */
class OneCall implements Once {
  readonly clientRequestId: string;
  begun: Begun | undefined;
  stored = false;
  readonly #call: IdempotentCall;
  readonly #createdAt: Instant;
  readonly #context: Context;
  #begunAround: Begun | undefined;

  constructor(call: IdempotentCall, createdAt: Instant, context: Context) {
    this.#call = call;
    this.#createdAt = createdAt;
    this.#context = context;
    // The time is part of it: a key used again after its retention stands for a new request.
    const identity = `${call.businessId}\n${call.key}\n${createdAt}`;
    this.clientRequestId = `idem_${hash('sha256', identity).slice(0, 40)}`;
  }

  async begin(tx: Transaction): Promise<Begun> {
    // Where the server began around the handler, the flow joins that.
    if (this.#begunAround) return this.#begunAround;
    const { store, clock, settings } = this.#context;
    const { businessId, key, requestHash } = this.#call;
    const now = clock.now();
    const record = { businessId, key, requestHash, leaseUntil: now + settings.leaseMs, createdAt: this.#createdAt };
    this.stored = false;
    this.begun = await store.begin(tx, record, { now, expiredBefore: now - settings.retentionMs });
    return this.begun;
  }

  async finish(tx: Transaction, answer: Answer): Promise<void> {
    this.stored = await this.#store(tx, answer);
  }

  async beginAround(database: Database): Promise<Begun> {
    this.#begunAround = await database.write(tx => this.begin(tx));
    return this.#begunAround;
  }

  async finishAround(database: Database, answer: Answer): Promise<Begun> {
    return database.write(async tx => {
      if (this.begun && (await this.#store(tx, answer))) return this.begun;
      const begun = await this.begin(tx);
      if (begun !== 'repeat') await this.#store(tx, answer);
      return begun;
    });
  }

  #store(tx: Transaction, answer: Answer): Promise<boolean> {
    const { businessId, key } = this.#call;
    const slot = { businessId, key, createdAt: this.#createdAt };
    return this.#context.store.storeAnswer(tx, slot, { status: answer.status, body: JSON.stringify(answer.body) });
  }
}
