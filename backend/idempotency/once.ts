import type { Transaction } from '../database/database.ts';

/**
 * One call that carried an Idempotency-Key, as the flow that serves it sees it. The flow calls `begin` in its first
 * transaction and `finish` in its last, so that the key, the money and the stored answer share their commits: no crash
 * can leave one without the other.
 */
export interface Once {
  /** Identifies the request within its business: money records carry it (clientRequestId) and are unique by it. */
  readonly clientRequestId: string;
  /**
   * `first`: go on. `resumed`: an earlier run of this very call died; find what it left by clientRequestId and finish
   * that, starting nothing new. `repeat`: another run has it; write nothing, answer nothing.
   */
  begin(tx: Transaction): Promise<'first' | 'resumed' | 'repeat'>;
  /** Stores the answer that every repetition of the call will get. */
  finish(tx: Transaction, answer: StoredAnswer): Promise<void>;
}

export type StoredAnswer = { readonly status: number; readonly body: unknown };

/** `Once` for a flow that makes or changes one thing: what repetitions are answered is said of that thing, without secrets. */
export type OnceWith<Thing> = { readonly call: Once; readonly answerOf: (thing: Thing) => StoredAnswer };
