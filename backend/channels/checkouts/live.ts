import { type CheckoutFacts, type CheckoutRecord, isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import { liveRecords } from '../../foundation/events/live.ts';
import { checkoutFactsOf } from './checkout.ts';
import { checkoutById } from './store.ts';

type CheckoutEvent =
  | { readonly event: 'open'; readonly data: CheckoutRecord }
  | { readonly event: 'checkout-status-changed'; readonly data: CheckoutRecord; readonly id: string };

/** Streams changes of checkouts, each until it has ended. */
export function liveCheckouts(options: {
  database: Database;
  events: Pick<EventFeed, 'follow' | 'at'>;
  recordOf: (facts: CheckoutFacts) => Promise<CheckoutRecord>;
}) {
  const { database, events, recordOf } = options;
  return liveRecords<CheckoutFacts, CheckoutEvent>({
    events,
    recordIn: event => (event.type === 'checkout.changed' ? event.payload.record : undefined),
    async read(id) {
      const row = await database.first(checkoutById, { id });
      return row && checkoutFactsOf(row);
    },
    isFinal: ({ status }) => isFinalCheckout(status),
    async changeOf(facts, position) {
      const data = await recordOf(facts);
      return position === null
        ? { event: 'open', data }
        : { event: 'checkout-status-changed', data, id: String(position) };
    },
  });
}
