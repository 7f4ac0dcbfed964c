export type HostedCheckoutSettings = {
  /** How long the rate and the amount are fixed. */
  readonly lifetimeMs: number;
  /** How many checkouts that nobody with a key made may be waiting at once, of each business. */
  readonly mostOpenWithoutKey: number;
};

export const defaultCheckouts: HostedCheckoutSettings = { lifetimeMs: 15 * 60_000, mostOpenWithoutKey: 500 };
