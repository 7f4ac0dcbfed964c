import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { Money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';

/**
 * The card gateway as the money flows see it. An adapter translates one vendor's wire protocol into these closed
 * outcomes and decides nothing else. The rule every adapter keeps: an operation counts as declined or approved only on
 * a verified reply about that very operation; everything short of it is `unknown`, and only a request that certainly
 * never left this machine is `notSent`. No adapter ever sends an operation twice.
 */
export interface CardGateway {
  readonly name: string;
  readonly capabilities: GatewayCapabilities;
  /** The gateway's own card fields, which payment pages show; absent where it has none. */
  readonly cardFields?: CardFields;
  /** Card-present sale: the reader's encrypted card block, never a PAN. Captured at once. */
  authoriseCardPresent(request: CardPresentSale): Promise<AuthorisationOutcome>;
  /** Card entered online, by token or test card of the payment page; may ask for 3-D Secure. */
  authoriseEcommerce(request: EcommerceSale): Promise<AuthorisationOutcome | ThreeDSecureStep>;
  /** Carries what the customer's bank posted back; may ask for a further step. */
  continueThreeDSecure(request: ThreeDSecureContinuation): Promise<AuthorisationOutcome | ThreeDSecureStep>;
  /** Voids an unsettled payment in full. */
  cancel(request: CancelRequest): Promise<OperationOutcome>;
  /** Refunds part or all of a settled payment; the gateway caps it at what the payment took. */
  refundSale(request: RefundSaleRequest): Promise<OperationOutcome>;
  /** Uncapped credit (kind REFUND). */
  refund(request: RefundSaleRequest): Promise<OperationOutcome>;
  /** Asks what became of one earlier operation, by that operation's own unique reference. Moves nothing. */
  lookup(request: LookupRequest): Promise<LookupOutcome>;
  /** Asks for the state of a payment. Moves nothing. */
  paymentState(request: { gatewayReference: string }): Promise<PaymentStateOutcome>;
  /**
   * Verifies a callback the gateway posted to us and reads it against the operation it names, with every check that a
   * reply has to pass. `find` gives that operation as it was sent.
   */
  readCallback(posted: PostedCallback, find: FindSentOperation): Promise<CallbackReading>;
  /** Asks each interface of the account something harmless: are its address and its secrets right? Moves nothing. */
  testConnection(): Promise<readonly ConnectionTest[]>;
}

/** What became of asking one interface of a gateway. */
export type ConnectionTest =
  | { readonly name: string; readonly ok: true }
  | { readonly name: string; readonly ok: false; readonly cause: string };

/** The gateways behind the accounts of all businesses. */
export interface Gateways {
  /** The account that new card payments of this business go to; undefined where it has none. */
  accountForNewPayments(businessId: string): Promise<string | undefined>;
  /** The gateway of an account. One that is missing or unusable is there too: it sends nothing and knows nothing. */
  ofAccount(accountId: string | null): Promise<CardGateway>;
}

/** Phone wallets: card payments underneath. */
export const wallets = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof wallets)[number];

export type CardFields = {
  /** The page with the fields, at the gateway's own origin: README.md says what it and ours tell each other. */
  readonly url: string;
  /** The wallets that the account is set up for. */
  readonly wallets: readonly Wallet[];
};

export type GatewayCapabilities = {
  readonly cardPresent: boolean;
  readonly ecommerce: boolean;
  readonly threeDSecure: boolean;
  /** Whether `lookup` can find an operation by its unique reference alone. */
  readonly lookupByUniqueReference: boolean;
  readonly callbacks: boolean;
};

/** Florin's own reference, unique to each operation; stored before anything is sent. */
export type UniqueReference = string;

export type CardPresentSale = {
  readonly uniqueReference: UniqueReference;
  readonly amount: Money;
  readonly invoiceNumber: string;
  readonly card: EncryptedCard;
};

export type EncryptedCard = {
  /** Base64 of the block only the gateway can open. */
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

/** Card details pass through to the gateway and are held nowhere. */
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
  /** The gateway's own reference of this operation (Cardstream: xref). */
  readonly gatewayReference: string;
  readonly message: string;
};
export type Declined = {
  readonly kind: 'declined';
  readonly code: string;
  readonly message: string;
  readonly gatewayReference?: string;
  /** Why the customer's bank stopped it: it said no, or its check could not be completed and may be tried again. */
  readonly threeDSecure?: 'declined' | 'incomplete';
};
/** The request may have arrived. Keep every reservation and ask. */
export type Unknown = { readonly kind: 'unknown'; readonly cause: UnknownCause };
/** The request certainly never left this machine. */
export type NotSent = { readonly kind: 'notSent'; readonly cause: NotSentCause };
export type NotSentCause =
  | 'connection_refused'
  | 'name_not_found'
  | 'no_route'
  /** The adapter does not offer this operation: see its capabilities. */
  | 'not_supported'
  /** Not a positive whole number of the smallest unit of an ISO 4217 currency. */
  | 'invalid_amount'
  /** The account's settings are missing or cannot be read. */
  | 'account_unusable'
  /** The caller held it back: its time to send was over. */
  | 'lease_expired';
