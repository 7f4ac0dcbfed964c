import { z } from 'zod';
import { changesOf, contract, id, timeGiven, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

/** The events an endpoint can subscribe to, exactly one each. Specification: Outbound webhooks. */
export const webhookEvents = [
  'payment.created',
  'payment.completed',
  'terminal.sale.completed',
  'terminal.sale.failed',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
const webhookEvent = z.enum(webhookEvents);

/** All delivered events: also a checkout's cancellation, which goes to the checkout's own URL. */
const deliveredEvent = z.enum([...webhookEvents, 'checkout.cancelled']);
export type DeliveredEvent = z.infer<typeof deliveredEvent>;

/** The status in a test event. */
export const testStatus = 'TEST';

/** The values of `status` by event, for the types and the reference. */
export const webhookStatuses = {
  /** For a late payment, which is to be returned. */
  'payment.created': ['PENDING', 'PROCESSING', 'EXPIRED', 'CANCELLED'],
  'payment.completed': ['COMPLETE'],
  'terminal.sale.completed': ['COMPLETE'],
  'terminal.sale.failed': ['ERROR', 'TIMED_OUT'],
  'checkout.cancelled': ['CANCELLED'],
} as const satisfies Record<DeliveredEvent, readonly string[]>;
const statusWords = Object.entries(webhookStatuses)
  .map(([event, statuses]) => `${statuses.map(status => `\`${status}\``).join(' or ')} with \`${event}\``)
  .join(', ');

/** The body of every delivery: exactly these fields. Specification: Outbound webhooks. */
export const webhookBody = z
  .strictObject({
    eventType: deliveredEvent.meta({
      description: '`checkout.cancelled` is only sent to the `webhookUrl` of a checkout',
    }),
    checkoutId: z.string().meta({
      description:
        'The checkout (`chk_…`); for a payment link the link (`pl_…`), for terminal sales the sale (`sale_…`); `chk_test` in a test event',
    }),
    externalId: z.string().nullable().meta({
      description: 'The reference given at creation, if any; `test` in a test event',
    }),
    status: z.string().meta({
      description: `${statusWords}. \`${testStatus}\` in a test event of any \`eventType\`: do not fulfil anything`,
      example: 'COMPLETE',
    }),
    amount: z.number().meta({ description: 'In the smallest unit of the currency: satoshis where that is BTC' }),
    currency: z.string().meta({ description: 'ISO 4217, or BTC', example: 'GBP' }),
    network: z.string().nullable().meta({ description: '`lightning` or `onchain`; null for other payments' }),
    txIds: z.array(z.string()).meta({
      description: 'The transactions of a bitcoin payment, over Lightning its payment hash; empty for others',
    }),
    createdAt: timestamp.meta({ description: 'When it happened' }),
  })
  .meta({ id: 'WebhookBody' });
export type WebhookBody = z.infer<typeof webhookBody>;

const tag = 'Webhooks';
const url = machineWord(2000).meta({
  description: 'A public https address. Redirects are not followed',
  example: 'https://shop.example/florin/webhooks',
});
const description = oneLine(200)
  .nullable()
  .meta({ description: 'Its purpose, as shown to people', example: 'Order system' });

