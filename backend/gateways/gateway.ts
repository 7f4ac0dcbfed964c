import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { Money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';

/**
 * The card gateway port. An adapter translates one vendor's wire protocol into these closed outcomes and decides
 * nothing else. Every adapter keeps this rule: an operation is approved or declined only on a verified reply about that
 * operation; anything less is `unknown`, and only a request that certainly never left this machine is `notSent`. No
 * adapter sends an operation twice.
 */
export interface CardGateway {
  readonly name: string;
  readonly capabilities: GatewayCapabilities;
  /** The gateway's hosted card fields for payment pages; absent if it has none. */
  readonly cardFields?: CardFields;
  /** Card-present sale: the reader's encrypted card block, never a PAN. Captured at once. */
  authoriseCardPresent(request: CardPresentSale): Promise<AuthorisationOutcome>;
  /** Card sale online, by the payment page's token or test card; may require 3-D Secure. */
  authoriseEcommerce(request: EcommerceSale): Promise<AuthorisationOutcome | ThreeDSecureStep>;
  /** Forwards the response of the customer's bank; may require a further step. */
  continueThreeDSecure(request: ThreeDSecureContinuation): Promise<AuthorisationOutcome | ThreeDSecureStep>;
  /** Voids an unsettled payment in full. */
  cancel(request: CancelRequest): Promise<OperationOutcome>;
  /** Refunds part or all of a settled payment; the gateway caps it at what the payment took. */
  refundSale(request: RefundSaleRequest): Promise<OperationOutcome>;
  /** Uncapped credit (kind REFUND). */
  refund(request: RefundSaleRequest): Promise<OperationOutcome>;
  /** Looks up the outcome of an operation by its unique reference. Moves no money. */
  lookup(request: LookupRequest): Promise<LookupOutcome>;
  /**
   * Every operation that moved money in a period, whoever asked for it; absent if the gateway has no such list. Moves no
   * money.
   */
  operationsIn?(period: { readonly from: Instant; readonly to: Instant }): Promise<OperationsInPeriod>;
  /** Reads the state of a payment. Moves no money. */
  paymentState(request: { gatewayReference: string }): Promise<PaymentStateOutcome>;
  /**
   * Verifies a callback and reads it against the operation it names, with the same checks as a reply. `find` returns
   * that operation as it was sent.
   */
  readCallback(posted: PostedCallback, find: FindSentOperation): Promise<CallbackReading>;
  /** Tests the address and secrets of each interface with a harmless request. Moves no money. */
  testConnection(): Promise<readonly ConnectionTest[]>;
}

/** The result of testing one interface of a gateway. */
export type ConnectionTest =
  | { readonly name: string; readonly ok: true }
  | { readonly name: string; readonly ok: false; readonly cause: string };

/** The gateways behind the accounts of all businesses. */
export interface Gateways {
  /** The account for new card payments of this business; undefined if it has none. */
  accountForNewPayments(businessId: string): Promise<string | undefined>;
  /** The gateway of an account; if it is missing or unusable, one that sends nothing and has no data. */
  ofAccount(accountId: string | null): Promise<CardGateway>;
}

/** Phone wallets, which make card payments. */
export const wallets = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof wallets)[number];

export type CardFields = {
  /** The page with the fields, at the gateway's own origin; README.md describes its messages. */
  readonly url: string;
  /** The wallets that the account supports. */
  readonly wallets: readonly Wallet[];
};

export type GatewayCapabilities = {
  readonly cardPresent: boolean;
  readonly ecommerce: boolean;
  readonly threeDSecure: boolean;
  /** Whether `lookup` can find an operation by its unique reference only. */
  readonly lookupByUniqueReference: boolean;
  readonly callbacks: boolean;
};

/** Florin's own reference, unique per operation; stored before anything is sent. */
export type UniqueReference = string;

export type CardPresentSale = {
  readonly uniqueReference: UniqueReference;
  readonly amount: Money;
  readonly invoiceNumber: string;
  readonly card: EncryptedCard;
};

export type EncryptedCard = {
  /** Base64 of a block that only the gateway can decrypt. */
  readonly encryptedBlock: string;
  readonly keySerialNumber: string;
  readonly entryMode: 'chip' | 'contactless' | 'swipe';
};

export type EcommerceSale = {
  readonly uniqueReference: UniqueReference;
  readonly amount: Money;
  readonly invoiceNumber: string;
  readonly card: { readonly paymentToken: string } | CardDetails;
  readonly customer?: {
    readonly name?: string;
    readonly address?: string;
    readonly postCode?: string;
    readonly email?: string;
  };
  readonly browser?: BrowserDetails;
};

