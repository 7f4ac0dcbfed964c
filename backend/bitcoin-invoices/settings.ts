export type BitcoinInvoiceSettings = {
  /** After how many blocks a payment on chain counts. */
  readonly confirmations: number;
  /** Up to how many it is watched, should it be taken out of the chain again. */
  readonly buriedAfter: number;
  /** What cannot be paid on chain because no wallet sends so little. */
  readonly leastOnChainSats: number;
  /** How often the node is asked while a customer may be paying; what it reports by itself arrives sooner. */
  readonly pollEveryMs: number;
  /** How often while a payment waits for its block. */
  readonly confirmEveryMs: number;
  /** How long after its end an address is watched for payments that come late. */
  readonly watchLateForMs: number;
  /** How long the end of an invoice waits for a node that does not answer. */
  readonly endWaitsForMs: number;
  /** How long the process that polls an invoice has it to itself. */
  readonly leaseMs: number;
  readonly batch: number;
};

export const defaultBitcoinInvoices: BitcoinInvoiceSettings = {
  confirmations: 1,
  buriedAfter: 6,
  leastOnChainSats: 546,
  pollEveryMs: 5_000,
  confirmEveryMs: 15_000,
  watchLateForMs: 30 * 24 * 3_600_000,
  endWaitsForMs: 15 * 60_000,
  leaseMs: 30_000,
  batch: 100,
};
