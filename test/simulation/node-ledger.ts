import type { Instant } from '@florin/shared/ports.ts';

/** An invoice in the node's ledger. */
export type BookedInvoice = {
  readonly label: string;
  readonly paymentHash: string;
  readonly preimage: string;
  readonly bolt11: string;
  readonly amountSats: number;
  readonly expiresAt: Instant;
  isCancelled: boolean;
  /** The amount paid and its settle index; null if unpaid. */
  settled: { readonly receivedMsat: number; readonly at: Instant; readonly index: number } | null;
};

/** An output to an address of the node. */
export type BookedOutput = {
  readonly txId: string;
  readonly vout: number;
  readonly address: string;
  readonly amountSats: number;
  /** Its block; null if unconfirmed. */
  minedAt: number | null;
  /** It will never be in the chain again. */
  isGone: boolean;
  /** Its highest number of confirmations, and when it first had enough to count. */
  maxConfirmations: number;
  countsSince: Instant | null;
};

/** An outgoing payment, by payment hash or label. */
export type BookedSending = {
  readonly network: 'lightning' | 'onchain';
  readonly reference: string;
  readonly destination: string;
  readonly amountSats: number;
  readonly maxFeeSats: number;
  /** How often the service sent it to the node. */
  sends: number;
  /** Whether all of those requests were lost. */
  isDropped: boolean;
  outcome: 'none' | 'inFlight' | 'succeeded' | 'failed';
  txId: string | null;
  minedAt: number | null;
};

/** A node's initial balance. */
const startSats = { lightning: 30_000, onchain: 30_000 } as const;

/**
 * What a bitcoin node really received and sent, independent of its responses; the auditor compares our tables with it.
 */
export class NodeLedger {
  readonly invoices = new Map<string, BookedInvoice>();
  readonly outputs = new Map<string, BookedOutput>();
  readonly sendings = new Map<string, BookedSending>();
  /** The invoices it was requested to cancel, also if the request was lost. */
  readonly cancelled = new Set<string>();
  /** The spendable balance: on chain only confirmed payments; a reorganisation reduces nothing here. */
  balanceSats(network: 'lightning' | 'onchain'): number {
    let sats: number = startSats[network];
    if (network === 'lightning')
      for (const { settled } of this.invoices.values()) sats += Math.floor((settled?.receivedMsat ?? 0) / 1_000);
    else for (const { countsSince, amountSats } of this.outputs.values()) if (countsSince !== null) sats += amountSats;
    for (const sending of this.sendings.values())
      if (sending.network === network && (sending.outcome === 'inFlight' || sending.outcome === 'succeeded'))
        sats -= sending.amountSats;
    return sats;
  }
}
