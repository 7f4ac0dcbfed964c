import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import { rowLeases } from '../../foundation/jobs/row-leases.ts';
import type { Module } from '../../foundation/module.ts';
import type { Gateways, OperationOwner } from '../../gateways/gateway.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import { paymentCallbacks } from './callbacks.ts';
import { type CompletionSettings, type SaleEndings, saleEndings, uncompletedSales } from './completion.ts';
import { renewPaymentLeases, renewReversalLeases } from './due-store.ts';
import { paymentRecovery } from './jobs.ts';
import { livePayments } from './live.ts';
import { type ReturnPayment, type ReversalSettings, reversals as reversalsOf } from './reversal.ts';
import { paymentRoutes, saleRoutes } from './routes.ts';
import { type SaleRecords, saleRecords as saleRecordsOf } from './sale-records.ts';
import { type PaymentService, type PaymentServiceOptions, paymentService } from './service.ts';
import {
  type OnPaymentLost,
  type PaymentSettlement,
  paymentSettlement,
  type SettlementSettings,
} from './settlement.ts';
import { paymentViews } from './views.ts';

export type PaymentPorts = Pick<PaymentServiceOptions, 'onTaken' | 'onReaderSale' | 'mayAuthorise'> & {
  readonly onPaymentLost: OnPaymentLost;
  readonly database: Database;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly leases: Leases;
  readonly events: Events & Pick<EventFeed, 'follow' | 'at'>;
  readonly discrepancies: Discrepancies;
  readonly polling: PollingSettings;
  readonly settlement: SettlementSettings;
  readonly reversal: ReversalSettings;
  readonly completion: CompletionSettings;
  readonly audit: AuditLog;
  readonly returnPayment: ReturnPayment;
  readonly recoveryEveryMs: number;
  readonly receipts: ReceiptAddresses;
};

/**
 * Card payments with their routes, gateway callbacks and jobs: polling of unknown outcomes, reversals, uncompleted
 * sales and settlement.
 */
export function paymentsModule(ports: PaymentPorts): Module<
  PaymentService & {
    readonly settlement: PaymentSettlement;
    readonly endings: SaleEndings;
    readonly saleRecords: SaleRecords;
    readonly callbacks: OperationOwner;
  }
> {
  const { database, polling, recoveryEveryMs: everyMs } = ports;
  const leases = rowLeases(ports, 'payments', renewPaymentLeases);
  const options = { ...ports, leases };
  const settlement = paymentSettlement({ ...options, settings: ports.settlement });
  const endings = saleEndings(ports);
  const saleRecords = saleRecordsOf(database, ports.receipts);
  const reversals = reversalsOf({
    ...ports,
    paymentSettlement: settlement,
    leases: rowLeases(ports, 'reversals', renewReversalLeases),
    settlementPollMs: ports.settlement.pollMs,
    settings: ports.reversal,
  });
  const payments = paymentService({ ...options, endings, reverse: reversals.carryOut });
  const findUncompleted = uncompletedSales(ports);
  const views = paymentViews(ports);
  const recover = paymentRecovery({ ...options, payments });
  return {
    service: { ...payments, settlement, endings, saleRecords, callbacks: paymentCallbacks({ ...ports, payments }) },
    routes: [
      ...saleRoutes({ payments, views, sales: saleRecords }),
      ...paymentRoutes({ ...ports, payments, views, follow: livePayments(ports.events) }),
    ],
    jobs: [
      { name: 'payment-recovery', everyMs, batch: polling.batch, run: () => recover() },
      { name: 'reversals', everyMs, batch: polling.batch, run: () => reversals.run(polling.batch) },
      { name: 'uncompleted-sales', everyMs, batch: polling.batch, run: () => findUncompleted(polling.batch) },
      { name: 'settlement', everyMs, batch: ports.settlement.batch, run: () => settlement.poll() },
    ],
  };
}
