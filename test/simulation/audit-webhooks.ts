import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from '../../backend/messaging/webhooks/rows.ts';
import type { Received } from './webhook-receiver.ts';

type Records = {
  readonly events: readonly EventRow[];
  readonly sales: ReadonlyMap<string, TerminalSaleRow>;
  readonly checkouts: ReadonlyMap<string, CheckoutRow>;
  readonly webhooks: readonly WebhookRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  readonly received: readonly Received[];
  /** No process crashed, and none was delayed by as long as an attempt may wait before it is sent. */
  readonly isUndisturbed: boolean;
};

/** A delay below which no process sends an attempt too late. */
export const undisturbedMs = 2_000;

/** The attempts of a delivery, and the consecutive failures that disable an endpoint. */
const maxAttempts = 5;
export const disabledAfter = 3;

/** Once nothing is pending: each event was delivered or has failed after all its attempts, and every attempt is counted once. */
export function* webhookFaults(records: Records) {
  yield* missing(records);
  for (const checkout of records.checkouts.values()) yield* ownAddressFaults(checkout, records);
  const seen = new Set<string>();
  for (const { deliveryId, attempt } of records.received) {
    const name = `${deliveryId} ${attempt}`;
    if (seen.has(name)) yield `attempt ${attempt} of ${deliveryId} was sent twice`;
    seen.add(name);
  }
  for (const delivery of records.deliveries) yield* faultsOf(delivery, records);
  for (const { id, disabledAt, failedInARow } of records.webhooks) {
    const ended = records.deliveries.filter(
      one => one.webhookId === id && one.finishedAt !== null && one.status !== 'not_sent',
    );
    const lastAt = Math.max(...ended.map(({ finishedAt }) => finishedAt ?? 0));
    const last = ended.filter(({ finishedAt }) => finishedAt === lastAt);
    if (
      disabledAt === null &&
      failedInARow > 0 &&
      last.length > 0 &&
      last.every(({ status }) => status === 'delivered')
    )
      yield `${id} counts ${failedInARow} failures after a success`;
    const failed = records.deliveries.filter(one => one.webhookId === id && one.status === 'failed').length;
    if (failedInARow > failed) yield `${id} counts ${failedInARow} failures of ${failed}`;
    if (failedInARow >= disabledAfter !== (disabledAt !== null))
      yield `${id} has ${failedInARow} failures, disabled ${disabledAt}`;
  }
}

/** Each event has one delivery to each endpoint that subscribes to its type. */
function* missing({ events, sales, webhooks, deliveries }: Records) {
  for (const event of events) {
    const facts = factsOf(event, sales);
    if (!facts) continue;
    for (const { id, eventType, checkoutId } of webhooks) {
      if (eventType !== facts.eventType || checkoutId !== null) continue;
      const made = deliveries.filter(one => one.webhookId === id && one.eventId === event.id);
      const body = made[0] && (JSON.parse(made[0].body) as Record<string, unknown>);
      if (made.length !== 1) yield `${event.type} of ${event.subjectId} became ${made.length} deliveries`;
      else if (body?.checkoutId !== facts.saleId || body.status !== facts.status)
        yield `${id} is sent ${String(body?.status)} of ${facts.saleId}, which is ${facts.status}`;
      else if (JSON.stringify([body.network, body.txIds]) !== JSON.stringify(facts.paid ?? [null, []]))
        yield `${id} is sent ${JSON.stringify([body.network, body.txIds])} of ${facts.saleId}`;
    }
  }
}

/** A checkout's own URL receives its completion or cancellation once. */
function* ownAddressFaults({ id, webhookUrl, status }: CheckoutRow, { webhooks, deliveries, received }: Records) {
  const own = webhooks.filter(({ checkoutId }) => checkoutId === id);
  const sent = deliveries.filter(({ webhookId }) => own.some(one => one.id === webhookId));
  const isNotified = webhookUrl !== null && (status === 'COMPLETE' || status === 'CANCELLED');
  if (sent.length !== (isNotified ? 1 : 0))
    yield `the address of ${id}, which is ${status}, is notified ${sent.length} times`;
  if (own.some(({ url }) => url !== webhookUrl)) yield `the address of ${id} differs`;
  const eventType = status === 'COMPLETE' ? 'payment.completed' : 'checkout.cancelled';
  for (const delivery of sent)
    for (const { body } of [delivery, ...received.filter(({ deliveryId }) => deliveryId === delivery.id)]) {
      const payload = JSON.parse(body) as Record<string, unknown>;
      if (payload.checkoutId !== id || payload.status !== status || payload.eventType !== eventType)
        yield `the address of ${id}, which is ${status}, is sent ${body}`;
    }
}

