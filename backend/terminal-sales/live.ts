import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../events/feed.ts';
import { following } from './following.ts';
import type { TerminalSaleRow } from './rows.ts';
import { saleById } from './store.ts';
import { isFinal, terminalSaleRecordOf } from './terminal-sale.ts';

type SaleEvent =
  | { readonly event: 'open'; readonly data: TerminalSaleRecord }
  | { readonly event: 'sale-changed'; readonly data: TerminalSaleRecord; readonly id: string };

/** A sale as it changes, until it has ended; a stream that broke goes on after the last event it saw. */
export function liveSales({ database, events }: { database: Database; events: Pick<EventFeed, 'follow'> }) {
  return async function* follow(
    { id, businessId }: Pick<TerminalSaleRow, 'id' | 'businessId'>,
    { lastEventId, over }: { readonly lastEventId: string | null; readonly over: AbortSignal },
  ): AsyncGenerator<SaleEvent> {
    const after = lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
    const changes = following({ events, businessId, after, over }, event =>
      event.type === 'terminal_sale.changed' && event.subjectId === id
        ? { record: event.payload.record, position: event.position }
        : undefined,
    );
    try {
      await changes.started;
      // Read once nothing can be missed any more: what follows is newer than this, or is left out.
      const row = await database.first(saleById, { id });
      if (!row) return;
      const current = terminalSaleRecordOf(row);
      if (after === undefined) yield { event: 'open', data: current };
      let sequence = after === undefined ? current.sequence : 0;
      while (!isFinal(current.status) || sequence < current.sequence) {
        const next = await (isFinal(current.status) ? changes.nextNow() : changes.next());
        if (!next) return;
        if (next.record.sequence <= sequence) continue;
        sequence = next.record.sequence;
        yield { event: 'sale-changed', data: next.record, id: String(next.position) };
        if (isFinal(next.record.status)) return;
      }
    } finally {
      changes.stop();
    }
  };
}
