import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { inTraceOf } from '../../foundation/events/begun.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import { type Gateways, type LookupOutcome, outcomesOf } from '../../gateways/gateway.ts';
import { lookUpOperation, outcomePolling } from '../../gateways/outcome-polling.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { paymentById } from '../payments/store.ts';
import { operationOf, sentAmountOf } from './refund.ts';
import type { RefundRow } from './rows.ts';
import type { RefundService } from './service.ts';
import { claimRefunds, claimUnconfirmedRefunds, planConfirmation, postponeRefund } from './store.ts';

export type RefundRecovery = {
  /** Polls for pending refunds whose lease has expired; returns how many there were. It never sends a refund. */
  recover(): Promise<number>;
  /** Looks up approvals known only from a reply; returns how many there were. */
  confirm(): Promise<number>;
};

/**
 * Looks up refunds at their gateways and records what they report: of pending ones the outcome, of approved ones its
 * confirmation.
 */
export function refundRecovery(options: {
  database: Database;
  gateways: Gateways;
  clock: Clock;
  refunds: Pick<RefundService, 'recordGatewayOutcome' | 'failNotReceived'>;
  polling: PollingSettings;
  discrepancies: Discrepancies;
  leases: LeasesOn<Pick<RefundRow, 'id'>>;
  log: Log;
}): RefundRecovery {
  const { database, clock, refunds, polling, discrepancies, leases, log } = options;
  const idsOf = ({ businessId, paymentId, id: refundId }: RefundRow) => ({ businessId, paymentId, refundId });

  async function lookUp(refund: RefundRow): Promise<LookupOutcome> {
    const { businessId, paymentId } = refund;
    const payment = await database.first(paymentById, { businessId, id: paymentId });
    if (!payment) throw new Error(`payment ${paymentId} of refund ${refund.id} is missing`);
    return lookUpOperation(options, idsOf(refund), refund.gatewayAccountId, {
      operation: operationOf(refund.kind),
      uniqueReference: referenceOf(refund),
      ...(payment.gatewayReference ? { gatewayReference: payment.gatewayReference } : {}),
      amount: sentAmountOf(refund, payment),
      sentAt: refund.sentAt ?? refund.createdAt,
    });
  }

  const record = (refund: RefundRow, outcome: ReturnType<typeof outcomesOf>[number]) =>
    refunds.recordGatewayOutcome({ uniqueReference: referenceOf(refund), outcome, knownBy: 'lookup' });

  /** Looks up an approval that the gateway has not confirmed since its reply. */
  async function confirmOne(refund: RefundRow): Promise<void> {
    const found = await lookUp(refund);
    const { id: refundId, businessId, paymentId, amountMinor, gatewayReference, pollCount } = refund;
    log.info({ ...idsOf(refund), pollCount, answer: found.kind }, 'polled the gateway for an approved refund');
    switch (found.kind) {
      case 'approved':
      case 'declined':
        for (const outcome of outcomesOf(found)) await record(refund, outcome);
        return;
      case 'notFound':
        await database.write(async tx => {
          await discrepancies.raise(tx, {
            businessId,
            paymentId,
            refundId,
            kind: 'refund_unconfirmed',
            recorded: { status: refund.status, amountMinor, gatewayReference },
            gateway: { kind: 'notFound', knownBy: 'lookup' },
          });
          await tx.run(planConfirmation, { id: refundId, nextPollAt: null });
        });
        return;
      case 'inProgress':
      case 'unanswered': {
        const nextPollAt = pollCount < polling.maxConfirmationLookups ? clock.now() + polling.confirmAfterMs : null;
        if (nextPollAt === null)
          log.warn(
            { ...idsOf(refund), pollCount },
            'the gateway never confirmed the approval of a refund and is no longer polled for it',
          );
        await database.write(tx => tx.run(planConfirmation, { id: refundId, nextPollAt }));
      }
    }
  }

  return {
    recover: outcomePolling(options, {
      what: 'a refund',
      idsOf,
      claim: claimRefunds,
      postpone: postponeRefund,
      lookUp,
      record,
      failNotReceived: refunds.failNotReceived,
    }),

    async confirm() {
      const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit: polling.batch };
      const due = await database.write(tx => tx.all(claimUnconfirmedRefunds, claim));
      return workOnEach(due, { log, idsOf }, refund =>
        leases.during(refund, refund.nextPollAt, () =>
          inTraceOf(database, { paymentId: refund.paymentId, subjectId: refund.id }, () => confirmOne(refund)),
        ),
      );
    },
  };
}

function referenceOf({ id, uniqueReference }: RefundRow): string {
  if (uniqueReference === null) throw new Error(`refund ${id} was sent without a reference`);
  return uniqueReference;
}
