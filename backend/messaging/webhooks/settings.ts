/**
 * How deliveries are made. The specification defines the timeout, the number of attempts and of consecutive failures.
 */
export type WebhookSettings = {
  readonly timeoutMs: number;
  /** Delays after failed attempts; there is one attempt more than delays. */
  readonly retryDelaysMs: readonly number[];
  /** The random fraction by which a delay varies. */
  readonly jitter: number;
  /** Consecutive failures that cause a warning, and that disable the endpoint. */
  readonly warnAfter: number;
  readonly disableAfter: number;
  /** Concurrent attempts per endpoint and process, so that endpoints do not delay each other. */
  readonly attemptsPerWebhook: number;
  /**
   * Attempts claimed in advance at an endpoint that responds within `promptMs`: as many as it accepts in
   * `claimedAheadMs`, which is longer than one commit, and at most `claimedAhead`. Those of a killed process count
   * although they were not sent.
   */
  readonly claimedAhead: number;
  readonly claimedAheadMs: number;
  readonly promptMs: number;
  /** How long an ended attempt waits for others to be recorded together, and the maximum number. */
  readonly recordWithinMs: number;
  readonly recordedTogether: number;
  readonly webhooksPerBusiness: number;
  /** How long a replaced secret also signs, if requested. */
  readonly previousSecretMs: number;
  /** How long a stopping process waits for attempts in progress. */
  readonly stopWithinMs: number;
};

const minute = 60_000;

export const defaultWebhooks: WebhookSettings = {
  timeoutMs: 30_000,
  retryDelaysMs: [30_000, 2 * minute, 10 * minute, 60 * minute],
  jitter: 0.1,
  warnAfter: 5,
  disableAfter: 10,
  attemptsPerWebhook: 16,
  claimedAhead: 112,
  claimedAheadMs: 30,
  promptMs: 100,
  recordWithinMs: 10,
  recordedTogether: 256,
  webhooksPerBusiness: 100,
  previousSecretMs: 24 * 60 * minute,
  stopWithinMs: 5_000,
};