export type UnknownCause =
  | 'timeout'
  | 'connection_lost'
  | 'gateway_error'
  | 'in_progress'
  | 'duplicate'
  /** A final-looking reply with a code that is not on the adapter's closed list. */
  | 'unrecognised_code'
  | VerificationFailure;

/**
 * Why a reply or a callback is not believed: forged, replayed, misdirected, or contradicting itself. Each is a reason to
 * raise an alert, which a timeout is not.
 */
export const verificationFailures = [
  'malformed',
  'bad_signature',
  'merchant_differs',
  'operation_differs',
  /** Not about our unique reference: a reply to another request, or an old one sent again. */
  'reference_differs',
  /** A refund under the reference of its payment, or a cancel under another payment's. */
  'gateway_reference_differs',
  'currency_differs',
  'amount_differs',
  /** Code, state and amounts do not describe the same outcome. */
  'contradictory',
] as const;
export type VerificationFailure = (typeof verificationFailures)[number];

export function isVerificationFailure(cause: string): cause is VerificationFailure {
  return (verificationFailures as readonly string[]).includes(cause);
}

export type OperationOutcome = Approved | Declined | Unknown | NotSent;

export type CardSummary = { readonly scheme: CardScheme | null; readonly lastFour: string };
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

/** One operation as it was sent: what a reply, a callback or a lookup about it is compared with. */
export type SentOperation = {
  readonly operation: 'authorise' | 'cancel' | 'refundSale' | 'refund';
  readonly uniqueReference: UniqueReference;
  /** The gateway's reference of the payment the operation was about; absent for an authorisation. */
  readonly gatewayReference?: string;
  readonly amount: Money;
};

export type LookupRequest = SentOperation & {
  readonly sentAt: Instant;
  /** How an authorisation was sent. Without it, `notFound` requires it of every interface it may have been sent to. */
  readonly channel?: 'cardPresent' | 'ecommerce';
};

/** An approval that became known later than by its reply; it may not repeat every detail. */
export type LateApproval = Approved & {
  readonly authorisationCode?: string;
  readonly card?: CardSummary;
  /** What was taken, where that may be less than was asked. */
  readonly amount?: Money;
};

/** Each approval or refusal in the answer to a lookup; more than one where the gateway carried an operation out twice. */
export function outcomesOf(answer: Extract<LookupOutcome, { kind: 'approved' | 'declined' }>) {
  if (answer.kind === 'declined') return [answer];
  const { alsoApproved = [], ...first } = answer;
  return [first, ...alsoApproved.map(gatewayReference => ({ ...first, gatewayReference }))];
}

export type LookupOutcome =
  /** `alsoApproved`: further transactions the gateway approved under the same unique reference. */
  | (LateApproval & { readonly alsoApproved?: readonly string[] })
  | Declined
  /** The gateway answered and knows no such operation. It may still be on its way there. */
  | { readonly kind: 'notFound' }
  /** The gateway knows it and has not decided yet. */
  /** `awaitsCustomer`: it wants a 3-D Secure check first, and takes nothing unless that is continued. */
  | { readonly kind: 'inProgress'; readonly awaitsCustomer?: true }
  /** The question could not be answered (no reply, or a gateway that cannot be asked this). */
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

/** What the gateway posted, as it came: signatures stand in the body or in a header. */
export type PostedCallback = {
  readonly rawBody: string;
  /** By lower-case name; one that came more than once has its values joined by commas. */
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
  /** Genuine and about our operation, but it decides nothing. */
  | { readonly kind: 'undecided'; readonly uniqueReference: UniqueReference; readonly cause: UnknownCause }
  /** Genuine, about an operation that is not ours. */
  | { readonly kind: 'not_ours' }
  /** Failed verification. `claimed` is its content; with a bad signature it can be from anybody. */
  | { readonly kind: 'rejected'; readonly reason: VerificationFailure; readonly claimed: ClaimedCallback };

export type ClaimedCallback = {
  readonly uniqueReference?: UniqueReference;
  readonly gatewayReference?: string;
  readonly amountMinor?: number;
  readonly code?: string;
  /** Whether it claims that money moved. */
  readonly approved: boolean;
};

/** A flow that sends operations: it knows what it sent, and receives the callbacks about it. */
export type OperationOwner = {
  /** The operation of this reference as it was sent, and through which account; undefined where it is not one of its own. */
  findSent(
    uniqueReference: UniqueReference,
  ): Promise<{ readonly gatewayAccountId: string | null; readonly sent: SentOperation } | undefined>;
  takeOutcome(uniqueReference: UniqueReference, outcome: LateApproval | Declined): Promise<void>;
  /** A callback that names this operation and is not believed. */
  reportRejected(uniqueReference: UniqueReference, rejection: CallbackRejection): Promise<void>;
};

export type CallbackRejection = { readonly reason: VerificationFailure; readonly claimed: ClaimedCallback };
