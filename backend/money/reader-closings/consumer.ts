import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import { refundById } from '../refunds/store.ts';
import type { ReaderComparisons } from './comparison.ts';
import { readerSaleOf } from './store.ts';

/** A payment or refund that is decided after the end of its day has that compared again. */
export function closingsConsumer({ compareAgain }: Pick<ReaderComparisons, 'compareAgain'>): EventConsumer {
  return {
    name: 'reader-closings',
    ignores: allBut('payment.approved', 'refund.approved'),
    mayWait: true,
    async handle(tx, { type, businessId, paymentId, subjectId }) {
      const sale = paymentId === null ? undefined : await tx.first(readerSaleOf, { paymentId });
      if (!sale) return;
      const { readerSerial, takenAt } = sale;
      const refund = type === 'refund.approved' ? await tx.first(refundById, { businessId, id: subjectId }) : undefined;
      await compareAgain(tx, { businessId, readerSerial, at: refund?.createdAt ?? takenAt });
    },
  };
}
