import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { ListedOperation } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { paymentForUpdate } from '../payments/store.ts';
import { earlierPaymentByInvoice, refundByUniqueReference } from './store.ts';

/** A refund of the gateway's list that may be missing in the records. */
export type ListedRefund = {
  readonly businessId: string;
  readonly gatewayAccountId: string;
  readonly operation: ListedOperation;
  /** The records end here: a payment made later is not the one that was refunded. */
  readonly recordsEndAt: Instant;
};

/** `unidentified`: no payment in the records fits, so nothing can be held. */
export type RecordUnrecorded = (
  refund: ListedRefund,
) => Promise<{ readonly kind: 'known' | 'unidentified' } | { readonly kind: 'held'; readonly paymentId: string }>;

/**
 * Raises a discrepancy about a refund that the gateway made and the records do not have, and holds its amount, so that
 * it is not returned a second time. Once, however often it is called.
 */
export function recordUnrecorded(options: { database: Database; discrepancies: Discrepancies }): RecordUnrecorded {
  const { database, discrepancies } = options;
  return async ({ businessId, gatewayAccountId, operation, recordsEndAt: madeBy }) => {
    const { uniqueReference, invoiceNumber, gatewayReference, amountMinor, currency } = operation;
    if (await database.first(refundByUniqueReference, { uniqueReference })) return { kind: 'known' };
    if (invoiceNumber === null) return { kind: 'unidentified' };
    const found = await database.first(earlierPaymentByInvoice, {
      businessId,
      gatewayAccountId,
      invoiceNumber,
      madeBy,
    });
    if (!found || currencyNumber(found.currency) !== currencyNumber(currency)) return { kind: 'unidentified' };
    await database.write(async tx => {
      const payment = await tx.first(paymentForUpdate, { businessId, id: found.id });
      if (!payment) throw new Error(`payment ${found.id} is missing`);
      const { id: paymentId, status, refundedMinor, creditedMinor } = payment;
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
    return { kind: 'held', paymentId: found.id };
  };
}
