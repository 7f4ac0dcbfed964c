import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { rowsJsonOf } from '../../foundation/database/statements.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import { secretHash } from '../../foundation/secret.ts';
import type { ReceiptAddresses } from './address.ts';
import { insertReceipts } from './store.ts';

/** The events that make a receipt due; the subject of each is the payment, void or refund that took or returned money. */
const receiptEvents = [
  'payment.approved',
  'payment.recorded',
  'bitcoin.received',
  'refund.approved',
  'refund.recorded',
] as const;

/**
 * Creates the receipt of each movement of money, once, outside of the transactions that move it. On a database that had
 * payments before, it starts with the first event.
 */
export function receiptConsumer(options: {
  readonly addresses: Pick<ReceiptAddresses, 'tokenOf'>;
  readonly clock: Clock;
  readonly ids: Ids;
}): EventConsumer {
  const { addresses, clock, ids } = options;
  return {
    name: 'receipts',
    ignores: allBut(...receiptEvents),
    async handleTogether(tx, events) {
      const rows = events.map(({ businessId, subjectId }) => ({
        tokenHash: secretHash(addresses.tokenOf(subjectId)),
        id: ids.next(idPrefixes.receipt),
        businessId,
        subjectId,
        createdAt: clock.now(),
      }));
      await tx.run(insertReceipts, rowsJsonOf('receipts', rows));
    },
  };
}
