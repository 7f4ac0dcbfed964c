import type { merchantRefundReasons } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { RefundStatus } from '../rows.ts';

export type BlockReason = (typeof merchantRefundReasons)[number];

/** What is said about refunds, in one language; amounts and dates are formatted already. */
export type RefundWords = {
  readonly blocked: Readonly<Record<BlockReason, string>>;
  /** Where more is asked for than is left after others were returned. */
  readonly onlyLeft: (left: string, whole: string) => string;
  readonly onlyLeftSats: (left: string, whole: string) => string;
  readonly card: (scheme: string | null, lastFour: string | null) => string;
  /** What will happen. */
  readonly refund: (amount: string, card: string) => string;
  readonly void: (amount: string, card: string) => string;
  readonly record: (amount: string) => string;
  readonly left: (amount: string | null) => string;
  readonly leftSats: (amount: string | null) => string;
  readonly twice: string;
  /** What to tell the customer. */
  readonly customer: {
    readonly paymentUnknown: (amount: string) => string;
    readonly paymentDeclined: (amount: string) => string;
    readonly paymentFailed: (amount: string) => string;
    readonly paymentRejected: (amount: string) => string;
    /** Approved by the bank, and not collected yet. */
    readonly authorised: (amount: string, day: string) => string;
    readonly paid: (amount: string, day: string) => string;
    readonly voided: (amount: string) => string;
    readonly refundUnknown: (amount: string) => string;
    readonly refundDeclined: (amount: string, day: string) => string;
    readonly refundFailed: (amount: string, day: string) => string;
    /** With the card and the gateway's reference, where they are known. */
    readonly refundSent: (amount: string, day: string, card: string | null, reference: string | null) => string;
    readonly refundRecorded: (amount: string, day: string) => string;
    /** Of several refunds: the sum, a line for each, and when the money appears. */
    readonly several: Readonly<
      Record<RefundStatus, (amount: string, day: string, reference: string | null) => string>
    > & {
      readonly sum: (whole: string, returned: string | null, card: string | null, left: string | null) => string;
      readonly usually: (hasReferences: boolean) => string;
    };
  };
};
