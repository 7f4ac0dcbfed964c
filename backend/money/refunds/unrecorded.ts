import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { ListedOperation } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { paymentForUpdate } from '../payments/store.ts';
import { earlierPaymentByInvoice, refundByUniqueReference } from './store.ts';

/** A refund of the gateway's list that may be missing in the records. */
export type ListedRefund = {
  /** Where its payment may be: several businesses can use one account at the gateway, each with its own invoice numbers. */
  readonly among: readonly { readonly businessId: string; readonly gatewayAccountId: string }[];
  readonly operation: ListedOperation;
  /** The records end here: a payment made later is not the one that was refunded. */
  readonly recordsEndAt: Instant;
};

/** `unidentified`: no payment in the records fits, so nothing can be held. Else on every payment that fits. */
export type RecordUnrecorded = (
  refund: ListedRefund,
) => Promise<
  | { readonly kind: 'known'; readonly gatewayAccountId: string | null }
  | { readonly kind: 'unidentified' }
  | { readonly kind: 'held'; readonly payments: readonly { readonly id: string; readonly businessId: string }[] }
>;

/**
 * Raises a discrepancy about a refund that the gateway made and the records do not have, and holds its amount, so that
 * it is not returned a second time. Once, however often it is called.
 */
export function recordUnrecorded(options: { database: Database; discrepancies: Discrepancies }): RecordUnrecorded {
  const { database, discrepancies } = options;

  async function fitting({ among, operation, recordsEndAt: madeBy }: ListedRefund): Promise<PaymentRow[]> {
    const { invoiceNumber, amountMinor, currency, cardLastFour } = operation;
    if (invoiceNumber === null) return [];
    const found: PaymentRow[] = [];
    for (const account of among) {
      const payment = await database.first(earlierPaymentByInvoice, { ...account, invoiceNumber, madeBy });
      if (payment) found.push(payment);
    }
    const possible = found.filter(payment => currencyNumber(payment.currency) === currencyNumber(currency));
    // They only choose among several: what is held in vain can be released, what is returned twice is gone.
    const likely = possible.filter(
      payment => payment.amountMinor >= amountMinor && (cardLastFour === null || payment.cardLastFour === cardLastFour),
    );
    return likely.length > 0 ? likely : possible;
  }

  return async refund => {
    const { uniqueReference, gatewayReference, amountMinor } = refund.operation;
    const known = await database.first(refundByUniqueReference, { uniqueReference });
    if (known) return { kind: 'known', gatewayAccountId: known.gatewayAccountId };
    const payments = await fitting(refund);
    if (payments.length === 0) return { kind: 'unidentified' };
    for (const { businessId, id: paymentId } of payments) {
      await database.write(async tx => {
        const payment = await tx.first(paymentForUpdate, { businessId, id: paymentId });
        if (!payment) throw new Error(`payment ${paymentId} is missing`);
        const { status, refundedMinor, creditedMinor } = payment;
        await discrepancies.raise(tx, {
          businessId,
          paymentId,
          kind: 'refund_not_recorded',
          evidence: gatewayReference,
          recorded: { status, refundedMinor, creditedMinor },
          gateway: { uniqueReference, gatewayReference, amountMinor },
          contestedMinor: amountMinor,
        });
      });
    }
    return { kind: 'held', payments };
  };
}
