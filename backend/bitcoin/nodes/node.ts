import type { Instant } from '@florin/shared/ports.ts';

/**
 * The bitcoin node port. An adapter translates one node's wire protocol into these closed outcomes and decides nothing
 * else. Every adapter keeps these rules: anything the node did not clearly state is `unknown`; only a request that
 * certainly never left this machine is `notSent`; no adapter sends money twice or returns a possibly incomplete list as
 * complete.
 */
export interface BitcoinNode {
  /** The adapter's name in the registry. */
  readonly adapter: string;
  readonly capabilities: NodeCapabilities;
  /** Set if receiving addresses are derived from a key of the merchant. */
  readonly derived?: DerivedAddresses | undefined;
  /** The node's identity and readiness. */
  info(): Promise<Answer<NodeInfo>>;
  /** Tests address, certificate and credentials with harmless requests. Moves no money. */
  testConnection(): Promise<readonly NodeConnectionTest[]>;

  /**
   * Creates an invoice. Idempotent by `label`: an existing invoice of this label is returned whatever its state, so the
   * call may be repeated until it succeeds.
   */
  createInvoice(request: InvoiceRequest): Promise<CreateInvoiceOutcome>;
  /** Looks up the state of an invoice. Moves no money. */
  lookupInvoice(paymentHash: PaymentHash): Promise<InvoiceState>;
  /** Cancels an invoice. A settled invoice stays settled: look it up afterwards. */
  cancelInvoice(paymentHash: PaymentHash): Promise<Answer<null>>;
  /**
   * Reports each invoice as it settles, starting after the given cursor; resolves when the stream has ended for any
   * reason. Invoices may be reported again. Without a cursor it starts now: callers look up open invoices after
   * `onOpen` and periodically, because nodes can lose events.
   */
  followInvoices(request: FollowRequest): Promise<FollowEnd>;

  /**
   * A new receiving address and the chain's height before it was created: no block below can contain a payment to it. A
   * lost reply only wastes an address.
   */
  newAddress(): Promise<Answer<{ readonly address: string; readonly chainHeight?: number | null }>>;
  /**
   * All payments to these addresses that the node has now, including unconfirmed ones. Complete: a payment that was
   * listed before and is missing was replaced or dropped. `fromHeight`, the chain's height when the first address was
   * created, limits how much history the node reads.
   */
  addressPayments(addresses: readonly string[], fromHeight?: number | null): Promise<Answer<readonly AddressPayment[]>>;

  /**
   * The most that it can receive over Lightning now: what the other sides of its channels hold. Null where it does not tell,
   * as a node that buys channels when they are needed. Limited to `waitMs`, if given.
   */
  receivableSats(waitMs?: number): Promise<Answer<number | null>>;
  /** Limited to `waitMs`, if given. */
  balances(waitMs?: number): Promise<Answer<NodeBalances>>;
  /**
   * Pays a BOLT11 invoice, once. After any result except `succeeded`, `failed` and `notSent`, look it up; never send it
   * again.
   */
  payInvoice(request: PayInvoiceRequest): Promise<PaymentOutcome | NotSent>;
  /** Looks up a payment. `notFound` is inconclusive while the request may still be in transit. */
  lookupPayment(paymentHash: PaymentHash): Promise<PaymentOutcome | NotFound>;
  /** Sends on chain, once. After `unknown`, look it up by its label; never send it again. */
  sendOnChain(request: OnChainRequest): Promise<OnChainOutcome | NotSent>;
  /** `fromHeight`: the chain's height before sending, which limits how much history the node reads. */
  lookupOnChain(label: Label, fromHeight?: number | null): Promise<OnChainOutcome | NotFound>;

  /**
   * What moved through the node from this time on, for records that may lack it. A list may also have earlier entries.
   * Moves no money.
   */
  movements(from: Instant): Promise<NodeMovements>;

