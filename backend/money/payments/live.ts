import type { TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import type { PaymentEventType } from '../../foundation/events/catalogue.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import { following, positionIn } from '../../foundation/events/following.ts';
import { timelineKinds } from './timeline.ts';

type PaymentChange = { readonly paymentId: string; readonly kind: TimelineKind; readonly at: string };
type PaymentMessage =
  | { readonly event: 'open'; readonly data: Record<string, never> }
  | { readonly event: 'payment-changed'; readonly data: PaymentChange; readonly id: string };

/** Streams what happens to any payment of a business; an interrupted stream resumes after the last event received. */
export function livePayments(events: Pick<EventFeed, 'follow' | 'at'>) {
  return async function* follow(
    businessId: string,
    { lastEventId, over }: { readonly lastEventId: string | null; readonly over: AbortSignal },
  ): AsyncGenerator<PaymentMessage, undefined> {
    const given = positionIn(lastEventId);
    const isKnown = given !== undefined && (await events.at(businessId, given)) !== undefined;
    const changes = following({ events, businessId, after: isKnown ? given : undefined, over }, messageOf);
    try {
      await changes.started;
      if (!isKnown) yield { event: 'open', data: {} };
      for (let next = await changes.next(); next; next = await changes.next()) yield next;
      return undefined;
    } finally {
      changes.stop();
    }
  };
}

function messageOf({ type, paymentId, position, at }: DomainEvent): PaymentMessage | undefined {
  if (paymentId === null) return undefined;
  const kind = timelineKinds[type as PaymentEventType];
  const data = { paymentId, kind, at: new Date(at).toISOString() };
  return { event: 'payment-changed', id: String(position), data };
}
