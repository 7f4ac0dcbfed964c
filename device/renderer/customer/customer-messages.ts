import type { BitcoinStage, CustomerOutcome, SaleStage, Screen } from '../../ipc/view.ts';

type Words = { readonly title: string; readonly detail: string };

type BitcoinScreen = Extract<Screen, { name: 'bitcoin_sale' }>;

/** The messages of a bitcoin sale. */
export type BitcoinWords = {
  readonly stages: Readonly<Record<BitcoinStage, Words>>;
  readonly problems: Readonly<Record<NonNullable<BitcoinScreen['problem']>, Words>>;
  /** Without a connection: before a code was shown; while a request is withdrawn; the same after its code was shown. */
  readonly offline: { readonly noCodeYet: Words; readonly withdrawing: string; readonly withdrawingShown: string };
  readonly notWithdrawn: Readonly<Record<NonNullable<BitcoinScreen['notWithdrawn']>, string>>;
  /** A part has arrived; the rest is due. */
  readonly part: (received: string, rest: string) => string;
  /** A part is unconfirmed, and nothing else was sent. */
  readonly partSeen: (sent: string, total: string, rest: string) => string;
  /** Label of the remaining amount, until the whole amount is sent. */
  readonly leftToPay: string;
  readonly total: (total: string) => string;
  /** How long the code can still be paid. */
  readonly codeValidFor: (time: string) => string;
  /** The accessible name of the code. */
  readonly code: string;
  readonly payByCard: string;
  readonly payInBitcoin: string;
};

/** Every text for customers, on a terminal in kiosk mode and on the customer's display of a counter. */
export type CustomerMessages = {
  readonly idle: {
    readonly ready: string;
    readonly unavailable: Words;
    /** Opens the manager's sign-in. */
    readonly staff: string;
  };
  readonly toPay: string;
  readonly cancel: string;
  readonly cancelling: string;
  readonly cannotCancel: string;
  readonly done: string;
  /** Under a result, while the card is still in the reader. */
  readonly takeCard: string;
  readonly reference: (reference: string) => string;
  readonly receipt: string;
  readonly scanReceipt: string;
  readonly print: {
    readonly print: string;
    readonly states: Readonly<Record<'printing' | 'printed' | 'failed', string>>;
  };
  /** While the reader asks for a tip, and what of the amount is one. */
  readonly tip: Words & { readonly included: (amount: string) => string };
  readonly stages: Readonly<Record<SaleStage, Words>>;
  readonly bitcoin: BitcoinWords;
  readonly outcomes: Readonly<Record<CustomerOutcome, Words>>;
  /** Those that differ on the display of a counter: the customer ordered nowhere else, and staff are there. */
  readonly counterOutcomes: Readonly<Record<'declined' | 'not_charged', Words>>;
};
