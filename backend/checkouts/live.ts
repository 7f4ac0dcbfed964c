import { type CheckoutFacts, isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../events/feed.ts';
import { liveRecord } from '../events/live.ts';
import { checkoutFactsOf } from './checkout.ts';
import type { CheckoutRow } from './rows.ts';
import { checkoutById } from './store.ts';

/** A checkout as it changes, until it has ended; a stream that broke goes on after the last event it saw. */
export function liveCheckouts({ database, events }: { database: Database; events: Pick<EventFeed, 'follow' | 'at'> }) {
  return (
    { id, businessId }: CheckoutRow,
    stream: { readonly lastEventId: string | null; readonly over: AbortSignal },
  ) =>
    liveRecord<CheckoutFacts>({
      ...stream,
      events,
      businessId,
      find: event => (event.type === 'checkout.changed' && event.subjectId === id ? event.payload.record : undefined),
      async read() {
        const row = await database.first(checkoutById, { id });
        return row && checkoutFactsOf(row);
      },
      isFinal: ({ status }) => isFinalCheckout(status),
    });
}
