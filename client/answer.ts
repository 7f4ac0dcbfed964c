import type { AnyContract, JsonResponseOf } from '@florin/shared/contracts/contract.ts';
import type { Problem } from '@florin/shared/contracts/problem.ts';

/** What a call came to. Every outcome is a value; see `unwrap` for exceptions. */
export type Answer<C extends AnyContract> = Done<JsonResponseOf<C>> | NotDone;
export type NotDone = Refused | Unanswered;

type Call = {
  readonly headers: Readonly<Record<string, string>>;
  /** What the call was sent with: calling again with it never does the same thing twice. Null for reads. */
  readonly idempotencyKey: string | null;
  /** How often it was sent. */
  readonly attempts: number;
};

export type Done<Response = { readonly status: number; readonly body: unknown }> = Response &
  Call & {
    readonly ok: true;
    readonly outcome: 'done';
    /** It had been done before, under the same Idempotency-Key: this is the first answer again. */
    readonly isReplayed: boolean;
  };

/** The service refused: nothing was done. */
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
 * There is no answer that reports what happened. `not_done`: nothing was, because the call was never sent or only reads.
 * `unknown`: it may have been done. Call again with the same `idempotencyKey`, or read the record; never with a new key.
 */
export type Unanswered = Call & {
  readonly ok: false;
  readonly outcome: 'not_done' | 'unknown';
  /** Null where there was no HTTP response at all. */
  readonly status: 500 | 502 | 503 | 504 | null;
  readonly reason: string | null;
  readonly message: string;
  readonly body: Problem | undefined;
  /** What `fetch` threw, where it did. */
  readonly cause: unknown;
};

/** A call that was not done, as an exception. */
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
