import { testStatus, type WebhookBody } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { linkById } from '../../channels/payment-links/store.ts';
import { saleById } from '../../channels/terminal-sales/store.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { PayloadOf } from '../../foundation/events/catalogue.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';

type Facts = Pick<WebhookBody, 'eventType' | 'checkoutId' | 'externalId' | 'status' | 'amount' | 'currency'> &
  Partial<Pick<WebhookBody, 'network' | 'txIds'>>;

/** The body of an event's webhooks; undefined for other events. */
export async function webhookBodyOf(tx: Transaction, event: DomainEvent): Promise<WebhookBody | undefined> {
  const facts = await factsOf(tx, event);
  return facts && bodyOf(facts, event.at);
}

/** The body of a test event: the same nine fields with test values. */
export function testBody(eventType: WebhookBody['eventType'], at: Instant): WebhookBody {
  return bodyOf(
    { eventType, checkoutId: 'chk_test', externalId: 'test', status: testStatus, amount: 100, currency: 'GBP' },
    at,
  );
}

/** In the specification's order. */
function bodyOf(facts: Facts, at: Instant): WebhookBody {
  const { eventType, checkoutId, externalId, status, amount, currency, network = null, txIds = [] } = facts;
  return {
    eventType,
    checkoutId,
    externalId,
    status,
    amount,
    currency,
    network,
    txIds,
    createdAt: new Date(at).toISOString(),
  };
}

async function factsOf(tx: Transaction, event: DomainEvent): Promise<Facts | undefined> {
  if (event.type === 'payment.started') return ofLink(tx, event, { eventType: 'payment.created', status: 'PENDING' });
  if (event.type === 'payment.approved')
    return ofLink(tx, event, { eventType: 'payment.completed', status: 'COMPLETE' });
  if (event.type === 'payment.declined' || event.type === 'payment.failed') return ofFailedSale(tx, event);
  if (event.type === 'terminal.sale.completed') return ofSale(tx, event, 'terminal.sale.completed');
  // A sale that the customer cancelled has not failed.
  if (event.type === 'terminal.sale.reversed')
    return event.payload.reason === 'customer_cancelled' ? undefined : ofFailedSale(tx, event);
  if (event.type === 'terminal_sale.changed') return ofDrivenSale(event);
  if (event.type === 'payment_link.bitcoin_started')
    return ofLinkInBitcoin(tx, event, { eventType: 'payment.created', status: 'PENDING' });
  if (event.type === 'payment_link.bitcoin_completed')
    return ofLinkInBitcoin(tx, event, { eventType: 'payment.completed', status: 'COMPLETE' });
  if (event.type === 'checkout.payment_started') return ofCheckout(event.payload, 'payment.created');
  if (event.type === 'checkout.payment_completed') return ofCheckout(event.payload, 'payment.completed');
  if (event.type === 'checkout.cancelled') return ofCheckout(event.payload, 'checkout.cancelled');
  return undefined;
}

function ofCheckout(
  { record, ...paid }: PayloadOf<'checkout.payment_started'> | PayloadOf<'checkout.cancelled'>,
  eventType: Facts['eventType'],
): Facts {
  const { id: checkoutId, externalReference: externalId, status, amount, currency } = record;
  return { eventType, checkoutId, externalId, status, amount, currency, ...paid };
}

type TerminalSaleEvent = Extract<
  DomainEvent,
  { type: 'terminal.sale.completed' | 'terminal.sale.reversed' | 'payment.declined' | 'payment.failed' }
>;

/** A sale keyed in at the terminal. One started over the API is reported when it ends. */
async function ofSale(
  tx: Transaction,
  { businessId, payload }: TerminalSaleEvent,
  eventType: 'terminal.sale.completed' | 'terminal.sale.failed',
): Promise<Facts | undefined> {
  const { saleId, amountMinor: amount, currency } = payload;
  if (saleId === null || (await tx.first(saleById, { id: saleId }))?.businessId === businessId) return undefined;
  const status = eventType === 'terminal.sale.completed' ? 'COMPLETE' : 'ERROR';
  return { eventType, checkoutId: saleId, externalId: null, status, amount, currency };
}

/** Once for each sale: with the event that ended it. */
async function ofFailedSale(
  tx: Transaction,
  event: Exclude<TerminalSaleEvent, { type: 'terminal.sale.completed' }>,
): Promise<Facts | undefined> {
  return event.payload.endsSale ? ofSale(tx, event, 'terminal.sale.failed') : undefined;
}

/** A sale started over the API, at its end. A cancelled one has not failed. */
function ofDrivenSale({ payload }: Extract<DomainEvent, { type: 'terminal_sale.changed' }>): Facts | undefined {
  const { saleId, status, type, amountInCents, currency, reference, metadata } = payload.record;
  const { network = null, txIds = [] } = metadata.bitcoin ?? {};
  if (type !== 'sale' || status === 'PENDING' || status === 'PROCESSING') return undefined;
  if (status === 'CANCELLED' || status === 'CANCELLED_REMOTE') return undefined;
  return {
    eventType: status === 'COMPLETE' ? 'terminal.sale.completed' : 'terminal.sale.failed',
    checkoutId: saleId,
    externalId: reference,
    status,
    amount: amountInCents,
    currency,
    network,
    txIds,
  };
}

/** Sent when the first payment is seen, and when the whole amount has arrived. */
async function ofLinkInBitcoin(
  tx: Transaction,
  { businessId, payload }: Extract<DomainEvent, { type: `payment_link.bitcoin_${string}` }>,
  what: Pick<Facts, 'eventType' | 'status'>,
): Promise<Facts> {
  const { paymentLinkId: checkoutId, amountMinor: amount, currency, network, txIds } = payload;
  const link = await tx.first(linkById, { businessId, id: checkoutId });
  return { ...what, checkoutId, externalId: link?.externalReference ?? null, amount, currency, network, txIds };
}

/** Terminal payments have their own events. */
async function ofLink(
  tx: Transaction,
  { businessId, payload }: Extract<DomainEvent, { type: 'payment.started' | 'payment.approved' }>,
  what: Pick<Facts, 'eventType' | 'status'>,
): Promise<Facts | undefined> {
  const { paymentLinkId, amountMinor, currency } = payload;
  if (paymentLinkId === null) return undefined;
  const link = await tx.first(linkById, { businessId, id: paymentLinkId });
  const externalId = link?.externalReference ?? null;
  return { ...what, checkoutId: paymentLinkId, externalId, amount: amountMinor, currency };
}
