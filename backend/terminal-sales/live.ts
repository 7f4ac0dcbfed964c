import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../events/feed.ts';
import { liveRecord } from '../events/live.ts';
import type { TerminalSaleRow } from './rows.ts';
import { saleById } from './store.ts';
import { isFinal, terminalSaleRecordOf } from './terminal-sale.ts';

type SaleEvent =
  | { readonly event: 'open'; readonly data: TerminalSaleRecord }
  | { readonly event: 'sale-changed'; readonly data: TerminalSaleRecord; readonly id: string };

/** A sale as it changes, until it has ended; a stream that broke goes on after the last event it saw. */
export function liveSales({ database, events }: { database: Database; events: Pick<EventFeed, 'follow' | 'at'> }) {
  return async function* follow(
    { id, businessId }: Pick<TerminalSaleRow, 'id' | 'businessId'>,
    stream: { readonly lastEventId: string | null; readonly over: AbortSignal },
  ): AsyncGenerator<SaleEvent> {
    const records = liveRecord({
      ...stream,
      events,
      businessId,
      find: event =>
        event.type === 'terminal_sale.changed' && event.subjectId === id ? event.payload.record : undefined,
      async read() {
        const row = await database.first(saleById, { id });
        return row && terminalSaleRecordOf(row);
      },
      isFinal: ({ status }) => isFinal(status),
    });
    for await (const { record: data, position } of records)
      yield position === null ? { event: 'open', data } : { event: 'sale-changed', data, id: String(position) };
  };
}
