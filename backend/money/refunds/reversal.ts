import type { ReturnPayment } from '../payments/reversal.ts';
import type { RefundService } from './service.ts';

/** A void or refund that needs no authorisation; otherwise like any other. */
export function returnPayment(refunds: Pick<RefundService, 'requestCard'>): ReturnPayment {
  return async ({ payment, kind, reason }) => {
    const { businessId, id: paymentId, terminalId } = payment;
    if (terminalId === null) throw new Error(`payment ${paymentId} was not taken on a terminal`);
    const outcome = await refunds.requestCard({
      businessId,
      paymentId,
      kind,
      amountMinor: null,
      by: { kind: 'terminal', terminalId },
      isReversal: true,
      reason,
      clientRequestId: null,
    });
    return outcome.kind === 'done' ? outcome.view.refund.status : 'refused';
  };
}
