import type { Instant } from '@florin/shared/ports.ts';

/**
 * A business's bitcoin node as the money flows see it. An adapter translates one node's wire protocol into these closed
 * outcomes and decides nothing else. The rules every adapter keeps: what a node did not clearly say is `unknown`; only a
 * request that certainly never left this machine is `notSent`; no adapter ever sends money twice, and no answer that may be
 * incomplete is given as complete.
 */
export interface BitcoinNode {
  /** Name of its adapter in the registry. */
  readonly adapter: string;
  readonly capabilities: NodeCapabilities;
  /** Where its receiving addresses are made of a key of the merchant's. */
  readonly derived?: DerivedAddresses | undefined;
  /** Who the node is and whether it can work. */
  info(): Promise<Answer<NodeInfo>>;
  /** Asks each thing the settings promise something harmless: address, certificate, credentials. Moves nothing. */
  testConnection(): Promise<readonly NodeConnectionTest[]>;

  /**
   * Makes an invoice. Idempotent by `label`: where the node has an invoice of this label already (a reply was lost, a process
   * died), that one is returned, whatever has become of it since. So it may be repeated until it is answered.
   */
  createInvoice(request: InvoiceRequest): Promise<CreateInvoiceOutcome>;
  /** What became of an invoice. Moves nothing. */
  lookupInvoice(paymentHash: PaymentHash): Promise<InvoiceState>;
  /** Stops an invoice from being paid. A settled one stays settled: look it up afterwards. */
  cancelInvoice(paymentHash: PaymentHash): Promise<Answer<null>>;
  /**
   * Hands over each settled invoice as it settles, beginning after a cursor that was handed over before; resolves when the
   * stream has ended, for whichever reason. Invoices may be handed over again. With no cursor it begins now: who follows
   * looks its open invoices up once `onOpen` was called, and again from time to time, since nodes are known to lose events.
   */
  followInvoices(request: FollowRequest): Promise<FollowEnd>;

  /**
   * A fresh receiving address, and how high the chain was before it was made: nothing can have been paid to it in a block
   * below. A lost reply costs an unused address and nothing else.
   */
  newAddress(): Promise<Answer<{ readonly address: string; readonly chainHeight?: number | null }>>;
  /**
   * Every payment to these addresses that the node knows of now, unconfirmed ones included. Complete: a payment that was
   * listed before and is missing was replaced or dropped. `fromHeight`: how high the chain was when the first of them was
   * made, so that a node with a long history need not read all of it.
   */
  addressPayments(addresses: readonly string[], fromHeight?: number | null): Promise<Answer<readonly AddressPayment[]>>;

  /** Gives up after `waitMs`, where it is given. */
  balances(waitMs?: number): Promise<Answer<NodeBalances>>;
  /** Pays a BOLT11 invoice, once. After anything but `succeeded`, `failed` and `notSent` it is looked up, never sent again. */
  payInvoice(request: PayInvoiceRequest): Promise<PaymentOutcome | NotSent>;
  /** What became of a payment this node was asked to make. `notFound` proves little while the request may still be on its way. */
  lookupPayment(paymentHash: PaymentHash): Promise<PaymentOutcome | NotFound>;
  /** Sends on chain, once. After `unknown` it is looked up by its label, never sent again. */
  sendOnChain(request: OnChainRequest): Promise<OnChainOutcome | NotSent>;
  /** `fromHeight`: how high the chain was before it was sent, so that a node with a long history need not read all of it. */
  lookupOnChain(label: Label, fromHeight?: number | null): Promise<OnChainOutcome | NotFound>;

  /** What brings channel funds back together with the node's seed. */
  channelBackup(): Promise<Answer<ChannelBackup>>;
  /** Gives up its connections. */
  close(): Promise<void>;
}

/** What an adapter can do. What it cannot is `unknown` or `notSent` with the cause `not_supported`. */
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
/** Florin's own label, unique to each invoice and each payment; stored before the request is sent. */
export type Label = string;
export const bitcoinNetworks = ['bitcoin', 'testnet', 'regtest', 'signet'] as const;
export type BitcoinNetwork = (typeof bitcoinNetworks)[number];

/** The node reported no outcome: whether it did anything is not known. */
export type Unknown = { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly message?: string };
export type UnknownCause =
  | 'timeout'
  | 'connection_lost'
  /** No connection was made. */
  | NotSentCause
  /** Not what this node's protocol describes. */
  | 'malformed'
  /** It reported an error of its own, or one that is on no list. */
  | 'node_error'
  /** Its wallet is locked, or it is still starting. */
  | 'not_ready'
  /** The credentials do not allow this call, or are wrong. */
  | 'permission_denied';

