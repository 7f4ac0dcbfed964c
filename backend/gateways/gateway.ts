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
  /** Verifies and reads a callback the gateway posted to us; undefined when it is not genuine. */
  readCallback(rawBody: string): GatewayCallback | undefined;
}

export type GatewayCapabilities = {
  readonly cardPresent: boolean;
  readonly ecommerce: boolean;
  readonly threeDSecure: boolean;
  /** Whether `lookup` can find an operation by its unique reference alone. */
  readonly lookupByUniqueReference: boolean;
  readonly callbacks: boolean;
};

/** Ours, fresh for every operation, made and stored before anything is sent. */
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
/** The request certainly never left: refused connection, no route, name not found. */
export type NotSent = { readonly kind: 'notSent'; readonly cause: string };
export type UnknownCause =
  | 'timeout'
  | 'connection_lost'
  | 'gateway_error'
  | 'bad_signature'
  | 'reply_does_not_match'
  | 'in_progress'
  | 'duplicate'
  | 'malformed_reply';

export type OperationOutcome = Approved | Declined | Unknown | NotSent;

export type CardSummary = { readonly scheme: string; readonly lastFour: string };
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

export type LookupRequest = {
  readonly operation: 'authorise' | 'cancel' | 'refundSale' | 'refund';
  readonly uniqueReference: UniqueReference;
  /** The gateway's reference of the payment the operation was about; absent for an authorisation. */
  readonly gatewayReference?: string;
  readonly amount: Money;
  readonly sentAt: Instant;
  /** How an authorisation was sent. Without it, `notFound` takes the word of every interface it may have gone to. */
  readonly channel?: 'cardPresent' | 'ecommerce';
};

export type LookupOutcome =
  | (Approved & { readonly authorisationCode?: string; readonly card?: CardSummary; readonly amount?: Money })
  | Declined
  /** The gateway answered and knows no such operation. It may still be on its way there. */
  | { readonly kind: 'notFound' }
  /** The gateway knows it and has not decided yet. */
  | { readonly kind: 'inProgress' }
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
/** `settling`: handed to the bank, neither voidable nor refundable until it is `settled`. */
export type GatewayPaymentState = 'unsettled' | 'settling' | 'settled' | 'cancelled' | 'declined' | 'other';

export type GatewayCallback = {
  readonly uniqueReference: UniqueReference;
  readonly outcome: Approved | Declined;
  readonly amountMinor: number;
  /** Set where the bank approved only this part of a sale. */
  readonly isPart?: boolean;
  readonly authorisationCode?: string;
  readonly card?: CardSummary;
};