/** Card details are forwarded to the gateway and never stored. */
export type CardDetails = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode: string;
};

export type BrowserDetails = {
  readonly returnUrl: string;
  readonly remoteAddress: string;
  readonly identity: string;
  readonly timeZoneOffsetMinutes: number;
  readonly capabilities: string;
  readonly screenResolution: string;
  readonly acceptContent: string;
  readonly acceptLanguage: string;
};

export type ThreeDSecureContinuation = {
  readonly uniqueReference: UniqueReference;
  readonly amount: Money;
  readonly threeDSecureReference: string;
  readonly response: Readonly<Record<string, string>>;
};

export type CancelRequest = {
  readonly uniqueReference: UniqueReference;
  readonly gatewayReference: string;
  readonly amount: Money;
};

export type RefundSaleRequest = CancelRequest & { readonly invoiceNumber: string };

export type Approved = {
  readonly kind: 'approved';
  /** The gateway's own reference for this operation (Cardstream: xref). */
  readonly gatewayReference: string;
  readonly message: string;
};
export type Declined = {
  readonly kind: 'declined';
  readonly code: string;
  readonly message: string;
  readonly gatewayReference?: string;
  /** Why the customer's bank stopped it: declined, or the check was not completed and may be retried. */
  readonly threeDSecure?: 'declined' | 'incomplete';
};
/** The request may have arrived. Keep every reservation and look it up. */
export type Unknown = { readonly kind: 'unknown'; readonly cause: UnknownCause };
/** The request certainly never left this machine. */
export type NotSent = { readonly kind: 'notSent'; readonly cause: NotSentCause };
export type NotSentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'no_route'
  /** The adapter does not support this operation: see its capabilities. */
  | 'not_supported'
  /** Not a positive whole number of the smallest unit of an ISO 4217 currency. */
  | 'invalid_amount'
  /** The account's settings are missing or unreadable. */
  | 'account_unusable'
  /** The caller did not send it because its lease had expired. */
  | 'lease_expired';
export type UnknownCause =
  | 'timeout'
  | 'connection_lost'
  | 'gateway_error'
  | 'in_progress'
  | 'duplicate'
  /** A final-looking reply with a code that is not on the adapter's list. */
  | 'unrecognised_code'
  | VerificationFailure;

/**
 * Why a reply or callback failed verification: forged, replayed, misdirected or contradictory. Each raises an alert,
 * unlike a timeout.
 */
export const verificationFailures = [
  'malformed',
  'bad_signature',
  'merchant_differs',
  'operation_differs',
  /** Not our unique reference: a reply to another request, or a replay. */
  'reference_differs',
  /** A refund under its payment's reference, or a cancel under another payment's. */
  'gateway_reference_differs',
  'currency_differs',
  'amount_differs',
  /** Code, state and amounts do not describe the same outcome. */
  'contradictory',
] as const;
export type VerificationFailure = (typeof verificationFailures)[number];

/** Whether the reply itself was suspect, rather than late or missing: the caller then raises `reply_not_believed`. */
export function isVerificationFailure(cause: string): cause is VerificationFailure {
  return (verificationFailures as readonly string[]).includes(cause);
}

export type OperationOutcome = Approved | Declined | Unknown | NotSent;

export type CardSummary = { readonly scheme: CardScheme | null; readonly lastFour: string | null };
export type AuthorisationOutcome =
  | (Approved & { readonly authorisationCode: string; readonly amount: Money; readonly card: CardSummary })
  | Declined
  | Unknown
  | NotSent;

export type ThreeDSecureStep = {
  readonly kind: 'three_d_secure';
  readonly threeDSecureReference: string;
  readonly gatewayReference?: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  /** `method` runs in a hidden frame for at most ten seconds, `challenge` is shown to the customer. */
  readonly step: 'method' | 'challenge';
};

/** An operation as it was sent, to compare with replies, callbacks and lookups. */
export type SentOperation = {
  readonly operation: 'authorise' | 'cancel' | 'refundSale' | 'refund';
  readonly uniqueReference: UniqueReference;
  /** The gateway's reference of the operation's payment; absent for an authorisation. */
  readonly gatewayReference?: string;
  readonly amount: Money;
};

export type LookupRequest = SentOperation & {
  readonly sentAt: Instant;
  /** The channel of an authorisation. Without it, `notFound` requires it of every interface. */
  readonly channel?: 'cardPresent' | 'ecommerce';
};

