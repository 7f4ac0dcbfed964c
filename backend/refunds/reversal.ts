import type { Database } from '../database/database.ts';
import type { PaymentRow } from '../database/schema.ts';
import { paymentById } from '../payments/store.ts';
import type { RefundService } from './service.ts';

/** Takes back an approval that no customer was told of; answers the payment afterwards. */
export type ReversePayment = (payment: PaymentRow, reason: string) => Promise<PaymentRow>;

/** A reversal is a CANCEL like any other, except that nobody has to authorise it. */
export function paymentReversal(options: {
  database: Database;
  refunds: Pick<RefundService, 'requestCard'>;
}): ReversePayment {
  const { database, refunds } = options;
  return async (payment, reason) => {
    const { businessId, id, terminalId } = payment;
    if (terminalId === null) throw new Error(`payment ${id} was not taken on a terminal`);
    const outcome = await refunds.requestCard({
      businessId,
      paymentId: id,
      kind: 'CANCEL',
      amountMinor: null,
      by: { kind: 'terminal', terminalId },
      isReversal: true,
      reason: `reversal: ${reason}`,
      clientRequestId: null,
    });
    if (outcome.kind === 'done') return outcome.view.payment;
    return (await database.first(paymentById, { businessId, id })) ?? payment;
  };
}
