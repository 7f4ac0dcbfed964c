import { money } from '@florin/shared/money.ts';
import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import { type Gateways, type LookupOutcome, outcomesOf } from '../gateways/gateway.ts';
import { afterPoll, notFoundIsFinal, type PollingSettings } from '../jobs/polling.ts';
import type { PaymentRow } from './rows.ts';
import type { PaymentService } from './service.ts';
import { claimPendingPayments, postponePayment } from './store.ts';

export type PaymentRecovery = {
  /** Asks the gateway about authorisations whose outcome is unknown; returns how many there were. It never sends one. */
  recover(): Promise<number>;
};

export function paymentRecovery(options: {
  database: Database;
  gateways: Gateways;
  clock: Clock;
  payments: Pick<PaymentService, 'recordGatewayOutcome' | 'failNotReceived' | 'abandonOnline'>;
  polling: PollingSettings;
  log: Log;
}): PaymentRecovery {
  const { database, gateways, clock, payments, polling, log } = options;

  async function ask(payment: PaymentRow, uniqueReference: string): Promise<LookupOutcome> {
    const amount = money(payment.amountMinor, payment.currency);
    try {
      const sentAt = payment.sentAt ?? payment.createdAt;
      const channel = payment.terminalId === null ? 'ecommerce' : 'cardPresent';
      const gateway = await gateways.ofAccount(payment.gatewayAccountId);
      return await gateway.lookup({ operation: 'authorise', uniqueReference, amount, sentAt, channel });
    } catch (error) {
      log.error(
        { businessId: payment.businessId, paymentId: payment.id, err: error },
        'the gateway could not be asked',
      );
      return { kind: 'unanswered', cause: String(error) };
    }
  }

  async function recoverOne(payment: PaymentRow): Promise<void> {
    const { uniqueReference } = payment;
    if (payment.threeDSecureJson !== null) {
      await payments.abandonOnline({ businessId: payment.businessId, paymentId: payment.id });
      return;
    }
    if (uniqueReference === null) throw new Error(`payment ${payment.id} is pending without a reference`);
    const polledAt = clock.now();
    const answer = await ask(payment, uniqueReference);
    const { id: paymentId, businessId, pollCount } = payment;
    log.info({ businessId, paymentId, pollCount, answer: answer.kind }, 'asked the gateway about an authorisation');
    const seen = { uniqueReference, knownBy: 'lookup' } as const;
    switch (answer.kind) {
      case 'approved':
      case 'declined':
        for (const outcome of outcomesOf(answer)) await payments.recordGatewayOutcome({ ...seen, outcome });
        return;
      case 'notFound':
        if (notFoundIsFinal(payment, polledAt, polling) && (await payments.failNotReceived(payment))) return;
        break;
      case 'inProgress':
      case 'unanswered':
        break;
    }
    const next = afterPoll(payment, polledAt, polling);
    await database.write(tx => tx.run(postponePayment, { id: payment.id, ...next }));
  }

  return {
    async recover() {
      const now = clock.now();
      const due = await database.write(tx =>
        tx.all(claimPendingPayments, { now, nextPollAt: now + polling.leaseMs, limit: polling.batch }),
      );
      await Promise.all(due.map(recoverOne));
      return due.length;
    },
  };
}
