import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import { rowLeases } from '../../foundation/jobs/row-leases.ts';
import type { Module } from '../../foundation/module.ts';
import type { Gateways, OperationOwner } from '../../gateways/gateway.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { StaffChecks } from '../../people/staff/authorisation.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { ReturnPayment } from '../payments/reversal.ts';
import type { SaleRecords } from '../payments/sale-records.ts';
import type { OnPaymentLost, PaymentSettlement } from '../payments/settlement.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import { refundCallbacks } from './callbacks.ts';
import { type HasLink, type IdentifyPayment, paymentIdentification } from './identify.ts';
import { refundRecovery } from './jobs.ts';
import { refundOptions } from './options.ts';
import { returnPayment } from './reversal.ts';
import { refundRoutes } from './routes.ts';
import { type ClosingClaims, type RefundService, refundService } from './service.ts';
import { renewRefundLeases } from './store.ts';
import { type RecordUnrecorded, recordUnrecorded } from './unrecorded.ts';

export type RefundPorts = {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly leases: Leases;
  readonly events: Events;
  readonly discrepancies: Discrepancies;
  readonly audit: AuditLog;
  readonly staffChecks: StaffChecks;
  readonly payments: { readonly settlement: PaymentSettlement; readonly saleRecords: SaleRecords };
  readonly hasLink: HasLink;
  readonly onPaymentLost: OnPaymentLost;
  readonly polling: PollingSettings;
  readonly closingClaims: ClosingClaims;
  readonly recoveryEveryMs: number;
  readonly receipts: ReceiptAddresses;
};

/**
 * Voids, refunds and bitcoin refunds with their routes, gateway callbacks and polling jobs; reversals use them through
 * `returnPayment`.
 */
export function refundsModule(ports: RefundPorts): Module<
  RefundService & {
    identifyPayment: IdentifyPayment;
    returnPayment: ReturnPayment;
    callbacks: OperationOwner;
    recordUnrecorded: RecordUnrecorded;
  }
> {
  const { polling, clock, payments, recoveryEveryMs: everyMs } = ports;
  const leases = rowLeases(ports, 'refunds', renewRefundLeases);
  const options = { ...ports, leases, paymentSettlement: payments.settlement };
  const refunds = refundService(options);
  const identifyPayment = paymentIdentification(options);
  const recovery = refundRecovery({ ...options, refunds });
  return {
    service: {
      ...refunds,
      identifyPayment,
      returnPayment: returnPayment(refunds),
      callbacks: refundCallbacks({ ...options, refunds }),
      recordUnrecorded: recordUnrecorded(options),
    },
    routes: refundRoutes({
      refunds,
      identifyPayment,
      options: refundOptions(ports.database),
      sales: payments.saleRecords,
      receipts: ports.receipts,
      clock,
    }),
    jobs: [
      { name: 'refund-recovery', everyMs, batch: polling.batch, run: () => recovery.recover() },
      { name: 'refund-confirmation', everyMs, batch: polling.batch, run: () => recovery.confirm() },
    ],
  };
}
