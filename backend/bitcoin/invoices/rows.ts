import type { ClaimStatus } from '@florin/shared/contracts/claims.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** The purpose of a payment. */
export type InvoicePurpose = 'checkout' | 'paymentLink' | 'terminalSale' | 'tip' | 'ucp';
export type InvoiceNetwork = 'lightning' | 'onchain';

/** A request to a customer for an amount in satoshis, over Lightning or on chain. */
export type BitcoinInvoiceRow = {
  id: string;
  businessId: string;
  purpose: InvoicePurpose;
  /** The id of the record it is for. */
  purposeId: string;
  /** Shown in the customer's wallet. */
  memo: string;
  amountSats: number;
  /**
   * The requested amount in money and the bitcoin price used to convert it; the price is null if it was requested in
   * bitcoin.
   */
  amountMinor: number;
  currency: string;
  rate: string | null;
  /** The node that created its Lightning invoice and address; null before that. */
  backendId: string | null;
  /** Null until the node created it. */
  bolt11: string | null;
  paymentHash: string | null;
  /** `closed`: the node accepts no more payments of it. */
  lightning: 'none' | 'open' | 'closed';
  address: string | null;
  /** The chain's height when the address was created; null if unknown. */
  addressFromHeight: number | null;
  /** `ended`: expired, paid or cancelled; later payments count as late. */
  status: 'open' | 'ended';
  expiresAt: Instant;
  /** Next poll of the node; null if nothing can arrive any more. */
  nextPollAt: Instant | null;
  /** Consecutive polls without a response. */
  unansweredPolls: number;
  /** When the node last answered every question. */
  answeredAt: Instant | null;
  endedAt: Instant | null;
  createdAt: Instant;
  /** The trace of the request that created it, which what is received continues; null before there were traces. */
  trace: string | null;
};

/** A payment of an invoice, as the node reported it. */
export type BitcoinReceiptRow = {
  id: string;
  invoiceId: string;
  businessId: string;
  network: InvoiceNetwork;
  /** The transaction id; over Lightning the payment hash. */
  txId: string;
  vout: number;
  amountSats: number;
  /** `seen`: unconfirmed. `replaced`: it was seen and disappeared. Confirmed receipts stay confirmed. */
  status: 'seen' | 'confirmed' | 'replaced';
  /** The payment created when it was confirmed. */
  paymentId: string | null;
  /** The proof of a Lightning payment. */
  preimage: string | null;
  seenAt: Instant;
  confirmedAt: Instant | null;
  /** So deep in the chain that it is no longer checked. */
  isBuried: 0 | 1;
  /** When a confirmed payment left the chain. */
  revertedAt: Instant | null;
};

/** The position in a node's stream of settled invoices. */
export type BitcoinFollowRow = { backendId: string; cursor: string };

/** Money to return to a customer who paid late, too little or too much. */
export type BitcoinClaimRow = {
  id: string;
  invoiceId: string;
  businessId: string;
  purpose: InvoicePurpose;
  purposeId: string;
  reason: 'underpaid' | 'overpaid' | 'late';
  amountSats: number;
  status: ClaimStatus;
  /** An address, a Lightning invoice or a Lightning address; null if none or several were given. */
  destination: string | null;
  /** Recorded as returned. */
  returnedSats: number;
  /** Covered by bitcoin refunds of the payments. */
  refundedSats: number;
  createdAt: Instant;
  /** When the first destination was given. */
  requestedAt: Instant | null;
  returnedAt: Instant | null;
};

/** A destination given for a claim; several if the claim is disputed. */
export type BitcoinClaimDestinationRow = {
  claimId: string;
  /** From 1, in the order given. */
  number: number;
  destination: string;
  givenAt: Instant;
};