/** The outcome of an attempt; `interrupted`: its process crashed, so the endpoint may have received it. */
export const attemptOutcomes = [
  'delivered',
  'refused',
  'timeout',
  'connection_failed',
  'address_refused',
  'interrupted',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Why an endpoint is disabled: after ten failed deliveries in a row, or because somebody wanted it. */
export const disabledReasons = ['failures', 'request'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const webhookRecord = z
  .object({
    id: id('wh'),
    url: z.string(),
    eventType: webhookEvent,
    description: z
      .string()
      .nullable()
      .meta({ description: 'Its purpose, as shown to people', example: 'Order system' }),
    status: z.enum(['enabled', 'disabled']),
    disabledAt: timestamp.nullable(),
    disabledReason: z.enum(disabledReasons).nullable().meta({
      description: '`failures`: ten deliveries failed in a row; `request`: a person or a program disabled it',
    }),
    failedInARow: z.int().meta({ description: 'Failed deliveries since the last success; ten disable the endpoint' }),
    isFailing: z.boolean().meta({
      description:
        'The latest attempt failed. Once five deliveries have failed in a row, the notification recipients are warned, where there are any',
    }),
    failingSince: timestamp.nullable().meta({
      description: 'When the first attempt failed since the last success; test events are not counted',
    }),
    lastFailure: z
      .object({ outcome: z.enum(attemptOutcomes), responseStatus: z.int().nullable() })
      .nullable()
      .meta({ description: 'How the latest of these attempts ended' }),
    previousSecretUntil: timestamp.nullable().meta({
      description: 'Until when deliveries are also signed with the previous secret',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook' });
export type WebhookRecord = z.infer<typeof webhookRecord>;

const withSecret = webhookRecord
  .extend({
    secret: z
      .string()
      .nullable()
      .meta({ description: 'Shown once: null in a repetition of the call', example: 'whsec_4Jd8…' }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'not_sent'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryAttempt = z.object({
  series: z.int().meta({ description: 'Incremented each time the delivery is resent on request' }),
  number: z.int(),
  startedAt: timestamp,
  url: z.string(),
  outcome: z.enum(attemptOutcomes).nullable().meta({ description: 'null while in progress' }),
  responseStatus: z.int().nullable(),
  durationMs: z.int().nullable(),
  responseExcerpt: z.string().nullable().meta({ description: 'The beginning of the response' }),
  error: z.string().nullable(),
});

export const deliveryRecord = z
  .object({
    id: id('del'),
    webhookId: id('wh'),
    eventType: deliveredEvent,
    isTest: z.boolean(),
    sequence: z.int().nullable().meta({
      description: 'The order of the events of this endpoint, without gaps; null for test events',
    }),
    eventNumber: z.int().nullable().meta({
      description: 'The order of the events of the business, the same at each endpoint; null for test events',
    }),
    status: z.enum(deliveryStatuses).meta({
      description:
        '`not_sent`: the endpoint was disabled when the event happened, or it was disabled or changed to another event before it was delivered',
    }),
    series: z.int(),
    attemptCount: z.int().meta({ description: 'Attempts of this series, at most five' }),
    nextAttemptAt: timestamp.nullable(),
    body: z.string().meta({ description: 'The exact body sent', example: '{"eventType":"payment.completed", …}' }),
    attempts: z.array(deliveryAttempt),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

const params = z.object({ id: id('wh') });
const unknownWebhook = { 404: ['webhook_not_found'] } as const;

export const listWebhooks = contract({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  authentication: ['apiKey'],
  permissions: ['webhooks:read'],
  summary: 'List webhook endpoints, newest first',
  tag,
  query: pageQuery('webhooks'),
  responses: { 200: json(listOf(webhookRecord)) },
  origin: 'project',
});

export const createWebhook = contract({
  name: 'createWebhook',
  method: 'POST',
  path: '/api/v1/webhooks',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  stepUp: true,
  summary: 'Create a webhook endpoint',
  description:
    'An endpoint subscribes to exactly one event; create one per event, with the same URL if you like. The signing secret is shown in this response only: a repetition with the same Idempotency-Key gets the endpoint with `secret` null.',
  tag,
  body: z.object({ url, eventType: webhookEvent, description: description.default(null) }),
  responses: { 201: json(withSecret) },
  errors: { 409: ['too_many_webhooks'] },
  idempotent: true,
  origin: 'project',
});

export const getWebhook = contract({
  name: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  authentication: ['apiKey'],
  permissions: ['webhooks:read'],
  summary: 'Read one webhook endpoint',
  tag,
  params,
  responses: { 200: json(webhookRecord) },
  errors: unknownWebhook,
  origin: 'project',
});

export const changeWebhook = contract({
  name: 'changeWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{id}',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  stepUp: true,
  summary: 'Change a webhook endpoint',
  description:
    'Pending deliveries are sent to the new URL. With another `eventType`, those of the previous event end as `not_sent`, because the endpoint no longer expects it; an attempt in progress completes and is not repeated. Create a second endpoint to receive both events.',
  tag,
  params,
  body: changesOf({ url, eventType: webhookEvent, description }),
  responses: { 200: json(webhookRecord) },
  errors: unknownWebhook,
  origin: 'project',
});

export const deleteWebhook = contract({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Remove a webhook endpoint',
  description: 'Nothing more is sent to it, including pending deliveries.',
  tag,
  params,
  responses: { 200: json(webhookRecord) },
  errors: unknownWebhook,
  origin: 'project',
});

export const rotateWebhookSecret = contract({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  stepUp: true,
  summary: 'Rotate the signing secret',
  description:
    'Shown in this response only. With `keepPreviousSecret` deliveries carry a second `v1=` in their signature for 24 hours, made with the previous secret; without it the previous secret is no longer used.',
  tag,
  params,
  body: z.object({ keepPreviousSecret: z.boolean().default(false) }),
  responses: { 200: json(withSecret) },
  errors: unknownWebhook,
  idempotent: true,
  origin: 'project',
});

export const disableWebhook = contract({
  name: 'disableWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/disable',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Disable a webhook endpoint',
  description:
    'Nothing more is sent to it, including pending deliveries. Events are recorded meanwhile: enable it again and use `recover` to send them. No effect if the endpoint is disabled.',
  tag,
  params,
  responses: { 200: json(webhookRecord) },
  errors: unknownWebhook,
  idempotent: true,
  origin: 'project',
});

export const enableWebhook = contract({
  name: 'enableWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/enable',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Enable a disabled webhook endpoint',
  description:
    'New events are sent from now on; use `recover` to send missed ones. No effect if the endpoint is enabled.',
  tag,
  params,
  responses: { 200: json(webhookRecord) },
  errors: unknownWebhook,
  idempotent: true,
  origin: 'project',
});

export const testWebhook = contract({
  name: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Send a test event',
  description:
    'One attempt, signed like any other and with the header `X-Webhook-Test: true`; also to a disabled endpoint. It does not count as a failure. Read the deliveries for its outcome.',
  tag,
  params,
  responses: { 201: json(deliveryRecord) },
  errors: unknownWebhook,
  idempotent: true,
  origin: 'project',
});

export const listWebhookDeliveries = contract({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  authentication: ['apiKey'],
  permissions: ['webhooks:read'],
  summary: 'List the deliveries of an endpoint, newest first',
  tag,
  params,
  query: pageQuery('webhook-deliveries').extend({ status: z.enum(deliveryStatuses).optional() }),
  responses: { 200: json(listOf(deliveryRecord)) },
  errors: unknownWebhook,
  origin: 'project',
});

export const redeliverWebhook = contract({
  name: 'redeliverWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Resend a delivery',
  description:
    'Sent at once as a new series of up to five attempts with the same delivery id and body, whatever the outcome of the previous series, including one that waits for its next attempt. No effect while an attempt is in progress. Not for an event to which the endpoint no longer subscribes.',
  tag,
  params: z.object({ id: id('wh'), deliveryId: id('del') }),
  responses: { 200: json(deliveryRecord) },
  errors: { 404: ['webhook_not_found', 'delivery_not_found'], 409: ['webhook_disabled', 'webhook_event_changed'] },
  idempotent: true,
  origin: 'project',
});

export const recoverWebhook = contract({
  name: 'recoverWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/recover',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Resend all undelivered events since a time',
  description:
    'Resends, at once, deliveries that failed, that wait for another attempt after a failure, or that were not sent because the endpoint was disabled. Those of an event to which it no longer subscribes, delivered events and attempts in progress are not affected.',
  tag,
  params,
  query: z.object({ since: timeGiven }),
  responses: { 200: json(z.object({ deliveries: z.int().meta({ description: 'The number of resent deliveries' }) })) },
  errors: { ...unknownWebhook, 409: ['webhook_disabled'] },
  idempotent: true,
  origin: 'project',
});
