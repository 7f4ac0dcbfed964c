import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { AuditLog } from '../audit/log.ts';
import type { Database } from '../database/database.ts';
import { discrepancies } from '../discrepancies/discrepancies.ts';
import type { Events } from '../events/announce.ts';
import type { Gateways, OperationOwner } from '../gateways/gateway.ts';
import type { PollingSettings } from '../jobs/polling.ts';
import type { Module } from '../module.ts';
import { paymentCallbacks } from './callbacks.ts';
import { type CompletionSettings, uncompletedSales } from './completion.ts';
import { paymentRecovery } from './jobs.ts';
import { type ReturnPayment, type ReversalSettings, reversals as reversalsOf } from './reversal.ts';
import { paymentRoutes, saleRoutes } from './routes.ts';
import { saleRecords } from './sale-records.ts';
import { type PaymentService, type PaymentServiceOptions, paymentService } from './service.ts';
import { type OnVoided, type PaymentSettlement, paymentSettlement, type SettlementSettings } from './settlement.ts';
import { paymentTimeline } from './timeline.ts';
import { paymentViews } from './views.ts';

export type PaymentPorts = Pick<PaymentServiceOptions, 'onTaken' | 'mayAuthorise'> & {
  readonly onVoided: OnVoided;
  readonly database: Database;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly events: Events;
  readonly polling: PollingSettings;
  readonly settlement: SettlementSettings;
  readonly reversal: ReversalSettings;
  readonly completion: CompletionSettings;
  readonly audit: AuditLog;
  readonly returnPayment: ReturnPayment;
  readonly recoveryEveryMs: number;
};

export function paymentsModule(
  ports: PaymentPorts,
): Module<PaymentService & { settlement: PaymentSettlement; callbacks: OperationOwner }> {
  const { polling, recoveryEveryMs: everyMs } = ports;
  const timeline = paymentTimeline(ports);
  const options = {
    ...ports,
    timeline,
    discrepancies: discrepancies({ ...ports, timeline }),
  };
  const settlement = paymentSettlement({ ...options, settings: ports.settlement });
  const reversals = reversalsOf({
    ...options,
    paymentSettlement: settlement,
    leaseMs: polling.leaseMs,
    settlementPollMs: ports.settlement.pollMs,
    settings: ports.reversal,
  });
  const payments = paymentService({ ...options, reverse: reversals.carryOut });
  const findUncompleted = uncompletedSales(options);
  const recover = paymentRecovery({ ...ports, payments });
  return {
    service: { ...payments, settlement, callbacks: paymentCallbacks({ ...options, payments }) },
    routes: [
      ...saleRoutes({ payments, sales: saleRecords(ports.database) }),
      ...paymentRoutes({ payments, views: paymentViews(ports.database) }),
    ],
    jobs: [
      { name: 'payment-recovery', everyMs, batch: polling.batch, run: () => recover() },
      { name: 'reversals', everyMs, batch: polling.batch, run: () => reversals.run(polling.batch) },
      { name: 'uncompleted-sales', everyMs, batch: polling.batch, run: () => findUncompleted(polling.batch) },
      { name: 'settlement', everyMs, batch: ports.settlement.batch, run: () => settlement.poll() },
    ],
  };
}
