import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { SentOperation, VerificationFailure } from './gateway.ts';

/** The facts that a reply, callback or report row states about its operation; omitted if not repeated. */
export type ReportedOperation = {
  readonly operation?: SentOperation['operation'] | undefined;
  readonly uniqueReference?: string | undefined;
  readonly amountMinor: number | undefined;
  /** Three letters or the ISO 4217 number. */
  readonly currency: string;
  /** The gateway's own reference of the operation. */
  readonly gatewayReference?: string | undefined;
};

/** The first difference from the operation sent; undefined if it matches. */
export function differenceFrom(sent: SentOperation, reported: ReportedOperation): VerificationFailure | undefined {
  if (reported.operation !== undefined && reported.operation !== sent.operation) return 'operation_differs';
  if (reported.uniqueReference !== undefined && reported.uniqueReference !== sent.uniqueReference)
    return 'reference_differs';
  const isRefund = sent.operation === 'refundSale' || sent.operation === 'refund';
  // A refund is its own transaction: a reply under its payment's reference is about another operation.
  if (isRefund && reported.gatewayReference !== undefined && reported.gatewayReference === sent.gatewayReference)
    return 'gateway_reference_differs';
  const currency = currencyNumber(reported.currency);
  if (currency === undefined || currency !== currencyNumber(sent.amount.currency)) return 'currency_differs';
  return reported.amountMinor === sent.amount.amountMinor ? undefined : 'amount_differs';
}