  /** The backup that recovers channel funds together with the node's seed. */
  channelBackup(): Promise<Answer<ChannelBackup>>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** An adapter's capabilities. Unsupported calls return `unknown` or `notSent` with the cause `not_supported`. */
export type NodeCapabilities = {
  readonly lightning: boolean;
  /** Receiving addresses, from the node or from an extended public key. */
  readonly onChain: boolean;
  readonly lightningWithdrawals: boolean;
  readonly onChainWithdrawals: boolean;
  readonly channelBackup: boolean;
};

/** 64 lower-case hexadecimal digits. */
export type PaymentHash = string;
/** Florin's own label, unique per invoice and payment; stored before the request is sent. */
export type Label = string;
export const bitcoinNetworks = ['bitcoin', 'testnet', 'regtest', 'signet'] as const;
export type BitcoinNetwork = (typeof bitcoinNetworks)[number];

/** The node reported no outcome: it may have acted. */
export type Unknown = { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly message?: string };
export type UnknownCause =
  | 'timeout'
  | 'connection_lost'
  /** No connection was made. */
  | NotSentCause
  /** Not as this node's protocol specifies. */
  | 'malformed'
  /** The node reported an unrecognised error. */
  | 'node_error'
  /** Its wallet is locked, or it is starting. */
  | 'not_ready'
  /** The credentials are invalid or do not permit this call. */
  | 'permission_denied';

/** A reply that its protocol does not specify. */
export const malformed: Unknown = { kind: 'unknown', cause: 'malformed' };

/** Certain: the node never received the request. */
export type NotSent = { readonly kind: 'notSent'; readonly cause: NotSentCause };
export type NotSentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'no_route'
  /** Connections to this address are not permitted. */
  | 'address_refused'
  /** Its certificate is not the pinned one, or not trusted. */
  | 'certificate_rejected'
  /** Not supported by this adapter. */
  | 'not_supported'
  /** The business has no node, or its settings are unreadable. */
  | 'node_unusable';

export type NotFound = { readonly kind: 'notFound' };
/** The result of a call that moves no money or is safe to repeat. */
export type Answer<Value> = { readonly kind: 'answered'; readonly value: Value } | Unknown;

export type NodeInfo = {
  /** Hexadecimal public key; null if the node does not report it. */
  readonly publicKey: string | null;
  readonly alias: string | null;
  readonly version: string | null;
  readonly network: BitcoinNetwork;
  readonly blockHeight: number | null;
  readonly isSynced: boolean;
  readonly activeChannels: number | null;
};

export type NodeConnectionTest =
  | { readonly name: string; readonly ok: true }
  | { readonly name: string; readonly ok: false; readonly cause: UnknownCause; readonly message: string };

export type InvoiceRequest = {
  readonly label: Label;
  /** Whole satoshis, at least 1. */
  readonly amountSats: number;
  /** The text shown by the payer's wallet; or its SHA-256 (LNURL-pay), which is then all the invoice contains. */
  readonly description: { readonly memo: string } | { readonly sha256: string };
  readonly expiresInSeconds: number;
};

export type CreatedInvoice = {
  readonly bolt11: string;
  readonly paymentHash: PaymentHash;
  readonly expiresAt: Instant;
};
export type CreateInvoiceOutcome =
  | { readonly kind: 'created'; readonly invoice: CreatedInvoice }
  /** The label belongs to a different invoice: a bug of ours. */
  | { readonly kind: 'label_taken' }
  | Unknown;

export type InvoiceState =
  | { readonly kind: 'open' }
  /** A payment is held, neither accepted nor returned. */
  | { readonly kind: 'held' }
  | SettledInvoice
  /** Cancelled or expired: no longer payable. */
  | { readonly kind: 'cancelled' }
  | NotFound
  | Unknown;

export type SettledInvoice = {
  readonly kind: 'settled';
  readonly paymentHash: PaymentHash;
  readonly preimage: string;
  /** May exceed the requested amount. */
  readonly receivedMsat: number;
  readonly settledAt: Instant;
};

/** Opaque: reported with a settled invoice, and passed back to resume after it. */
export type InvoiceCursor = string;
export type FollowRequest = {
  readonly after: InvoiceCursor | null;
  readonly signal: AbortSignal;
  /** The node reports settlements from here on. */
  onOpen?(): void;
  /** An exception ends the stream. */
  onSettled(invoice: SettledInvoice, cursor: InvoiceCursor): Promise<void>;
};
export type FollowEnd = { readonly kind: 'aborted' } | Unknown;

/** Receiving addresses of an extended public key, whose private key the merchant holds. */
export type DerivedAddresses = {
  /** The first address, to compare with the merchant's wallet; null while unavailable. */
  first(): Promise<string | null>;
  /** The number of issued addresses. Wallets scan 20 beyond the last used one. */
  given(): Promise<number>;
};

export type AddressPayment = {
  readonly address: string;
  readonly txId: string;
  readonly vout: number;
  readonly amountSats: number;
  /** 0 while unconfirmed; it can be replaced until then. */
  readonly confirmations: number;
};

export type NodeBalances = {
  /** The amount that can be sent over Lightning, before fees. */
  readonly lightningSats: number;
  /** Confirmed. */
  readonly onChainSats: number;
  readonly onChainUnconfirmedSats: number;
  /** The chain's height; null if the node does not report it. */
  readonly chainHeight: number | null;
};

export type PayInvoiceRequest = {
  readonly bolt11: string;
  readonly paymentHash: PaymentHash;
  readonly amountSats: number;
  readonly feeLimitSats: number;
  /** How long to wait for its end; the node keeps trying after that. */
  readonly waitMs?: number;
};
export type PaymentOutcome =
  | { readonly kind: 'succeeded'; readonly preimage: string; readonly feeMsat: number }
  /** Final: nothing was sent and nothing will be. */
  | { readonly kind: 'failed'; readonly reason: PaymentFailure }
  /** The node is trying: look it up until it is final. */
  | { readonly kind: 'inFlight' }
  | Unknown;
export type PaymentFailure =
  | 'no_route'
  | 'timeout'
  | 'insufficient_balance'
  /** The receiver does not recognise the invoice or no longer accepts it. */
  | 'rejected_by_receiver'
  | 'already_paid'
  | 'invalid_invoice'
  | 'cancelled'
  | 'other';

export type OnChainRequest = {
  readonly label: Label;
  readonly address: string;
  readonly amountSats: number;
  readonly satsPerVbyte?: number;
  /** How long to wait for the node's reply. */
  readonly waitMs?: number;
};
export type OnChainOutcome =
  | { readonly kind: 'sent'; readonly txId: string; readonly confirmations: number; readonly feeSats: number | null }
  /** Final: refused by the node before it signed anything. */
  | { readonly kind: 'failed'; readonly reason: OnChainFailure }
  | Unknown;
export type OnChainFailure = 'insufficient_balance' | 'invalid_address' | 'below_dust' | 'other';

/** Each list is complete, or unanswered: `not_supported` if this kind of node has no such movements. */
export type NodeMovements = {
  readonly settledInvoices: Answer<readonly SettledInvoice[]>;
  /** Payments over Lightning that have not failed. */
  readonly payments: Answer<readonly ListedPayment[]>;
  /** On-chain payments to its addresses. Of derived addresses only those after the last one that was issued. */
  readonly receipts: Answer<readonly ListedReceipt[]>;
  /** On-chain payments that it sent under a label. */
  readonly sendings: Answer<readonly ListedSending[]>;
};
export type ListedPayment = { readonly paymentHash: PaymentHash; readonly amountSats: number; readonly at: Instant };
/** `at` is null where the list has no times. */
export type ListedReceipt = Omit<AddressPayment, 'confirmations'> & { readonly at: Instant | null };
export type ListedSending = {
  readonly label: Label;
  readonly txId: string;
  readonly address: string;
  readonly amountSats: number;
  readonly at: Instant;
};

export type ChannelBackup = {
  /** Base64, encrypted under the node's seed. */
  readonly data: string;
  readonly channels: number;
  readonly format: 'lnd_multi_channel_backup';
};
