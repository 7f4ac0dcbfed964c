import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import { liveRecords } from '../../foundation/events/live.ts';
import type { ReceiptAddresses } from '../../money/receipts/address.ts';
import { saleById } from './store.ts';
import { isFinal, terminalSaleRecordOf, withReceipt } from './terminal-sale.ts';

type SaleEvent =
  | { readonly event: 'open'; readonly data: TerminalSaleRecord }
  | { readonly event: 'sale-changed'; readonly data: TerminalSaleRecord; readonly id: string };

/** Streams changes of sales, each until it has ended. */
export function liveSales({
  database,
  events,
  receipts,
}: {
  database: Database;
  events: Pick<EventFeed, 'follow' | 'at'>;
  receipts: ReceiptAddresses;
}) {
  return liveRecords<TerminalSaleRecord, SaleEvent>({
    events,
    recordIn: event =>
      event.type === 'terminal_sale.changed' ? withReceipt(event.payload.record, receipts) : undefined,
    async read(id) {
      const row = await database.first(saleById, { id });
      return row && terminalSaleRecordOf(row, receipts);
    },
    isFinal: ({ status }) => isFinal(status),
    changeOf: (data, position) =>
      position === null ? { event: 'open', data } : { event: 'sale-changed', data, id: String(position) },
  });
}
