import {
  createWebhook,
  type WebhookBody,
  type WebhookEvent,
  webhookBody,
  webhookEvents,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import { webhookSignature } from '@florin/shared/signing/webhook.ts';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** 2026-11-21T09:30:00Z. */
const timestamp = 1_795_253_400;
const secret = 'whsec_example';

/** When an event is sent, and its example. Specification: Outbound webhooks. */
const examples: Readonly<
  Record<
    WebhookEvent,
    Pick<WebhookBody, 'status' | 'checkoutId'> &
      Partial<Pick<WebhookBody, 'network' | 'txIds'>> & { readonly summary: string }
  >
> = {
  'payment.created': {
    summary: 'A payment has been started',
    status: 'PENDING',
    checkoutId: 'chk_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
  },
  'payment.completed': {
    summary: 'A payment has completed',
    status: 'COMPLETE',
    checkoutId: 'chk_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
    network: 'lightning',
    txIds: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  },
  'terminal.sale.completed': {
    summary: 'A sale on a terminal completed',
    status: 'COMPLETE',
    checkoutId: 'sale_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
  },
  'terminal.sale.failed': {
    summary: 'A sale on a terminal failed or timed out; one that was cancelled has no event',
    status: 'ERROR',
    checkoutId: 'sale_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
  },
};

function exampleOf(eventType: WebhookEvent): WebhookBody {
  const { status, checkoutId, network = null, txIds = [] } = examples[eventType];
  return {
    eventType,
    checkoutId,
    externalId: 'order-1042',
    status,
    amount: 1250,
    currency: 'GBP',
    network,
    txIds,
    createdAt: '2026-11-21T09:30:00.000Z',
  };
}

const signatureDescription = `v1 is the hex HMAC-SHA256, keyed with the signing secret, over the timestamp, a full stop and the raw body. Compare it in constant time, and refuse a timestamp more than 300 seconds from now. While a secret is being replaced there are two v1. The example is of the example body without white space, with the secret \`${secret}\`.`;

/** The example stands at the parameter too: the reference shows it there. */
function shown(description: string, example: string) {
  return { description, example, param: { example } };
}

function headersOf(eventType: WebhookEvent) {
  const signed = webhookSignature({ secret, timestamp, body: JSON.stringify(exampleOf(eventType)) });
  const counted = (description: string, example: string) => z.string().optional().meta(shown(description, example));
  return z.object({
    'x-webhook-signature': z.string().meta(shown(signatureDescription, `t=${timestamp},v1=${signed}`)),
    'X-Webhook-Timestamp': z.string().meta(shown('Unix time, as signed', String(timestamp))),
    'X-Webhook-Event': z.literal(eventType).meta(shown('As in the body', eventType)),
    'X-Webhook-Delivery': z
      .string()
      .meta(shown('The same in every attempt: handle each delivery once', 'del_019a8f3e6b7c7d2e8a1b2c3d4e5f6071')),
    'X-Webhook-Attempt': counted('Of five, in this series', '1'),
    'X-Webhook-Sequence': counted('The order of this endpoint’s events, without gaps', '17'),
    'X-Webhook-Event-Number': counted('The order of the business’s events, the same at each endpoint', '42'),
    traceparent: z
      .string()
      .optional()
      .meta({ description: 'W3C Trace Context: of the trace of what the event follows from' }),
    'X-Webhook-Test': z.literal('true').optional().meta({ description: 'Of test events only: nothing happened' }),
  });
}

/** What endpoints are sent, by event. Specification: Outbound webhooks. */
export function webhookOperations() {
  return Object.fromEntries(webhookEvents.map(event => [event, { post: operationOf(event) }]));
}

function operationOf(event: WebhookEvent): ZodOpenApiOperationObject {
  return {
    operationId: `on ${event}`.replace(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: examples[event].summary,
    description:
      'Sent to every endpoint that listens for this event, until it answers 2xx or five attempts have failed.',
    tags: [createWebhook.tag],
    security: [],
    requestParams: { header: headersOf(event) },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: webhookBody, example: exampleOf(event) } },
    },
    responses: {
      '2XX': { description: 'Taken' },
      '4XX': { description: 'Anything but 2xx is tried again' },
    },
  };
}
