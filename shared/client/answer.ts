import type { AnyContract, JsonResponseOf } from '@florin/shared/contracts/contract.ts';
import type { Problem } from '@florin/shared/contracts/problem.ts';

/** The outcome of a call. Every outcome is a value; see `unwrap` for exceptions. */
export type Answer<C extends AnyContract> = Done<JsonResponseOf<C>> | NotDone;
export type NotDone = Refused | Unanswered;

type Call = {
  readonly headers: Readonly<Record<string, string>>;
  /** The key the call was sent with: a repeated call with the same key never has a second effect. Null for reads. */
  readonly idempotencyKey: string | null;
  /** The number of requests sent. */
  readonly attempts: number;
};

export type Done<Response = { readonly status: number; readonly body: unknown }> = Response &
  Call & {
    readonly ok: true;
    readonly outcome: 'done';
    /** The service had already done this under the same Idempotency-Key and repeated its first response. */
    readonly isReplayed: boolean;
  };

/** The service refused the call: nothing was done. */
export type Refused = Call & {
  readonly ok: false;
  readonly outcome: 'refused';
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 414 | 415 | 429 | 431;
  /** A stable word to act on; see the reference for those of each operation. */
  readonly reason: string | null;
  readonly message: string;
  readonly body: Problem;
};

/**
 * No response says what happened. `not_done`: the call was never sent, or only reads. `unknown`: it may have been done.
 * Repeat the call with the same `idempotencyKey`, or read the record; never use a new key.
 */
export type Unanswered = Call & {
  readonly ok: false;
  readonly outcome: 'not_done' | 'unknown';
  /** Null if there was no HTTP response. */
  readonly status: 500 | 502 | 503 | 504 | null;
  readonly reason: string | null;
  readonly message: string;
  readonly body: Problem | undefined;
  /** The error that `fetch` threw, if it threw one. */
  readonly cause: unknown;
};

/** Thrown for a call that was not done, or may not have been. */
export class FlorinError extends Error {
  readonly answer: NotDone;
  constructor(answer: NotDone) {
    super(answer.message, { cause: answer.outcome === 'refused' ? undefined : answer.cause });
    this.name = 'FlorinError';
    this.answer = answer;
  }
}

/**
 * The body of an answer, for programs that prefer exceptions.
 *
 * @throws FlorinError where the call was not done, or may not have been: see its `answer.outcome`
 */
export function unwrap<Response extends { readonly body: unknown }>(
  answer: Done<Response> | NotDone,
): Response['body'] {
  if (answer.ok) return answer.body;
  throw new FlorinError(answer);
}
