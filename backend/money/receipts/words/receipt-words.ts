import type { ReceiptFacts, ReceiptReturn } from '@florin/shared/receipts/document.ts';
import type { EmailRefusal } from '../receipt.ts';

/** Everything that a receipt says in one language; amounts and times are formatted already. */
export type ReceiptWords = {
  readonly titles: Readonly<Record<ReceiptFacts['kind'], string>>;
  readonly facts: Readonly<
    Record<
      | 'paidOn'
      | 'voidedOn'
      | 'refundedOn'
      | 'amount'
      | 'tip'
      | 'for'
      | 'reference'
      | 'paidWith'
      | 'returnedTo'
      | 'read'
      | 'application'
      | 'authorisation'
      | 'transaction'
      | 'invoice'
      | 'payment'
      | 'receipt'
      | 'left',
      string
    >
  >;
  readonly methods: Readonly<Record<ReceiptFacts['paidWith']['method'], string>>;
  /** A card whose scheme is not known. */
  readonly card: string;
  readonly entryModes: Readonly<Record<'chip' | 'contactless' | 'swipe', string>>;
  readonly returns: Readonly<Record<ReceiptReturn['kind'], string>>;
  readonly returnsTitle: string;
  /** The sale that a void or refund returned money of. */
  readonly ofSale: (amount: string, day: string) => string;
  /** What a void means for the customer's card. */
  readonly voidMeans: string;
  readonly nothingLeft: string;
  readonly page: {
    readonly print: string;
    readonly email: string;
    readonly emailLabel: string;
    readonly emailHint: string;
    readonly send: string;
    readonly sent: string;
    readonly refused: Readonly<Record<Exclude<EmailRefusal['kind'], 'receipt_not_found'> | 'address_invalid', string>>;
    readonly proof: string;
    readonly proofWhy: string;
    readonly download: string;
    readonly verify: string;
    readonly none: string;
    readonly noneWhy: string;
  };
  readonly paper: {
    readonly scan: string;
    readonly copy: string;
  };
  readonly letter: {
    readonly subject: (merchant: string) => string;
    readonly open: string;
    readonly later: string;
    readonly reason: (merchant: string) => string;
  };
};
