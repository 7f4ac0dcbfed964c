import type { DomainEvent } from '../../foundation/events/event.ts';
import { meaningOf } from '../../money/discrepancies/discrepancy.ts';

export type Message = { readonly subject: string; readonly text: string };

/** The e-mail about an event; undefined if there is none. */
export function messageOf(event: DomainEvent): Message | undefined {
  if (event.type === 'webhook.failing') return failing(event);
  if (event.type === 'webhook.disabled') return disabled(event);
  if (event.type === 'discrepancy.found') return discrepancy(event);
  if (event.type === 'bitcoin_claim.requested') return claimRequested(event);
  if (event.type === 'bitcoin_claim.disputed') return claimDisputed(event);
  return undefined;
}

type WebhookEvent = Extract<DomainEvent, { type: 'webhook.failing' | 'webhook.disabled' }>;

function failing({ subjectId, payload }: WebhookEvent): Message {
  const { host, address } = placeOf(payload.url);
  return {
    subject: `Webhooks to ${host} are failing`,
    text: lines(
      `${payload.failedInARow} deliveries in a row to your webhook endpoint failed:`,
      endpoint(subjectId, address, payload.eventType),
      'After ten in a row it is disabled. The endpoint’s delivery history shows what it answered.',
    ),
  };
}

function disabled({ subjectId, payload }: WebhookEvent): Message {
  const { host, address } = placeOf(payload.url);
  return {
    subject: `Webhooks to ${host} were disabled`,
    text: lines(
      `${payload.failedInARow} deliveries in a row to your webhook endpoint failed, so it was disabled:`,
      endpoint(subjectId, address, payload.eventType),
      'Events are kept meanwhile. Once the endpoint works again, send it a test event, enable it, and have the missed deliveries sent again.',
    ),
  };
}

function discrepancy({ payload }: Extract<DomainEvent, { type: 'discrepancy.found' }>): Message {
  const { discrepancyId, kind, paymentId, refundId } = payload;
  return {
    subject: `A payment needs your attention: ${kind}`,
    text: lines(
      meaningOf(kind),
      `  Discrepancy  ${discrepancyId} (${kind})\n  Payment      ${paymentId}${refundId === null ? '' : `\n  Refund       ${refundId}`}`,
      'It stays in the list of discrepancies until somebody resolves it.',
    ),
  };
}

type ClaimEvent = Extract<DomainEvent, { type: 'bitcoin_claim.requested' | 'bitcoin_claim.disputed' }>;

function claimRequested({ subjectId, payload }: ClaimEvent): Message {
  return {
    subject: `A customer requested the return of ${payload.amountSats} satoshis`,
    text: lines(
      'A customer paid late, too little or too much in bitcoin, and gave a destination for the return:',
      claimOf(subjectId, payload),
      'Return it there, then record the return on the claim.',
    ),
  };
}

function claimDisputed({ subjectId, payload }: ClaimEvent): Message {
  return {
    subject: `Different destinations were given for ${payload.amountSats} satoshis`,
    text: lines(
      'More than one destination was given for a return to a customer:',
      claimOf(subjectId, payload),
      'Ask the customer before you return anything, and name the paid destination when you record the return on the claim.',
    ),
  };
}

function claimOf(id: string, { purpose, purposeId, amountSats, destination }: ClaimEvent['payload']): string {
  return `  Claim        ${id}\n  For          ${purpose} ${purposeId}\n  Satoshis     ${amountSats}\n  Destination  ${destination}`;
}

function endpoint(id: string, address: string, eventType: string): string {
  return `  Endpoint  ${id}\n  URL       ${address}\n  Event     ${eventType}`;
}

/** Without the query, which may contain private data. */
function placeOf(url: string): { readonly host: string; readonly address: string } {
  const parsed = URL.parse(url);
  return parsed ? { host: parsed.host, address: `${parsed.origin}${parsed.pathname}` } : { host: 'it', address: url };
}

function lines(...paragraphs: string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
