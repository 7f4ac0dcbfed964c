import type { Instant } from '@florin/shared/ports.ts';

/** An invoice as the node keeps it. */
export type BookedInvoice = {
  readonly label: string;
  readonly paymentHash: string;
  readonly preimage: string;
  readonly bolt11: string;
  readonly amountSats: number;
  readonly expiresAt: Instant;
  isCancelled: boolean;
  /** What was paid, and as which one of all that settled; null while it is not paid. */
  settled: { readonly receivedMsat: number; readonly at: Instant; readonly index: number } | null;
};

/** One output to an address of the node. */
export type BookedOutput = {
  readonly txId: string;
  readonly vout: number;
  readonly address: string;
  readonly amountSats: number;
  /** The block it is in; null while it is in none. */
  minedAt: number | null;
  /** It will never be in the chain again. */
  isGone: boolean;
  /** The most confirmations it ever had, and when the chain first had as many as count. */
  mostConfirmations: number;
  countsSince: Instant | null;
};

/** Money out, by payment hash or label. */
export type BookedSending = {
  readonly network: 'lightning' | 'onchain';
  readonly reference: string;
  readonly destination: string;
  readonly amountSats: number;
  readonly maxFeeSats: number;
  /** How often it left the service for the node. */
  sends: number;
  /** Whether all of those were lost on the way. */
  isDropped: boolean;
  outcome: 'none' | 'inFlight' | 'succeeded' | 'failed';
  txId: string | null;
  minedAt: number | null;
};

/** What a node has at the beginning. */
const startSats = { lightning: 30_000, onchain: 30_000 } as const;

/** What a bitcoin node really received and sent, kept apart from what it tells: the auditor compares our tables with it. */
export class NodeLedger {
  readonly invoices = new Map<string, BookedInvoice>();
  readonly outputs = new Map<string, BookedOutput>();
  readonly sendings = new Map<string, BookedSending>();
  /** The invoices that it was asked to cancel, also where the request was lost. */
  readonly cancelled = new Set<string>();
  /** What can be sent. On chain only what has been confirmed; a block that is taken back takes nothing away here. */
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
