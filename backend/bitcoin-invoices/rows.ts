import type { ClaimStatus } from '@florin/shared/contracts/claims.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** What a payment is for. */
export type InvoicePurpose = 'checkout' | 'paymentLink' | 'terminalSale' | 'tip' | 'ucp';
export type InvoiceNetwork = 'lightning' | 'onchain';

/** So many satoshis that a customer is asked for, over Lightning or on chain. */
export type BitcoinInvoiceRow = {
  id: string;
  businessId: string;
  purpose: InvoicePurpose;
  /** The id of the record it is for. */
  purposeId: string;
  /** As the customer's wallet shows it. */
  memo: string;
  amountSats: number;
  /** What was asked for in money, and at which price of one bitcoin it was converted; the price is null where it was asked in bitcoin. */
  amountMinor: number;
  currency: string;
  rate: string | null;
  /** The node that everything of it was made at; null before. */
  backendId: string | null;
  /** Null until the node was asked for it and answered. */
  bolt11: string | null;
  paymentHash: string | null;
  /** `closed`: the node takes no payment of it any more. */
  lightning: 'none' | 'open' | 'closed';
  address: string | null;
  /** How high the chain was when the address was made; null where that is not known. */
  addressFromHeight: number | null;
  /** `ended`: time is up, it is paid, or nobody wants it any more; what arrives from then on is late. */
  status: 'open' | 'ended';
  expiresAt: Instant;
  /** When the node is asked next; null where nothing can arrive any more. */
  nextPollAt: Instant | null;
  /** How often in a row the node did not answer. */
  unansweredPolls: number;
  /** When the node last said everything it was asked. */
  answeredAt: Instant | null;
  endedAt: Instant | null;
  createdAt: Instant;
};

/** One payment to an invoice, as the node reported it. */
export type BitcoinReceiptRow = {
  id: string;
  invoiceId: string;
  businessId: string;
  network: InvoiceNetwork;
  /** The transaction; over Lightning the payment hash. */
  txId: string;
  vout: number;
  amountSats: number;
  /** `seen`: in no block yet. `replaced`: it was seen and is gone. Confirmed ones stay confirmed. */
  status: 'seen' | 'confirmed' | 'replaced';
  /** The payment it became once it was confirmed. */
  paymentId: string | null;
  /** Over Lightning: the proof. */
  preimage: string | null;
  seenAt: Instant;
  confirmedAt: Instant | null;
  /** It is so deep in the chain that it is not checked any more. */
  isBuried: 0 | 1;
  /** Since when a confirmed one is no longer in the chain. */
  revertedAt: Instant | null;
};

/** How far the settled invoices of a node were read. */
export type BitcoinFollowRow = { backendId: string; cursor: string };

/** What is to be returned to a customer who paid late, too little or too much. */
export type BitcoinClaimRow = {
  id: string;
  invoiceId: string;
  businessId: string;
  purpose: InvoicePurpose;
  purposeId: string;
  reason: 'underpaid' | 'overpaid' | 'late';
  amountSats: number;
  status: ClaimStatus;
  /** Where the customer wants it: an address, an invoice or a Lightning address. Null where nobody or several said so. */
  destination: string | null;
  /** Marked as returned. */
  returnedSats: number;
  /** Settled by bitcoin refunds of the payments, which leave no more of what was received. */
  refundedSats: number;
  createdAt: Instant;
  /** When a destination was given first. */
  requestedAt: Instant | null;
  returnedAt: Instant | null;
};

/** A destination that was given for a claim: several where it is disputed whose the money is. */
export type BitcoinClaimDestinationRow = {
  claimId: string;
  /** From 1, in the order in which they were given. */
  number: number;
  destination: string;
  givenAt: Instant;
};
