import type { CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { ClaimRefusal, ClaimStatus } from '@florin/shared/contracts/claims.ts';

/** The heading and the lines of a notice or of a short page. */
export type Said = { readonly title: string; readonly lines: readonly string[] };

/** What scripts say by themselves. `{time}` stands for the minutes and seconds that are left. */
export type ScriptWords = {
  readonly copied: string;
  readonly payWholeWithin: string;
  readonly payRestWithin: string;
  readonly timeIsOver: string;
  readonly tagHold: string;
  readonly tagWritten: string;
  readonly tagFailed: string;
  readonly cardFields: string;
  /** While a wallet's own sheet is open: nothing is paid before it is confirmed there. */
  readonly confirmInWallet: string;
  readonly paying: string;
  readonly checking: string;
  readonly notMade: string;
  readonly tooManyRequests: string;
  readonly findingOut: string;
  readonly providerUnreachable: string;
  readonly notArrived: string;
};

/** A part of an amount of bitcoin, both formatted. */
type Part = { readonly part: string; readonly whole: string };

/**
 * Everything that customers' pages say in one language, except receipts, which have their own words. Names, amounts and
 * times are given as they are to be read. Sentences of several values take them by name, because languages order them
 * differently.
 */
export type PayerWords = {
  readonly languageSwitch: string;
  readonly noScript: { readonly waitReload: string; readonly paidReload: string };
  readonly nowhere: Said;
  readonly refused: {
    readonly title: string;
    readonly tooManyRequests: string;
    readonly fromElsewhere: string;
    readonly other: string;
    readonly next: string;
  };
  readonly waiting: string;
  readonly showsByItself: string;
  readonly goesByItself: string;
  readonly connectionLost: string;
  readonly codeStillWorks: string;

  readonly openInWallet: string;
  readonly copy: string;
  readonly writeTag: string;
  readonly payWholeBy: (time: string) => string;
  readonly payRestBy: (time: string) => string;
  readonly lightningInvoice: string;
  readonly lightningAddress: string;
  readonly bitcoinAddress: string;
  readonly amountInBitcoin: string;
  readonly codes: Readonly<Record<'lightning' | 'onchain' | 'wallet' | 'tip', string>>;

  readonly claim: {
    readonly about: (value: { readonly sats: string; readonly worth: string }) => string;
    readonly states: Readonly<Record<ClaimStatus, (merchant: string) => string>>;
    readonly refusals: Readonly<Record<ClaimRefusal, string>>;
    readonly where: string;
    readonly hint: string;
    readonly hintAgain: (merchant: string) => string;
    readonly ask: string;
    readonly given: (destination: string) => string;
    readonly givenCheck: (merchant: string) => string;
    readonly isItWrong: string;
    readonly toBeReturned: (amount: string) => string;
    readonly wereReturned: (amount: string) => string;
    readonly whyOnLink: string;
  };

  readonly confirmation: {
    readonly one: string;
    readonly several: string;
    readonly paidTo: string;
    readonly returnedSince: string;
    readonly invoice: string;
    readonly receipt: string;
    readonly receiptFor: (invoiceNumber: string) => string;
    readonly receiptByEmail: string;
  };

  /** Of a payment on chain, at checkouts and links. */
  readonly onTheirWay: {
    readonly title: string;
    readonly whole: (sats: string) => string;
    readonly partTitle: string;
    readonly partOfCheckout: (amounts: Part) => string;
    readonly partOfLink: (amounts: Part) => string;
  };

  readonly checkout: {
    readonly titles: Readonly<Record<CheckoutStatus, string>>;
    readonly unavailable: Said;
    readonly order: (orderId: string) => string;
    readonly satsAt: (value: { readonly sats: string; readonly price: string }) => string;
    readonly interrupted: string;
    readonly interruptedWhy: (merchant: string) => string;
    readonly timeIsUp: string;
    readonly beingChecked: string;
    readonly partArrived: string;
    readonly sendTheOther: (amounts: Part & { readonly rest: string }) => string;
    readonly received: (value: { readonly merchant: string; readonly sats: string }) => string;
    readonly moreThanAsked: (amount: string) => string;
    readonly notEnough: string;
    readonly arrivedOf: (amounts: Part) => string;
    readonly tooLate: string;
    readonly arrivedAfter: (amount: string) => string;
    readonly nothingPaid: (merchant: string) => string;
    readonly cancelledArrived: (amount: string) => string;
    readonly cancelled: string;
    readonly howToPay: string;
    readonly waysToPay: string;
    readonly networks: Readonly<Record<'lightning' | 'onchain', string>>;
    readonly backTo: (merchant: string) => string;
  };

  readonly pay: {
    readonly unavailable: Said;
    readonly bankChecked: Said;
    readonly payableUntil: (time: string) => string;
    readonly success: string;
    readonly paid: string;
    readonly paidWhy: (merchant: string) => string;
    readonly continueTo: (merchant: string) => string;
    readonly expired: string;
    readonly expiredPaid: string;
    readonly expiredPart: (value: { readonly paid: string; readonly merchant: string }) => string;
    readonly expiredUnpaid: (merchant: string) => string;
    readonly partTaken: string;
    readonly partTakenWhy: (value: Part & { readonly merchant: string }) => string;
    readonly partPaid: string;
    readonly partPaymentUnavailable: (rest: string) => string;
    readonly payRest: (merchant: string) => string;
    readonly paidSoFar: string;
    readonly leftToPay: string;
    readonly sending: Said;
    readonly checking: Said;
    readonly checkingLater: (merchant: string) => string;
    readonly contactingBank: Said;
    readonly bankAsks: Said;
    readonly bankElsewhere: string;
    readonly bankElsewhereWhy: (time: string) => string;
    readonly voided: string;
    readonly voidedBy: (merchant: string) => string;
    readonly voidedPayBelow: string;
    readonly voidedAskForNew: string;
    readonly failed: Said;
    readonly declined: Readonly<Record<'bank' | 'bank_check' | 'bank_check_incomplete', Said>>;
    readonly toBank: string;
    readonly bankFrame: string;
    readonly startAgain: string;
    readonly notPayable: string;
    readonly contact: (merchant: string) => string;
    /** Among the ways to pay that `payBy` lists. */
    readonly card: string;
    readonly payBy: (methods: string) => string;
    readonly needsScript: string;
    readonly needsScriptWhy: (merchant: string) => string;
    readonly loading: string;
    readonly payAmount: (amount: string) => string;
    readonly cardPrivacy: (merchant: string) => string;
    readonly or: string;
    readonly inBitcoin: string;
    readonly anotherWay: string;
    readonly priceOfOne: (price: string) => string;
    readonly bitcoinUnavailable: Said;
    readonly bitcoinAmount: Said;
    readonly inProgress: Said;
    readonly partArrived: string;
    readonly sendMore: (value: {
      readonly arrived: string;
      readonly rest: string;
      readonly merchant: string;
    }) => string;
    readonly arrivedPaysNothing: (time: string) => string;
  };

  readonly tip: {
    readonly title: (name: string) => string;
    readonly how: (limits: { readonly least: string; readonly most: string }) => string;
    readonly unavailable: Said;
  };

  readonly script: ScriptWords;
};
