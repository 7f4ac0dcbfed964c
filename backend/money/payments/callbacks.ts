import { money } from '@florin/shared/money.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { OperationOwner } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { PaymentService } from './service.ts';
import { paymentByUniqueReference } from './store.ts';

/** Authorisations, as far as the gateway's callbacks go. */
export function paymentCallbacks(options: {
  database: Database;
  discrepancies: Discrepancies;
  payments: Pick<PaymentService, 'recordGatewayOutcome'>;
}): OperationOwner {
  const { database, discrepancies, payments } = options;
  return {
    async findSent(uniqueReference) {
      const payment = await database.first(paymentByUniqueReference, { uniqueReference });
      if (!payment) return undefined;
      const { gatewayAccountId, amountMinor, currency } = payment;
      return {
        gatewayAccountId,
        sent: { operation: 'authorise', uniqueReference, amount: money(amountMinor, currency) },
      };
    },
    async takeOutcome(uniqueReference, outcome) {
      await payments.recordGatewayOutcome({ uniqueReference, outcome, knownBy: 'callback' });
    },
    async reportRejected(uniqueReference, { reason, claimed }) {
      const payment = await database.first(paymentByUniqueReference, { uniqueReference });
      if (!payment) return;
      const { businessId, id: paymentId, amountMinor: recordedMinor } = payment;
      // An approval of another amount may mean that money moved; any other failure has no effect on money.
      const kind =
        reason === 'amount_differs' && claimed.approved ? 'payment_amount_differs' : (`callback_${reason}` as const);
      const recorded = { amountMinor: recordedMinor };
      const gateway = { ...claimed, knownBy: 'callback' };
      await database.write(tx => discrepancies.raise(tx, { businessId, paymentId, kind, recorded, gateway }));
    },
  };
}