type Facts = {
  readonly eventType: string;
  readonly saleId: string;
  readonly status: string;
  /** For bitcoin: the network and the transactions. */
  readonly paid?: readonly unknown[];
};

/** The expected events of payments of links and checkouts: the first payment seen, and full payment. */
function paymentFactsOf({ type, subjectId, payloadJson }: EventRow): Facts | undefined {
  const payload = JSON.parse(payloadJson) as Record<string, unknown>;
  const { paymentLinkId, network, txIds } = payload;
  const isBegun = type.endsWith('started');
  const eventType = isBegun ? 'payment.created' : 'payment.completed';
  const status = isBegun ? 'PENDING' : 'COMPLETE';
  if (type === 'payment.started' || type === 'payment.approved')
    return typeof paymentLinkId === 'string' ? { eventType, saleId: paymentLinkId, status } : undefined;
  const paid = [network, txIds];
  if (type.startsWith('payment_link.bitcoin_')) return { eventType, saleId: subjectId, status, paid };
  if (!type.startsWith('checkout.payment_')) return undefined;
  const record = payload.record as { status: string };
  return { eventType, saleId: subjectId, status: isBegun ? record.status : status, paid };
}

function factsOf(event: EventRow, sales: Records['sales']): Facts | undefined {
  const { type, payloadJson } = event;
  type Payload = { saleId: string; reason?: string; endsSale?: boolean; record: { saleId: string; status: string } };
  const payload = JSON.parse(payloadJson) as Payload;
  const isKeyedIn = typeof payload.saleId === 'string' && !sales.has(payload.saleId);
  if (type === 'terminal.sale.completed')
    return isKeyedIn ? { eventType: type, saleId: payload.saleId, status: 'COMPLETE' } : undefined;
  if (type === 'terminal.sale.reversed' || type === 'payment.declined' || type === 'payment.failed') {
    const isFailure = isKeyedIn && payload.endsSale === true && payload.reason !== 'customer_cancelled';
    return isFailure ? { eventType: 'terminal.sale.failed', saleId: payload.saleId, status: 'ERROR' } : undefined;
  }
  if (/^(payment|checkout)/.test(type)) return paymentFactsOf(event);
  if (type !== 'terminal_sale.changed') return undefined;
  const { saleId, status } = payload.record;
  if (status !== 'COMPLETE' && status !== 'ERROR' && status !== 'TIMED_OUT') return undefined;
  return { eventType: status === 'COMPLETE' ? 'terminal.sale.completed' : 'terminal.sale.failed', saleId, status };
}

function* faultsOf(delivery: DeliveryRow, { attempts, received, webhooks, isUndisturbed }: Records) {
  const { id, status, attemptCount, attemptStartedAt, nextAttemptAt, webhookId } = delivery;
  const made = attempts.filter(({ deliveryId }) => deliveryId === id).map(({ number }) => number);
  const of = `delivery ${id}, ${status} after ${attemptCount},`;
  if (made.sort((a, b) => a - b).join() !== Array.from({ length: attemptCount }, (_, at) => at + 1).join())
    yield `${of} has attempts ${made.join()}`;
  if (attemptCount > maxAttempts) yield `${of} was attempted too often`;
  if (status === 'pending' || attemptStartedAt !== null || nextAttemptAt !== null) yield `${of} is still in progress`;
  const own = attempts.filter(({ deliveryId }) => deliveryId === id);
  if (own.some(({ outcome }) => outcome === null)) yield `${of} has an attempt without an outcome`;
  if (isUndisturbed && own.some(({ outcome }) => outcome === 'interrupted'))
    yield `${of} has an attempt that was interrupted, though no process was`;
  const arrived = own.filter(({ outcome }) => outcome === 'delivered');
  if (arrived.length !== (status === 'delivered' ? 1 : 0)) yield `${of} was delivered ${arrived.length} times`;
  const sent = received.filter(({ deliveryId }) => deliveryId === id);
  for (const { number } of arrived)
    if (!sent.some(({ attempt, isAccepted }) => attempt === number && isAccepted)) yield `${of} was never accepted`;
  for (const { attempt } of sent) if (attempt > attemptCount) yield `${of} was sent as attempt ${attempt}`;
  if (status === 'failed' && attemptCount !== maxAttempts) yield `${of} failed too early`;
  if (status === 'not_sent' && webhooks.find(webhook => webhook.id === webhookId)?.disabledAt === null)
    yield `${of} although its endpoint works`;
}
