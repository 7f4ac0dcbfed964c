import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import { refundById } from '../refunds/store.ts';
import type { ReaderComparisons } from './comparison.ts';
import { readerSalesOf } from './store.ts';

/** A payment or refund that is decided after the end of its day has that compared again. */
export function closingsConsumer({ compareAgain }: Pick<ReaderComparisons, 'compareAgain'>): EventConsumer {
  return {
    name: 'reader-closings',
    ignores: allBut('payment.approved', 'refund.approved'),
    async handleTogether(tx, events) {
      const paymentIds = events.map(({ paymentId }) => paymentId).filter(id => id !== null);
      const sales = await tx.all(readerSalesOf, { paymentIdsJson: JSON.stringify(paymentIds) });
      const byPayment = new Map(sales.map(sale => [sale.paymentId, sale]));
      for (const { type, businessId, paymentId, subjectId } of events) {
        const sale = paymentId === null ? undefined : byPayment.get(paymentId);
        if (!sale) continue;
        const { readerSerial, takenAt } = sale;
        const isRefund = type === 'refund.approved';
        const refund = isRefund ? await tx.first(refundById, { businessId, id: subjectId }) : undefined;
        await compareAgain(tx, { businessId, readerSerial, at: refund?.createdAt ?? takenAt });
      }
    },
  };
}