/** An approval learnt after the reply; it may omit details. */
export type LateApproval = Approved & {
  readonly authorisationCode?: string;
  readonly card?: CardSummary;
  /** The approved amount, if it may be less than requested. */
  readonly amount?: Money;
};

/** Each approval or decline in a lookup; more than one if the gateway carried out an operation twice. */
export function outcomesOf(answer: Extract<LookupOutcome, { kind: 'approved' | 'declined' }>) {
  if (answer.kind === 'declined') return [answer];
  const { alsoApproved = [], ...first } = answer;
  return [first, ...alsoApproved.map(gatewayReference => ({ ...first, gatewayReference }))];
}

export type LookupOutcome =
  /** `alsoApproved`: further transactions the gateway approved under the same unique reference. */
  | (LateApproval & { readonly alsoApproved?: readonly string[] })
  | Declined
  /** The gateway has no such operation. The request may still be in transit. */
  | { readonly kind: 'notFound' }
  /** The gateway has the operation and has not decided it yet. */
  /** `awaitsCustomer`: it requires a 3-D Secure check, and takes nothing unless that is continued. */
  | { readonly kind: 'inProgress'; readonly awaitsCustomer?: true }
  /** The lookup failed (no reply, or not supported by the gateway). */
  | { readonly kind: 'unanswered'; readonly cause: string };

/** An operation as the gateway lists it. Voids are not operations of their own there: they are the state of a payment. */
export type ListedOperation = {
  readonly operation: 'authorise' | 'refundSale' | 'refund';
  readonly uniqueReference: UniqueReference;
  readonly gatewayReference: string;
  readonly amountMinor: number;
  /** Three letters or the ISO 4217 number. */
  readonly currency: string;
  /** That of the payment, also for its refunds; null if the list has none. */
  readonly invoiceNumber: string | null;
  readonly cardLastFour: string | null;
};

export type OperationsInPeriod =
  | { readonly kind: 'listed'; readonly operations: readonly ListedOperation[] }
  | { readonly kind: 'unanswered'; readonly cause: string };

export type PaymentStateOutcome =
  | {
      readonly kind: 'found';
      readonly state: GatewayPaymentState;
      readonly receivedMinor: number;
      readonly refundedMinor?: number;
    }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unanswered'; readonly cause: string };
/**
 * `settling`: handed to the bank, neither voidable nor refundable until it is `settled`. `rejected`: approved, then
 * refused by the bank at settlement.
 */
export type GatewayPaymentState =
  | 'unsettled'
  | 'settling'
  | 'settled'
  | 'rejected'
  | 'cancelled'
  | 'declined'
  | 'other';

/** A callback as posted: signatures are in the body or in a header. */
export type PostedCallback = {
  readonly rawBody: string;
  /** By lower-case name; values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
};

export type FindSentOperation = (uniqueReference: UniqueReference) => Promise<SentOperation | undefined>;

export type CallbackReading =
  /** Genuine, about our operation, and final. */
  | {
      readonly kind: 'outcome';
      readonly uniqueReference: UniqueReference;
      readonly outcome: LateApproval | Declined;
    }
  /** Genuine and about our operation, but inconclusive. */
  | { readonly kind: 'undecided'; readonly uniqueReference: UniqueReference; readonly cause: UnknownCause }
  /** Genuine, about an operation that is not ours. */
  | { readonly kind: 'not_ours' }
  /** Failed verification. `claimed` is its content; with a bad signature it can come from any sender. */
  | { readonly kind: 'rejected'; readonly reason: VerificationFailure; readonly claimed: ClaimedCallback };

export type ClaimedCallback = {
  readonly uniqueReference?: UniqueReference;
  readonly gatewayReference?: string;
  readonly amountMinor?: number;
  readonly code?: string;
  /** Whether it claims that money moved. */
  readonly approved: boolean;
};

/** A flow that sends operations and receives the callbacks about them. */
export type OperationOwner = {
  /** The operation of this reference as sent, with its account; undefined if this flow did not send it. */
  findSent(
    uniqueReference: UniqueReference,
  ): Promise<{ readonly gatewayAccountId: string | null; readonly sent: SentOperation } | undefined>;
  takeOutcome(uniqueReference: UniqueReference, outcome: LateApproval | Declined): Promise<void>;
  /** Reports a rejected callback that names this operation. */
  reportRejected(uniqueReference: UniqueReference, rejection: CallbackRejection): Promise<void>;
};

export type CallbackRejection = { readonly reason: VerificationFailure; readonly claimed: ClaimedCallback };
