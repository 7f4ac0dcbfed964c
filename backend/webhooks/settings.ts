/** How deliveries are made. The specification gives the timeout, the number of attempts and of failures in a row. */
export type WebhookSettings = {
  readonly timeoutMs: number;
  /** From the end of a failed attempt until the next; one attempt more than there are delays. */
  readonly retryDelaysMs: readonly number[];
  /** By which part of itself a delay is longer or shorter, at random. */
  readonly jitter: number;
  /** After how long without a result the process that made an attempt is taken for dead; longer than the timeout. */
  readonly leaseMs: number;
  /** How many deliveries failed in a row cause a warning, and disable the endpoint. */
  readonly warnAfter: number;
  readonly disableAfter: number;
  /** Attempts under way at one endpoint, in each process: others do not wait for it. */
  readonly attemptsPerWebhook: number;
  /**
   * Attempts claimed beyond those at an endpoint that answers within `promptMs`: as many as it takes in `claimedAheadMs`, which is
   * longer than one commit, and never more than `claimedAhead`. Those of a process that is killed count although they were not sent.
   */
  readonly claimedAhead: number;
  readonly claimedAheadMs: number;
  readonly promptMs: number;
  /** How long an attempt that ended waits for others that do, to be written down with them; and with how many at most. */
  readonly recordWithinMs: number;
  readonly recordedTogether: number;
  readonly webhooksPerBusiness: number;
  /** How long a replaced secret signs too, where that was asked for. */
  readonly previousSecretMs: number;
  /** How long a process that stops waits for attempts under way. */
  readonly stopWithinMs: number;
};

const minute = 60_000;

export const defaultWebhooks: WebhookSettings = {
  timeoutMs: 30_000,
  retryDelaysMs: [30_000, 2 * minute, 10 * minute, 60 * minute],
  jitter: 0.1,
  leaseMs: 45_000,
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
