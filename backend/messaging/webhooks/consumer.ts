import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { checkoutById } from '../../channels/checkouts/store.ts';
import { nextNumber } from '../../foundation/database/counters.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import { webhookBodyOf } from './body.ts';
import type { Deliveries } from './deliveries.ts';
import type { WebhookRow } from './rows.ts';
import { insertWebhook, takeSequences, webhookOfCheckout } from './store.ts';

/** Creates deliveries for events, in the transaction that advances its position, so that each is created once. */
export function webhookConsumer(options: {
  deliveries: Pick<Deliveries, 'add'>;
  clock: Clock;
  ids: Ids;
  box: SecretBox;
  /** The key for posts to a checkout's own URL. */
  checkoutSigningKey: (tx: Transaction, businessId: string) => Promise<string>;
}): EventConsumer {
  const { deliveries, clock, ids, box } = options;

  /** The URL of this event's checkout, for the two events sent there. */
  async function ofCheckout(tx: Transaction, { type, subjectId }: DomainEvent): Promise<WebhookRow | undefined> {
    if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;
    const checkout = await tx.first(checkoutById, { id: subjectId });
    if (!checkout || checkout.webhookUrl === null) return undefined;
    const known = await tx.first(webhookOfCheckout, { checkoutId: checkout.id });
    if (known) return known;
    const id = ids.next(idPrefixes.webhook);
    const row: WebhookRow = {
      id,
      businessId: checkout.businessId,
      url: checkout.webhookUrl,
      eventType: 'payment.completed',
      description: null,
      sealedSecret: box.seal(await options.checkoutSigningKey(tx, checkout.businessId), id),
      previousSealedSecret: null,
      previousSecretUntil: null,
      failedInARow: 0,
      failingSince: null,
      failureOutcome: null,
      failureStatus: null,
      lastSequence: 0,
      checkoutId: checkout.id,
      disabledAt: null,
      disabledReason: null,
      createdAt: clock.now(),
      deletedAt: null,
    };
    await tx.run(insertWebhook, row);
    return row;
  }

  return {
    name: 'webhooks',
    ignores: allBut(
      'payment.started',
      'payment.approved',
      'payment.declined',
      'payment.failed',
      'terminal.sale.completed',
      'terminal.sale.reversed',
      'terminal_sale.changed',
      'payment_link.bitcoin_started',
      'payment_link.bitcoin_completed',
      'checkout.payment_started',
      'checkout.payment_completed',
      'checkout.cancelled',
    ),
    async handle(tx, event) {
      const webhook = await webhookBodyOf(tx, event);
      if (!webhook) return;
      const { id: eventId, businessId } = event;
      const { eventType } = webhook;
      const body = JSON.stringify(webhook);
      const own = await ofCheckout(tx, event);
      if (own) deliveries.add(tx, own, { eventId, eventType, sequence: null, eventNumber: null, body });
      if (eventType === 'checkout.cancelled') return;
      const webhooks = await tx.all(takeSequences, { businessId, eventType });
      if (webhooks.length === 0) return;
      const eventNumber = await nextNumber(tx, businessId, 'webhookEvent');
      for (const webhook of webhooks)
        deliveries.add(tx, webhook, { eventId, eventType, sequence: webhook.lastSequence, eventNumber, body });
    },
  };
}
