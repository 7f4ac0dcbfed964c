import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { type Gateways, type LookupOutcome, outcomesOf } from '../gateways/gateway.ts';
import { afterPoll, notFoundIsFinal, type PollingSettings } from '../jobs/polling.ts';
import { paymentById } from '../payments/store.ts';
import { operationOf, sentAmountOf } from './refund.ts';
import type { RefundRow } from './rows.ts';
import type { RefundService } from './service.ts';
import { claimRefunds, claimUnconfirmedRefunds, planConfirmation, postponeRefund } from './store.ts';

export type RefundRecovery = {
  /** Looks up approvals known only from a reply; returns how many there were. */
  confirm(): Promise<number>;
  /**
   * Polls for pending refunds nobody is working on; returns how many there were. It never sends,
   * whatever crashed before. Safe on any number of processes at once.
   */
  recover(): Promise<number>;
};

export function refundRecovery(options: {
  database: Database;
  gateways: Gateways;
  clock: Clock;
  refunds: Pick<RefundService, 'recordGatewayOutcome' | 'failNotReceived'>;
  polling: PollingSettings;
  discrepancies: Discrepancies;
  log: Log;
}): RefundRecovery {
  const { database, gateways, clock, refunds, polling, discrepancies, log } = options;

  async function ask(refund: RefundRow): Promise<LookupOutcome> {
    const { businessId, paymentId, uniqueReference } = refund;
    if (uniqueReference === null) throw new Error(`refund ${refund.id} is pending without a reference`);
    const payment = await database.first(paymentById, { businessId, id: paymentId });
    if (!payment) throw new Error(`payment ${paymentId} of refund ${refund.id} is missing`);
    try {
      const gateway = await gateways.ofAccount(refund.gatewayAccountId);
      return await gateway.lookup({
        operation: operationOf(refund.kind),
        uniqueReference,
        ...(payment.gatewayReference ? { gatewayReference: payment.gatewayReference } : {}),
        amount: sentAmountOf(refund, payment),
        sentAt: refund.sentAt ?? refund.createdAt,
      });
    } catch (error) {
      log.error({ businessId, paymentId, refundId: refund.id, err: error }, 'the gateway could not be asked');
      return { kind: 'unanswered', cause: String(error) };
    }
  }

  async function recordOutcomes(refund: RefundRow, answer: Parameters<typeof outcomesOf>[0]): Promise<void> {
    const said = { uniqueReference: refund.uniqueReference ?? '', knownBy: 'lookup' } as const;
    for (const outcome of outcomesOf(answer)) await refunds.recordGatewayOutcome({ ...said, outcome });
  }

  async function recoverOne(refund: RefundRow): Promise<void> {
    const polledAt = clock.now();
    const answer = await ask(refund);
    const { id: refundId, businessId, paymentId, pollCount } = refund;
    const facts = { businessId, paymentId, refundId, pollCount, answer: answer.kind };
    log.info(facts, 'asked the gateway about a refund');
    switch (answer.kind) {
      case 'approved':
      case 'declined':
        return recordOutcomes(refund, answer);
      case 'notFound':
        if (notFoundIsFinal(refund, polledAt, polling) && (await refunds.failNotReceived(refund))) return;
        break;
      case 'inProgress':
      case 'unanswered':
        break;
    }
    const next = afterPoll(refund, polledAt, polling);
    await database.write(tx => tx.run(postponeRefund, { id: refund.id, ...next }));
  }

  /** The gateway approved it and has not mentioned it since: it is asked whether it has it. */
  async function confirmOne(refund: RefundRow): Promise<void> {
    const answer = await ask(refund);
    const { id: refundId, businessId, paymentId, amountMinor, gatewayReference, pollCount } = refund;
    log.info(
      { businessId, paymentId, refundId, pollCount, answer: answer.kind },
      'asked whether the gateway has a refund',
    );
    switch (answer.kind) {
      case 'approved':
      case 'declined':
        return recordOutcomes(refund, answer);
      case 'notFound':
        await database.write(async tx => {
          await discrepancies.raise(tx, {
            businessId,
            paymentId,
            refundId,
            kind: 'refund_unconfirmed',
            ours: { status: refund.status, amountMinor, gatewayReference },
            gateway: { kind: 'notFound', knownBy: 'lookup' },
          });
          await tx.run(planConfirmation, { id: refundId, nextPollAt: null });
        });
        return;
      case 'inProgress':
      case 'unanswered': {
        const nextPollAt = pollCount < polling.mostConfirmations ? clock.now() + polling.confirmAfterMs : null;
        await database.write(tx => tx.run(planConfirmation, { id: refundId, nextPollAt }));
      }
    }
  }

  return {
    async confirm() {
      const now = clock.now();
      const due = await database.write(tx =>
        tx.all(claimUnconfirmedRefunds, { now, nextPollAt: now + polling.leaseMs, limit: polling.batch }),
      );
      await Promise.all(due.map(confirmOne));
      return due.length;
    },

    async recover() {
      const now = clock.now();
      const due = await database.write(tx =>
        tx.all(claimRefunds, { now, nextPollAt: now + polling.leaseMs, limit: polling.batch }),
      );
      await Promise.all(due.map(recoverOne));
      return due.length;
    },
  };
}
