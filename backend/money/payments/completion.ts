import type { Actor } from '@florin/shared/actor.ts';
import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { PayloadOf } from '../../foundation/events/catalogue.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { claimUncompletedSales } from './due-store.ts';
import { takenMinor } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import { completeSale, markForReversal } from './store.ts';

export type CompletionSettings = {
  /** The time after an approval within which the terminal must complete or reverse the sale. */
  readonly completeWithinMs: number;
};

export const defaultCompletion: CompletionSettings = { completeWithinMs: 30 * 60_000 };

/**
 * Approved sales that were neither completed nor reversed in time: whether the customer left with the goods is unknown,
 * so they need a manual decision. Returns their number.
 */
export function uncompletedSales(options: { database: Database; clock: Clock; discrepancies: Discrepancies }) {
  const { database, clock, discrepancies } = options;
  return (limit: number): Promise<number> =>
    database.write(async tx => {
      const sales = await tx.all(claimUncompletedSales, { now: clock.now(), limit });
      for (const payment of sales)
        await discrepancies.raise(tx, {
          businessId: payment.businessId,
          paymentId: payment.id,
          kind: 'sale_not_completed',
          recorded: { saleId: payment.saleId, terminalId: payment.terminalId, completed: false },
          gateway: { approvedMinor: takenMinor(payment), gatewayReference: payment.gatewayReference },
        });
      return sales.length;
    });
}

/** The final outcome of a terminal's sale, recorded once: reported by the terminal, or by a person if it did not. */
export type SaleEndings = {
  /** Undefined where it was not approved, or is completed or reversed already. */
  complete(tx: Transaction, paymentId: string, by: Actor): Promise<PaymentRow | undefined>;
  /** The whole approved amount becomes due for reversal. Undefined if the sale is completed or reversed already. */
  markForReversal(
    tx: Transaction,
    options: { readonly paymentId: string; readonly reason: ReversalReason; readonly dueAt: number },
    by: Actor,
  ): Promise<PaymentRow | undefined>;
  /** The terminal reversed a sale that is completed: it stays completed, and a person is to ask the customer. */
  recordLateReversal(tx: Transaction, sale: PaymentRow, reason: ReversalReason): Promise<void>;
};

/**
 * Completion and reversal of a sale are each a compare-and-set on its payment and exclude each other; the transaction
 * that changes the payment announces it.
 */
export function saleEndings(options: { clock: Clock; events: Events; discrepancies: Discrepancies }): SaleEndings {
  const { clock, events, discrepancies } = options;
  const awaited = ['sale_not_completed'] as const;
  return {
    async complete(tx, paymentId, by) {
      const sale = await tx.first(completeSale, { id: paymentId, completedAt: clock.now() });
      if (!sale) return undefined;
      const { businessId, terminalId, saleId, amountMinor, currency, invoiceNumber } = sale;
      if (terminalId === null || saleId === null) throw new Error(`payment ${paymentId} was not taken on a terminal`);
      events.announce(tx, {
        businessId,
        type: 'terminal.sale.completed',
        paymentId,
        subjectId: paymentId,
        by,
        payload: { terminalId, saleId, amountMinor, currency, invoiceNumber },
      });
      await discrepancies.closeOpen(tx, paymentId, awaited, 'gateway_right', 'The sale was completed');
      return sale;
    },

    async markForReversal(tx, { paymentId, reason, dueAt }, by) {
      const sale = await tx.first(markForReversal, { id: paymentId, reversalReason: reason, reversalDueAt: dueAt });
      if (!sale) return undefined;
      announceReversal(tx, events, sale, {
        reason,
        endsSale: sale.status !== 'declined' && sale.status !== 'failed',
        by,
      });
      await discrepancies.closeOpen(tx, paymentId, awaited, 'records_right', 'The sale was reversed');
      return sale;
    },

    async recordLateReversal(tx, { businessId, id: paymentId, saleId, terminalId, ...sale }, reason) {
      await discrepancies.raise(tx, {
        businessId,
        paymentId,
        kind: 'sale_reversed_too_late',
        recorded: { saleId, terminalId, completed: true, terminalReported: reason },
        gateway: { status: sale.status },
      });
    },
  };
}

/** The caller's change of the payment reversed a terminal's sale. */
export function announceReversal(
  tx: Transaction,
  events: Events,
  { businessId, id: paymentId, terminalId, saleId, amountMinor, currency }: PaymentRow,
  what: Pick<PayloadOf<'terminal.sale.reversed'>, 'reason' | 'approvedMinor' | 'endsSale'> & { readonly by?: Actor },
): void {
  if (terminalId === null || saleId === null) throw new Error(`payment ${paymentId} was not taken on a terminal`);
  const { by, ...reversal } = what;
  events.announce(tx, {
    businessId,
    type: 'terminal.sale.reversed',
    paymentId,
    subjectId: paymentId,
    by,
    payload: { terminalId, saleId, amountMinor, currency, ...reversal },
  });
}
