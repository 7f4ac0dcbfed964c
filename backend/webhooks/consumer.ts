import { nextNumber } from '../database/counters.ts';
import type { EventConsumer } from '../events/dispatcher.ts';
import { webhookBodyOf } from './body.ts';
import type { Deliveries } from './deliveries.ts';
import { takeSequences } from './store.ts';

/** Makes deliveries of events: in the transaction that moves its place in their order, so that each is made once. */
export function webhookConsumer(deliveries: Pick<Deliveries, 'add'>): EventConsumer {
  return {
    name: 'webhooks',
    async handle(tx, event) {
      const said = await webhookBodyOf(tx, event);
      if (!said) return;
      const { id: eventId, businessId } = event;
      const { eventType } = said;
      const webhooks = await tx.all(takeSequences, { businessId, eventType });
      if (webhooks.length === 0) return;
      const eventNumber = await nextNumber(tx, businessId, 'webhookEvent');
      const body = JSON.stringify(said);
      for (const webhook of webhooks)
        deliveries.add(tx, webhook, { eventId, eventType, sequence: webhook.lastSequence, eventNumber, body });
    },
  };
}
