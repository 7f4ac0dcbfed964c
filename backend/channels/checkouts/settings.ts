export type HostedCheckoutSettings = {
  /** How long the rate and the amount are fixed. */
  readonly lifetimeMs: number;
  /** The limit of unpaid checkouts created without a key, per business. */
  readonly maxOpenWithoutKey: number;
};

export const defaultCheckouts: HostedCheckoutSettings = { lifetimeMs: 15 * 60_000, maxOpenWithoutKey: 500 };
