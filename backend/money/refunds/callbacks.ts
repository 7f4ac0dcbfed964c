import type { Database } from '../../foundation/database/database.ts';
import type { OperationOwner } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { paymentById } from '../payments/store.ts';
import { operationOf, sentAmountOf } from './refund.ts';
import type { RefundService } from './service.ts';
import { refundByUniqueReference } from './store.ts';

/** Refunds and voids, as far as the gateway's callbacks go. */
export function refundCallbacks(options: {
  database: Database;
  discrepancies: Discrepancies;
  refunds: Pick<RefundService, 'recordGatewayOutcome'>;
}): OperationOwner {
  const { database, discrepancies, refunds } = options;
  return {
    async findSent(uniqueReference) {
      const refund = await database.first(refundByUniqueReference, { uniqueReference });
      if (!refund) return undefined;
      const payment = await database.first(paymentById, { businessId: refund.businessId, id: refund.paymentId });
      if (!payment) throw new Error(`payment ${refund.paymentId} of refund ${refund.id} is missing`);
      const { gatewayReference } = payment;
      return {
        gatewayAccountId: refund.gatewayAccountId,
        sent: {
          operation: operationOf(refund.kind),
          uniqueReference,
          amount: sentAmountOf(refund, payment),
          ...(gatewayReference === null ? {} : { gatewayReference }),
        },
      };
    },
    async takeOutcome(uniqueReference, outcome) {
      await refunds.recordGatewayOutcome({ uniqueReference, outcome, knownBy: 'callback' });
    },
    async reportRejected(uniqueReference, { reason, claimed }) {
      const refund = await database.first(refundByUniqueReference, { uniqueReference });
      if (!refund) return;
      const { businessId, paymentId, id: refundId, amountMinor: recordedMinor } = refund;
      // An approval of another amount may mean that money moved; any other failure has no effect on money.
      const kind =
        reason === 'amount_differs' && claimed.approved ? 'refund_amount_differs' : (`callback_${reason}` as const);
      const recorded = { status: refund.status, amountMinor: recordedMinor };
      const gateway = { ...claimed, knownBy: 'callback' };
      // What is reported in excess of what is reserved already.
      const contestedMinor =
        kind === 'refund_amount_differs' ? Math.max(0, (claimed.amountMinor ?? 0) - recordedMinor) : 0;
      await database.write(tx =>
        discrepancies.raise(tx, { businessId, paymentId, refundId, kind, recorded, gateway, contestedMinor }),
      );
    },
  };
}
