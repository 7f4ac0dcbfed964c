import { z } from 'zod';
import { currencyOrBitcoin } from '../../bitcoin.ts';
import { amountMinor } from '../../money.ts';
import { claimDestination, claimStatuses, destinationRefusals, howDestinationsAreTaken } from '../claims.ts';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { eventStream, json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

/** PROCESSING: seen on chain, not confirmed. All others except PENDING are final. */
export const checkoutStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETE', 'UNDERPAID', 'EXPIRED', 'CANCELLED']).meta({
  description:
    'PROCESSING: seen on chain, not confirmed yet. All others except PENDING are final. A late or excess payment does not change a final status: see `receipts` and `claim`',
});
export type CheckoutStatus = z.infer<typeof checkoutStatus>;

/** A final status never changes, whatever arrives later. */
export function isFinalCheckout(status: CheckoutStatus): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

const receipt = z.object({
  network: z.enum(['lightning', 'onchain']),
  txId: z.string().meta({ description: 'The transaction; over Lightning the payment hash' }),
  amountSats: z.int(),
  status: z.enum(['seen', 'confirmed', 'replaced']).meta({
    description: '`seen`: not confirmed. `replaced`: seen, but replaced or dropped before it was confirmed',
  }),
  seenAt: timestamp,
  confirmedAt: timestamp.nullable(),
});

const claim = z.object({
  reason: z.enum(['underpaid', 'overpaid', 'late']).meta({ description: 'Why there is something to return' }),
  amountSats: z.int().meta({ description: 'The amount to return to the customer' }),
  status: z.enum(claimStatuses).meta({
    description: '`requested`: the customer gave a destination. `disputed`: different destinations were given',
  }),
});

