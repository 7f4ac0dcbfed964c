import type { Actor } from '@florin/shared/actor.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, KeyTaken, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { Authorisations, FinalOutcome, NewPayment } from './authorisation.ts';
import type { SaleEndings } from './completion.ts';
import type { PaymentRow } from './rows.ts';
import type { SaleKey, SaleRefusal } from './sale.ts';
import { insertPayment, paymentById, paymentBySale } from './store.ts';

type UnknownSale = SaleKey & Pick<NewPayment, 'amountMinor' | 'currency' | 'tipMinor' | 'reference'>;

/**
 * Sales that a reader which authorises by itself may have charged, while neither it nor its terminal reports an
 * outcome. Each is a pending payment without a gateway to poll: a late report of the terminal ends it, or a person on
 * evidence.
 */
export type UnknownSales = {
  /** The terminal of a sale that it keyed in reports that its reader no longer knows it; idempotent. */
  report(sale: UnknownSale): Promise<Result<PaymentRow, Extract<SaleRefusal, { kind: 'sale_differs' }>>>;
  open(tx: Transaction, sale: UnknownSale): Promise<PaymentRow>;
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
  database: Database;
  attempts: Pick<Authorisations, 'begin' | 'recordOutcome'>;
  events: Events;
  discrepancies: Pick<Discrepancies, 'raise' | 'closeOpen'>;
  endings: Pick<SaleEndings, 'complete'>;
  polling: Pick<PollingSettings, 'evidenceAfterMs'>;
  onTaken: (tx: Transaction, payment: PaymentRow) => Promise<void>;
}): UnknownSales {
  const { database, attempts, events, discrepancies, endings, polling } = options;

  async function decided(tx: Transaction, payment: PaymentRow, by: Actor): Promise<PaymentRow> {
    if (payment.authorisedBy !== 'reader') return payment;
    const isApproved = payment.status === 'unsettled';
    const outcome = isApproved ? 'gateway_right' : 'records_right';
    await discrepancies.closeOpen(tx, payment.id, ['sale_outcome_unknown'], outcome, 'The payment was decided');
    return (isApproved && (await endings.complete(tx, payment.id, by))) || payment;
  }

  async function open(tx: Transaction, sale: UnknownSale): Promise<PaymentRow> {
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
    return payment;
  }

  return {
    open,
    decided,

    report: sale =>
      readingAgain(() =>
        database.write(async tx => {
          const { businessId, terminalId, saleId } = sale;
          const known = await tx.first(paymentBySale, { businessId, terminalId, saleId });
          if (!known) return ok(await open(tx, sale));
          // What was recorded of it in the meantime is a better answer than "unknown".
          const isSame = known.amountMinor === sale.amountMinor && known.currency === sale.currency;
          return isSame ? ok(known) : err({ kind: 'sale_differs' });
        }),
      ),

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