/** What it said is not what its protocol describes. */
export const malformed: Unknown = { kind: 'unknown', cause: 'malformed' };

/** Certain: the node never saw the request. */
export type NotSent = { readonly kind: 'notSent'; readonly cause: NotSentCause };
export type NotSentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'no_route'
  /** The address is none that may be connected to. */
  | 'address_refused'
  /** Its certificate is not the one that was pinned, or no trusted one. */
  | 'certificate_rejected'
  /** This adapter cannot do it. */
  | 'not_supported'
  /** The business has no node, or its settings cannot be read. */
  | 'node_unusable';

export type NotFound = { readonly kind: 'notFound' };
/** To a question that moves nothing, or that may be repeated. */
export type Answer<Value> = { readonly kind: 'answered'; readonly value: Value } | Unknown;

export type NodeInfo = {
  /** Hexadecimal public key; null where the node does not report it. */
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
  /** Shown by the payer's wallet; or its SHA-256 (LNURL-pay), which is all that the invoice then carries. */
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
  /** The label belongs to an invoice over something else: a fault of ours. */
  | { readonly kind: 'label_taken' }
  | Unknown;

export type InvoiceState =
  | { readonly kind: 'open' }
  /** A payment is held, neither taken nor returned. */
  | { readonly kind: 'held' }
  | SettledInvoice
  /** Cancelled or expired: it can no longer be paid. */
  | { readonly kind: 'cancelled' }
  | NotFound
  | Unknown;

export type SettledInvoice = {
  readonly kind: 'settled';
  readonly paymentHash: PaymentHash;
  readonly preimage: string;
  /** May be more than was asked for. */
  readonly receivedMsat: number;
  readonly settledAt: Instant;
};

/** Opaque: given with a settled invoice, and given back to go on after it. */
export type InvoiceCursor = string;
export type FollowRequest = {
  readonly after: InvoiceCursor | null;
  readonly signal: AbortSignal;
  /** The node takes note from here on. */
  onOpen?(): void;
  /** What it throws ends the stream. */
  onSettled(invoice: SettledInvoice, cursor: InvoiceCursor): Promise<void>;
};
export type FollowEnd = { readonly kind: 'aborted' } | Unknown;

/** Receiving addresses of an extended public key, whose private key is with the merchant. */
export type DerivedAddresses = {
  /** The merchant's wallet shows the same as its first; null while that cannot be said. */
  first(): Promise<string | null>;
  /** How many were given out. Wallets look for 20 beyond the last that was paid. */
  given(): Promise<number>;
};

export type AddressPayment = {
  readonly address: string;
  readonly txId: string;
  readonly vout: number;
  readonly amountSats: number;
  /** 0 while it is in no block: it can be replaced until then. */
  readonly confirmations: number;
};

export type NodeBalances = {
  /** What can be sent over Lightning, before fees. */
  readonly lightningSats: number;
  /** Confirmed. */
  readonly onChainSats: number;
  readonly onChainUnconfirmedSats: number;
  /** How high the chain was; null where the node does not tell. */
  readonly chainHeight: number | null;
};

export type PayInvoiceRequest = {
  readonly bolt11: string;
  readonly paymentHash: PaymentHash;
  readonly amountSats: number;
  readonly feeLimitSats: number;
  /** How long its end is waited for; the node goes on trying after that. */
  readonly waitMs?: number;
};
export type PaymentOutcome =
  | { readonly kind: 'succeeded'; readonly preimage: string; readonly feeMsat: number }
  /** Final: nothing was sent and nothing will be. */
  | { readonly kind: 'failed'; readonly reason: PaymentFailure }
  /** The node has it and is trying: it is looked up until it is final. */
  | { readonly kind: 'inFlight' }
  | Unknown;
export type PaymentFailure =
  | 'no_route'
  | 'timeout'
  | 'insufficient_balance'
  /** The receiver does not know the invoice, or no longer takes it. */
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
  /** How long the node's reply is waited for. */
  readonly waitMs?: number;
};
export type OnChainOutcome =
  | { readonly kind: 'sent'; readonly txId: string; readonly confirmations: number; readonly feeSats: number | null }
  /** Final: refused by the node before anything was signed. */
  | { readonly kind: 'failed'; readonly reason: OnChainFailure }
  | Unknown;
export type OnChainFailure = 'insufficient_balance' | 'invalid_address' | 'below_dust' | 'other';

export type ChannelBackup = {
  /** Base64, encrypted under the node's seed. */
  readonly data: string;
  readonly channels: number;
  readonly format: 'lnd_multi_channel_backup';
};
