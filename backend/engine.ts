import type { Clock, Ids, Random, Timers } from '@florin/shared/ports.ts';
import type { Result } from '@florin/shared/result.ts';
import { type AuditService, auditService } from './audit/service.ts';
import { type AuditLog, type AuditStore, auditLog, auditStore } from './audit/store.ts';
import type { Database, Transaction } from './database/database.ts';
import type { PaymentRow } from './database/schema.ts';
import type { CardGateway } from './gateways/gateway.ts';
import { type AskingSettings, defaultAsking } from './jobs/asking.ts';
import { type Job, type JobRunner, jobRunner } from './jobs/runner.ts';
import { type PaymentLinkService, paymentLinkService } from './payment-links/service.ts';
import { addPaid } from './payment-links/store.ts';
import { paymentRecovery } from './payments/jobs.ts';
import { journal } from './payments/journal.ts';
import { type PaymentService, paymentService } from './payments/service.ts';
import { defaultSettlement, paymentSettlement, type SettlementSettings } from './payments/settlement.ts';
import { paymentById } from './payments/store.ts';
import { type CallbackOutcome, gatewayCallbacks } from './refunds/callbacks.ts';
import { type IdentifyRefusal, type IdentifyRequest, paymentIdentification } from './refunds/identify.ts';
import { refundRecovery } from './refunds/jobs.ts';
import { type RefundService, refundService } from './refunds/service.ts';
import { type StaffChecks, staffChecks } from './staff/authorisation.ts';
import { defaultLockout, type LockoutSettings } from './staff/lockout.ts';
import type { DerivePassword } from './staff/password.ts';
import { defaultStaffSettings, type StaffService, type StaffSettings, staffService } from './staff/service.ts';

export type EngineSettings = {
  readonly asking: AskingSettings;
  readonly settlement: SettlementSettings;
  readonly lockout: LockoutSettings;
  readonly staff: StaffSettings;
  /** How often background work looks for something to do. */
  readonly recoveryEveryMs: number;
  readonly purgeEveryMs: number;
};

export const defaultEngineSettings: EngineSettings = {
  asking: defaultAsking,
  settlement: defaultSettlement,
  lockout: defaultLockout,
  staff: defaultStaffSettings,
  recoveryEveryMs: 1_000,
  purgeEveryMs: 10 * 60_000,
};

/** What the engine takes from outside itself. compose.ts chooses the real ones, the simulation its own. */
export type EnginePorts = {
  readonly database: Database;
  readonly gateway: CardGateway;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly derivePassword: DerivePassword;
  readonly settings?: Partial<EngineSettings>;
  readonly onJobError: (job: string, error: unknown) => void;
};

export type Engine = {
  readonly audit: AuditLog;
  readonly auditEntries: AuditStore;
  readonly auditTrail: AuditService;
  readonly staffChecks: StaffChecks;
  readonly staff: StaffService;
  readonly payments: PaymentService;
  readonly refunds: RefundService;
  readonly paymentLinks: PaymentLinkService;
  /** Which payment of a link a refund means. */
  readonly identifyPayment: (request: IdentifyRequest) => Promise<Result<PaymentRow, IdentifyRefusal>>;
  /** Takes what the gateway posted to us on its own. */
  readonly takeCallback: (rawBody: string) => Promise<CallbackOutcome>;
  readonly jobs: JobRunner;
  readonly settings: EngineSettings;
};

/** The money flows, wired to each other over ports: payments, refunds, staff, audit and their background work. */
export function engineOf(ports: EnginePorts): Engine {
  const settings = { ...defaultEngineSettings, ...ports.settings };
  const { asking, settlement } = settings;
  const audit = auditLog(ports);
  const story = journal(ports);
  const checks = staffChecks({ ...ports, audit, lockout: settings.lockout });
  const staff = staffService({ ...ports, audit, checks, settings: settings.staff });
  const paymentSettling = paymentSettlement({ ...ports, journal: story, settings: settlement });
  const refunds = refundService({
    ...ports,
    audit,
    journal: story,
    staffChecks: checks,
    paymentSettlement: paymentSettling,
    asking,
  });
  const payments = paymentService({
    ...ports,
    journal: story,
    asking,
    settlement,
    voidAuthorisation: voidWith(ports.database, refunds),
    onTaken: countTowardsLink,
  });
  const paymentAsking = paymentRecovery({ ...ports, payments, asking });
  const refundAsking = refundRecovery({ ...ports, refunds, asking });
  const recovery = { everyMs: settings.recoveryEveryMs, batch: asking.batch };
  const jobs: Job[] = [
    { name: 'refund-recovery', ...recovery, run: () => refundAsking.recover() },
    { name: 'payment-recovery', ...recovery, run: () => paymentAsking.recover() },
    { name: 'given-up-sales', everyMs: settings.recoveryEveryMs, run: () => payments.reverseGivenUp(asking.batch) },
    { name: 'settlement', ...recovery, batch: settlement.batch, run: () => paymentSettling.poll() },
    { name: 'nonce-purge', everyMs: settings.purgeEveryMs, run: () => staff.deleteExpiredNonces() },
  ];
  const auditEntries = auditStore(ports.database);
  return {
    audit,
    auditEntries,
    auditTrail: auditService({ ...ports, store: auditEntries }),
    staffChecks: checks,
    staff,
    payments,
    refunds,
    paymentLinks: paymentLinkService({ ...ports, payments }),
    identifyPayment: paymentIdentification({ ...ports, paymentSettlement: paymentSettling }),
    takeCallback: gatewayCallbacks({ gateway: ports.gateway, refunds, payments }),
    jobs: jobRunner({ jobs, timers: ports.timers, onError: ports.onJobError }),
    settings,
  };
}

/** A reversal is a CANCEL like any other, except that nobody has to authorise it. */
function voidWith(database: Database, refunds: RefundService) {
  return async (payment: PaymentRow, reason: string): Promise<PaymentRow> => {
    const { businessId, id, terminalId } = payment;
    if (terminalId === null) throw new Error(`payment ${id} was not taken on a terminal`);
    const outcome = await refunds.requestCard({
      businessId,
      paymentId: id,
      kind: 'CANCEL',
      amountMinor: null,
      origin: { kind: 'reversal', terminalId },
      reason: `reversal: ${reason}`,
      clientRequestId: null,
    });
    if (outcome.kind === 'done') return outcome.view.payment;
    return (await database.first(paymentById, { businessId, id })) ?? payment;
  };
}

async function countTowardsLink(tx: Transaction, payment: PaymentRow): Promise<void> {
  const { paymentLinkId, amountMinor } = payment;
  if (paymentLinkId !== null) await tx.run(addPaid, { id: paymentLinkId, amountMinor });
}
