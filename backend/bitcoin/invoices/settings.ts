export type BitcoinInvoiceSettings = {
  /** Confirmations after which an on-chain payment counts. */
  readonly confirmations: number;
  /** Confirmations up to which it is watched for a chain reorganisation. */
  readonly buriedAfter: number;
  /** The smallest amount that wallets send on chain. */
  readonly minOnChainSats: number;
  /** The largest Lightning payment asked for where the node does not tell what it can receive. */
  readonly maxLightningSats: number;
  /** Polling interval while a customer may be paying; notifications of the node arrive sooner. */
  readonly pollEveryMs: number;
  /** Polling interval while a payment is unconfirmed. */
  readonly confirmEveryMs: number;
  /** How long an address is watched for late payments. */
  readonly watchLateForMs: number;
  /** How long an invoice's end waits for an unresponsive node. */
  readonly endWaitsForMs: number;
  readonly batch: number;
};

export const defaultBitcoinInvoices: BitcoinInvoiceSettings = {
  confirmations: 1,
  buriedAfter: 6,
  minOnChainSats: 546,
  maxLightningSats: 10_000_000,
  pollEveryMs: 5_000,
  confirmEveryMs: 15_000,
  watchLateForMs: 30 * 24 * 3_600_000,
  endWaitsForMs: 15 * 60_000,
  batch: 100,
};
