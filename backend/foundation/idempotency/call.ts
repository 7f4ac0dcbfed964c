import type { Database, Transaction } from '../database/database.ts';

/** The response to every repetition of a call. */
export type StoredResponse = { readonly status: number; readonly body: unknown };

export type Begun = 'new' | 'resumed';

/**
 * One durable write under an Idempotency-Key, as the service that performs it sees it. Without a key it is the same
 * object without the key's effects. The key, the money and the stored response are committed together, so no crash can
 * leave one without the others.
 */
export interface DurableWrite<Value> {
  /** Identifies the request within its business: money records carry it and are unique by it. Null without a key. */
  readonly clientRequestId: string | null;
  /**
   * Called first in the first transaction. `resumed`: an earlier run of this call crashed; find its effects by
   * clientRequestId and finish it, starting nothing new. @throws RepeatedCall if another run has the key, which rolls
   * the transaction back; the server sends the stored response
   */
  begin(tx: Transaction): Promise<Begun>;
  /** To be called in the last transaction: from its commit on, repetitions get the response that is made of this. */
  finish(tx: Transaction, value: Value): Promise<void>;
  /** Both for a write that is one transaction. Undefined from `body` means that nothing was written. */
  run<Written extends Value | undefined>(body: (tx: Transaction, begun: Begun) => Promise<Written>): Promise<Written>;
}

/** A call as its handler sees it: stores the response for repetitions, and passes the write to the service. */
export interface IdempotentCall {
  storing<Value>(responseOf: (value: Value) => StoredResponse): DurableWrite<Value>;
}

/** Another run of the same call has the key. Nothing was written, and the response is that run's. */
export class RepeatedCall extends Error {
  override name = 'RepeatedCall';
}

/** A write without an Idempotency-Key. */
export function unkeyedWrite(database: Database): DurableWrite<unknown> {
  return {
    clientRequestId: null,
    begin: async () => 'new',
    finish: async () => {},
    run: body => database.write(tx => body(tx, 'new')),
  };
}

/**
 * A write under an id that its caller chose, which stores no response: a repetition finds what the first one wrote by
 * `clientRequestId`. `lock` serialises the two.
 */
export function writeByRequestId<Value>(
  database: Database,
  clientRequestId: string,
  lock: (tx: Transaction) => Promise<unknown>,
): DurableWrite<Value> {
  return {
    clientRequestId,
    async begin(tx) {
      await lock(tx);
      return 'resumed';
    },
    finish: async () => {},
    run: body => database.write(tx => body(tx, 'resumed')),
  };
}
