import type { Instant } from '@florin/shared/ports.ts';

/** An answered call with an API key. Path, message and Idempotency-Key are as they were: they may contain anything. */
export type ApiCall = {
  readonly requestId: string;
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly method: string;
  /** The path of the contract, with its parameters in braces. */
  readonly route: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Why it was refused, with the code that programs decide by. */
  readonly error: {
    readonly reason: string | null;
    readonly message: string;
    /** What is wrong with the input, field by field. */
    readonly issues: readonly { readonly path: string; readonly message: string }[];
  } | null;
  readonly idempotencyKey: string | null;
  /** Whether it was answered with the response to an earlier call. */
  readonly isReplay: boolean;
};