/** The facts in every change event, which are stored. */
export const checkoutFacts = z.object({
  id: id('chk'),
  businessId: id('biz'),
  status: checkoutStatus,
  sequence: z.int().meta({
    description:
      'Incremented with each change: of two responses about this checkout, the one with the higher sequence is newer. Unrelated to the sequence numbers of streams and webhooks.',
  }),
  amount: z.int(),
  currency: z.string().meta({ description: 'ISO 4217 currency code, or BTC', example: 'GBP' }),
  amountSats: z.int().meta({ description: 'The amount to pay, fixed until `expiresAt`' }),
  rate: z.string().nullable().meta({ description: 'The price of one bitcoin used for the conversion; null for BTC' }),
  orderId: z.string(),
  externalReference: z.string().nullable(),
  successUrl: z.string().nullable(),
  receivedSats: z.int().meta({ description: 'Confirmed' }),
  processingSats: z.int().meta({ description: 'Seen, not confirmed yet' }),
  receipts: z.array(receipt),
  claim: claim.nullable(),
  expiresAt: timestamp,
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type CheckoutFacts = z.infer<typeof checkoutFacts>;

export const checkoutRecord = checkoutFacts
  .extend({
    url: z.string().meta({ description: 'The hosted page; add `?iframe=true` to embed it' }),
    redirectUrl: z.string().nullable().meta({
      description: 'Where the customer is sent once the status is final: `successUrl` with the signed outcome',
    }),
  })
  .meta({ id: 'Checkout' });
export type CheckoutRecord = z.infer<typeof checkoutRecord>;

const params = z.object({ id: id('chk') });
const tag = 'Checkouts';

export const createCheckout = contract({
  name: 'createCheckout',
  method: 'POST',
  path: '/api/v1/checkouts',
  authentication: ['apiKey', 'none'],
  permissions: ['take-payments:write'],
  summary: 'Create a hosted checkout',
  description:
    'A key is optional. Without one, `businessId` is required and an Idempotency-Key is ignored; with one, the key’s business is used. The number of unpaid checkouts created without a key is limited per business (429 `too_many_open_checkouts`); there is no such limit with a key. The rate is fixed now.',
  tag,
  body: z.object({
    businessId: id('biz').optional().meta({
      description: 'Required without a key; ignored with one',
    }),
    amount: amountMinor.meta({ description: 'In the smallest unit of the currency; satoshis for BTC' }),
    currency: currencyOrBitcoin,
    orderId: oneLine(200),
    successUrl: machineWord(2000).optional().meta({
      description: 'The redirect URL after payment: an https address without user name and password',
      example: 'https://shop.example/thanks',
    }),
    externalReference: oneLine(200).optional().meta({ description: 'Returned as `externalId` in webhooks' }),
    webhookUrl: machineWord(2000).optional().meta({
      description: 'Receives the completion or cancellation of this checkout, signed with the checkout signing key',
      example: 'https://shop.example/florin',
    }),
  }),
  responses: {
    201: json(
      checkoutRecord
        .extend({
          cancelToken: z.string().nullable().meta({
            description: 'Cancels this checkout without a key. Shown once: null in a repetition of the call',
          }),
        })
        .meta({ id: 'NewCheckout' }),
    ),
  },
  errors: {
    404: ['business_not_found'],
    409: ['bitcoin_not_available', 'amount_out_of_range'],
    429: ['too_many_open_checkouts'],
    503: ['rate_unavailable'],
  },
  idempotent: true,
  origin: 'project',
});

export const listCheckouts = contract({
  name: 'listCheckouts',
  method: 'GET',
  path: '/api/v1/checkouts',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List hosted checkouts, newest first',
  tag,
  query: pageQuery('checkouts').extend({
    status: checkoutStatus.optional(),
    orderId: oneLine(200).optional(),
    externalReference: oneLine(200).optional(),
  }),
  responses: { 200: json(listOf(checkoutRecord)) },
  origin: 'project',
});

export const getCheckout = contract({
  name: 'getCheckout',
  method: 'GET',
  path: '/api/v1/checkout/{id}',
  authentication: ['none'],
  summary: 'Read a checkout',
  tag,
  params,
  responses: { 200: json(checkoutRecord) },
  errors: { 404: ['checkout_not_found'] },
  origin: 'project',
});

export const followCheckout = contract({
  name: 'followCheckout',
  method: 'GET',
  path: '/api/v1/checkout/subscribe',
  authentication: ['none'],
  summary: 'Follow a checkout to its end',
  description:
    'Server-sent events: `open` with the checkout as it is, then `checkout-status-changed` with it at each change; the stream ends after a final status. A client that lost the connection sends the id of the last event it saw as Last-Event-ID and gets every change since, none twice; after a long time, `open` with the checkout as it is. A comment every fifteen seconds keeps the connection. If too many streams are open, the response is 429 `too_many_open_streams`: read the record instead, and open a stream after Retry-After.',
  tag,
  query: z.strictObject({ checkoutId: id('chk') }),
  responses: { 200: eventStream({ open: checkoutRecord, 'checkout-status-changed': checkoutRecord }) },
  errors: { 404: ['checkout_not_found'] },
  origin: 'project',
});

export const cancelCheckout = contract({
  name: 'cancelCheckout',
  method: 'POST',
  path: '/api/v1/checkout/{id}/cancel',
  authentication: ['apiKey', 'none'],
  permissions: ['take-payments:write'],
  summary: 'Cancel a checkout',
  description:
    'With a key, or with the token of its creation. A checkout that is paid, or being paid on chain, is not cancelled: the answer says what it is. Asking again is harmless.',
  tag,
  params,
  body: z.object({ cancelToken: machineWord(100).optional() }),
  responses: { 200: json(checkoutRecord) },
  errors: { 403: ['wrong_cancel_token'], 404: ['checkout_not_found'] },
  idempotent: true,
  origin: 'project',
});

/** An origin in its canonical form. */
const origin = machineWord(300).refine(
  text => {
    const url = URL.parse(text);
    const isSecure = url?.protocol === 'https:' || /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(text);
    return url?.origin === text && isSecure;
  },
  { error: 'must be an https origin without a path, such as https://shop.example' },
);

export const claimCheckout = contract({
  name: 'claimCheckout',
  method: 'POST',
  path: '/api/v1/checkout/{id}/claim',
  authentication: ['apiKey', 'none'],
  permissions: ['take-payments:write'],
  summary: 'Give a return destination for a late, partial or excess payment',
  description: howDestinationsAreTaken,
  tag,
  params,
  body: z.object({ destination: claimDestination }),
  responses: { 200: json(checkoutRecord) },
  errors: {
    400: destinationRefusals,
    404: ['checkout_not_found'],
    409: ['nothing_to_claim', 'too_many_destinations'],
  },
  idempotent: true,
  origin: 'project',
});

const checkoutSettings = z
  .object({
    signingKey: z.string().meta({ description: 'Signs redirects and posts to a checkout’s own webhookUrl' }),
    frameOrigins: z.array(z.string()).meta({ description: 'Origins whose pages may embed the hosted page' }),
  })
  .meta({ id: 'CheckoutSettings' });

/** The specification's table of permissions has none for this. */
const checkoutSettingsPermission =
  'Needs `webhooks:write`, the permission for signing secrets: the record contains the signing key, which also signs posts to a checkout’s `webhookUrl`. A caller with the key can forge outcomes, so a permission to read payments is not enough.';

export const getCheckoutSettings = contract({
  name: 'getCheckoutSettings',
  method: 'GET',
  path: '/api/v1/checkout-settings',
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Read how checkouts are signed and embedded',
  description: checkoutSettingsPermission,
  tag,
  responses: { 200: json(checkoutSettings) },
  origin: 'project',
});

export const changeCheckoutSettings = contract({
  name: 'changeCheckoutSettings',
  method: 'PATCH',
  path: '/api/v1/checkout-settings',
  stepUp: true,
  authentication: ['apiKey'],
  permissions: ['webhooks:write'],
  summary: 'Change how checkouts are signed and embedded',
  description: checkoutSettingsPermission,
  tag,
  body: changesOf({
    frameOrigins: z.array(origin).max(20),
    rotateSigningKey: z.literal(true).meta({ description: 'Creates a new key; the old one is no longer used' }),
  }),
  responses: { 200: json(checkoutSettings) },
  origin: 'project',
});
