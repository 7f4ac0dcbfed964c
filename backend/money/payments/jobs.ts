import { money } from '@florin/shared/money.ts';
import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import type { Gateways } from '../../gateways/gateway.ts';
import { lookUpOperation, outcomePolling } from '../../gateways/outcome-polling.ts';
import { claimPendingPayments } from './due-store.ts';
import { uniqueReferenceOf } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import type { PaymentService } from './service.ts';
import { postponePayment } from './store.ts';

/** Polls for authorisations whose outcome is unknown; returns how many there were. It never sends one. */
export function paymentRecovery(options: {
  database: Database;
  gateways: Gateways;
  clock: Clock;
  payments: Pick<PaymentService, 'recordGatewayOutcome' | 'failNotReceived' | 'abandonOnline' | 'endUnknownStep'>;
  polling: PollingSettings;
  leases: LeasesOn<Pick<PaymentRow, 'id'>>;
  log: Log;
}): () => Promise<number> {
  const { payments } = options;
  const idsOf = ({ businessId, id: paymentId }: PaymentRow) => ({ businessId, paymentId });
  return outcomePolling(options, {
    what: 'an authorisation',
    idsOf,
    claim: claimPendingPayments,
    postpone: postponePayment,
    async endUnconfirmed(payment) {
      if (payment.threeDSecureJson === null) return false;
      await payments.abandonOnline({ businessId: payment.businessId, paymentId: payment.id });
      return true;
    },
    lookUp: payment =>
      lookUpOperation(options, idsOf(payment), payment.gatewayAccountId, {
        operation: 'authorise',
        uniqueReference: uniqueReferenceOf(payment),
        amount: money(payment.amountMinor, payment.currency),
        sentAt: payment.sentAt ?? payment.createdAt,
        channel: payment.terminalId === null ? 'ecommerce' : 'cardPresent',
      }),
    record: (payment, outcome) =>
      payments.recordGatewayOutcome({ uniqueReference: uniqueReferenceOf(payment), outcome, knownBy: 'lookup' }),
    failNotReceived: payments.failNotReceived,
    endAwaitingCustomer: payments.endUnknownStep,
  });
}
