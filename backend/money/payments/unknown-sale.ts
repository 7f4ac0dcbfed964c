import type { Actor } from '@florin/shared/actor.ts';
import { KeyTaken, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { Authorisations, FinalOutcome } from './authorisation.ts';
import type { SaleEndings } from './completion.ts';
import type { PaymentRow } from './rows.ts';
import type { SaleKey } from './sale.ts';
import { insertPayment, paymentById } from './store.ts';

/**
 * Sales that a reader which authorises by itself may have charged, while neither it nor its terminal reports an
 * outcome. Each is a pending payment without a gateway to poll: a late report of the terminal ends it, or a person on
 * evidence.
 */
export type UnknownSales = {
  open(tx: Transaction, sale: SaleKey & Pick<PaymentRow, 'amountMinor' | 'currency'>): Promise<void>;
  /**
   * The reader had approved it after all. If a person decided otherwise in the meantime, this becomes a discrepancy.
   */
  approve(
    tx: Transaction,
    payment: PaymentRow,
    approval: Extract<FinalOutcome, { kind: 'approved' }>,
    by: Actor,
  ): Promise<PaymentRow>;
  /** The terminal reports that nothing was charged. False if the payment is not such a sale, or is decided. */
  end(tx: Transaction, payment: Pick<PaymentRow, 'businessId' | 'id'>, by: Actor): Promise<boolean>;
  /** Applies a manual decision. */
  decided(tx: Transaction, payment: PaymentRow, by: Actor): Promise<PaymentRow>;
};

/**
 * Opens, approves and ends the payments of such sales. Each is opened with the discrepancy `sale_outcome_unknown`,
 * which is closed once the payment is decided.
 */
export function unknownSales(options: {
  attempts: Pick<Authorisations, 'begin' | 'recordOutcome'>;
  events: Events;
  discrepancies: Pick<Discrepancies, 'raise' | 'closeOpen'>;
  endings: Pick<SaleEndings, 'complete'>;
  polling: Pick<PollingSettings, 'evidenceAfterMs'>;
  onTaken: (tx: Transaction, payment: PaymentRow) => Promise<void>;
}): UnknownSales {
  const { attempts, events, discrepancies, endings, polling } = options;

  async function decided(tx: Transaction, payment: PaymentRow, by: Actor): Promise<PaymentRow> {
    if (payment.authorisedBy !== 'reader') return payment;
    const isApproved = payment.status === 'unsettled';
    const outcome = isApproved ? 'gateway_right' : 'records_right';
    await discrepancies.closeOpen(tx, payment.id, ['sale_outcome_unknown'], outcome, 'The payment was decided');
    return (isApproved && (await endings.complete(tx, payment.id, by))) || payment;
  }

  return {
    decided,

    async open(tx, sale) {
      const begun = await attempts.begin(tx, { ...sale, gatewayAccountId: null });
      const payment: PaymentRow = {
        ...begun,
        authorisedBy: 'reader',
        sentAt: null,
        nextPollAt: null,
        // There is no gateway to poll first, so a person's evidence is accepted at once.
        polledForMs: polling.evidenceAfterMs,
      };
      if ((await tx.run(insertPayment, payment)) === 0) throw new KeyTaken('the sale has its payment already');
      const { businessId, id: paymentId, amountMinor, currency, paymentLinkId, terminalId, saleId, status } = payment;
      const facts = { amountMinor, currency, paymentLinkId, terminalId, saleId };
      events.announce(tx, { businessId, type: 'payment.started', paymentId, subjectId: paymentId, payload: facts });
      const recorded = { saleId, terminalId, status };
      await discrepancies.raise(tx, { businessId, paymentId, kind: 'sale_outcome_unknown', recorded, gateway: {} });
    },

    async approve(tx, unknown, approval, by) {
      const { payment, changed } = await attempts.recordOutcome(tx, unknown, approval, 'reply', by);
      if (!changed) return payment;
      await options.onTaken(tx, payment);
      return decided(tx, payment, by);
    },

    async end(tx, { businessId, id }, by) {
      const unknown = await tx.first(paymentById, { businessId, id });
      if (unknown?.authorisedBy !== 'reader' || unknown.status !== 'pending') return false;
      const message = 'The terminal says that nothing was charged';
      const { payment } = await attempts.recordOutcome(tx, unknown, { kind: 'failed', message }, 'reply', by);
      await decided(tx, payment, by);
      return true;
    },
  };
}
