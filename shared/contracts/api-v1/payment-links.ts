import { z } from 'zod';
import { cardScheme } from '../../card-schemes.ts';
import { amountMinor, currencyCode } from '../../money.ts';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { customerUrlProblem } from '../customer-url.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { lines, machineWord, oneLine } from '../text.ts';
import { paymentStatus } from './refunds.ts';

export const paymentLinkStatus = z.enum(['ACTIVE', 'PARTIALLY_PAID', 'PAID', 'EXPIRED']);
export type PaymentLinkStatus = z.infer<typeof paymentLinkStatus>;

export const paymentMethod = z.enum(['card', 'apple_pay', 'google_pay', 'lightning', 'onchain']);

/** The purpose of a bitcoin payment. */
export const bitcoinPurpose = z.enum(['checkout', 'paymentLink', 'terminalSale', 'tip', 'ucp']);

/** The purpose of a payment, if it was made in bitcoin. */
export const whatItPaid = {
  purpose: bitcoinPurpose.nullable().meta({ description: 'The purpose of a bitcoin payment; null for cards' }),
  purposeId: z.string().nullable().meta({
    description: 'The id of that checkout, payment link, sale or tip link; for `ucp`, of its invoice. Null for cards',
  }),
};

export const linkPayment = z
  .object({
    id: id('pay'),
    invoiceNumber: z.string(),
    method: paymentMethod,
    amountInCents: z.int(),
    currency: z.string(),
    amountSats: z.int().nullable().meta({
      description: 'The amount of a bitcoin payment, in satoshis; null for cards',
      example: null,
    }),
    status: paymentStatus.meta({ description: 'With settlement and refunds' }),
    cardScheme: cardScheme.nullable(),
    cardLastFour: z.string().nullable(),
    gatewayReference: z.string().nullable(),
    declineMessage: z.string().nullable(),
    takenAt: timestamp.nullable(),
    settledAt: timestamp.nullable().meta({ description: 'When it settled; null until then' }),
    badges: z.array(z.string()).meta({ example: ['manual refund, funds returned out of band'] }),
  })
  .meta({ id: 'LinkPayment' });
export type LinkPayment = z.infer<typeof linkPayment>;

export const countedLinkPayment = linkPayment
  .extend({
    countedInCents: z.int().meta({
      description:
        'The part that counts in `amountPaidInCents` of the link: nothing for a payment that is pending, declined, voided or rejected, or for bitcoin that arrived late, too little or in excess',
      example: 500,
    }),
  })
  .meta({ id: 'CountedLinkPayment' });
export type CountedLinkPayment = z.infer<typeof countedLinkPayment>;

export const paymentLink = z
  .object({
    id: id('pl'),
    url: z.string(),
    description: z.string(),
    amountInCents: z.int(),
    currency: z.string(),
    allowPartPayment: z.boolean(),
    minimumAmountInCents: z.int().nullable(),
    expiresAt: timestamp,
    status: paymentLinkStatus.meta({
      description:
        '`PAID` once the full amount was received: a later void or refund does not reopen the link, only a settlement rejected by the bank does. `EXPIRED` takes precedence after the expiry',
    }),
    amountPaidInCents: z.int().meta({
      description:
        'The sum of `countedInCents` of `payments`. Voids lower it, refunds do not. A partially paid bitcoin request does not count: see `bitcoinRequest` and `dueSats`',
      example: 500,
    }),
    balanceInCents: z.int().meta({
      description: 'The amount left to pay; 0 once the full amount was received',
      example: 500,
    }),
    bitcoinRequest: z
      .object({
        amountSats: z.int().meta({ description: 'The whole amount of the link, in satoshis', example: 20000 }),
        confirmedSats: z
          .int()
          .meta({ description: 'The confirmed amount. It counts once the whole amount has arrived', example: 9000 }),
        seenSats: z.int().meta({ description: 'The unconfirmed amount', example: 0 }),
        expiresAt: timestamp,
      })
      .nullable()
      .meta({
        description:
          'The open bitcoin request, if any. Its payments are in `payments` and count neither in `amountPaidInCents` nor in `dueSats` until the request ends: either the whole amount paid it, or all of it is to be returned to the customer',
      }),
    dueSats: z.int().meta({
      description:
        'Bitcoin that arrived late, too little or in excess and is not returned yet: it is in `payments`, does not count in `amountPaidInCents`, and is to be returned to the customer (`GET /api/v1/bitcoin-claims`)',
      example: 0,
    }),
    externalReference: z.string().nullable(),
    successUrl: z.string().nullable(),
    createdAt: timestamp,
    deletedAt: timestamp.nullable().meta({
      description: 'From then on customers can neither open nor pay it; the record and its status do not change',
    }),
    payments: z.array(countedLinkPayment).meta({
      description:
        'Every payment made on it, including bitcoin that does not count: see `bitcoinRequest` and `dueSats`',
    }),
  })
  .meta({ id: 'PaymentLink' });
export type PaymentLink = z.infer<typeof paymentLink>;

const bitcoinIsEnded =
  'An open request in bitcoin that nothing was received for is ended first. Where something was, or the bitcoin node does not confirm that, the answer is `payment_in_progress` with `bitcoin` in the metadata, which says until when it is open.';

const linkParams = z.object({ id: id('pl') });

export const createPaymentLink = contract({
  name: 'createPaymentLink',
  method: 'POST',
  path: '/api/v1/payment-link',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Create a payment link',
  tag: 'Payment links',
  body: z
    .object({
      description: lines(500),
      amountInCents: amountMinor,
      currency: currencyCode,
      allowPartPayment: z.boolean().default(false),
      minimumAmountInCents: amountMinor.optional(),
      expiresAt: timeGiven
        .meta({ description: 'In the future; default: in a week', example: '2035-01-31T17:00:00Z' })
        .optional(),
      externalReference: oneLine(200).optional(),
      successUrl: machineWord(2000)
        .superRefine((text, check) => {
          const message = customerUrlProblem(text, { allowLoopback: false });
          if (message !== undefined) check.addIssue({ code: 'custom', message });
        })
        .meta({ description: 'The redirect URL after payment: an https address without user name and password' })
        .optional(),
    })
    .refine(body => body.minimumAmountInCents === undefined || body.allowPartPayment, {
      path: ['minimumAmountInCents'],
      error: 'must not be set without allowPartPayment',
    })
    .refine(body => body.minimumAmountInCents === undefined || body.minimumAmountInCents <= body.amountInCents, {
      path: ['minimumAmountInCents'],
      error: 'must not be more than the amount',
    }),
  responses: { 201: json(paymentLink) },
  errors: { 409: ['payment_links_disabled', 'no_payment_method'] },
  idempotent: true,
  origin: 'project',
});

export const listPaymentLinks = contract({
  name: 'listPaymentLinks',
  method: 'GET',
  path: '/api/v1/payment-link',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List payment links, newest first',
  tag: 'Payment links',
  mayBeStale: true,
  query: pageQuery('payment-links').extend({ status: paymentLinkStatus.optional() }),
  responses: { 200: json(listOf(paymentLink)) },
  origin: 'project',
});

export const getPaymentLink = contract({
  name: 'getPaymentLink',
  method: 'GET',
  path: '/api/v1/payment-link/{id}',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'Read one payment link',
  tag: 'Payment links',
  params: linkParams,
  responses: { 200: json(paymentLink) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

export const listLinkPayments = contract({
  name: 'listLinkPayments',
  method: 'GET',
  path: '/api/v1/payment-link/{id}/payments',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List the payments made against a link',
  tag: 'Payment links',
  params: linkParams,
  responses: { 200: json(z.object({ items: z.array(countedLinkPayment), nextCursor: z.string().nullable() })) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

export const deletePaymentLink = contract({
  name: 'deletePaymentLink',
  method: 'DELETE',
  path: '/api/v1/payment-link/{id}',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Delete a payment link: customers no longer see it. A paid one cannot be deleted',
  description: bitcoinIsEnded,
  tag: 'Payment links',
  params: linkParams,
  responses: { 200: json(paymentLink) },
  errors: {
    404: ['payment_link_not_found'],
    409: ['payment_link_paid', 'payment_in_progress', 'payment_outcome_unknown'],
  },
  origin: 'project',
});

/**
 * Takes a card payment for a link without its page: the card is a token of the gateway's card fields, so no card number
 * reaches this service.
 */
export const createLinkPayment = contract({
  name: 'createLinkPayment',
  method: 'POST',
  path: '/api/v1/payment-link/{id}/payments',
  authentication: ['apiKey'],
  permissions: ['take-payments:write'],
  summary: 'Take a card payment for a link',
  description: bitcoinIsEnded,
  tag: 'Payment links',
  params: linkParams,
  body: z.object({
    paymentToken: machineWord(4096).meta({
      description:
        'A token from the card fields of the business’s gateway, so that no card number reaches this service. In the sandbox: `POST /tokens` of the sandbox gateway with `cardNumber`, `cardExpiryMonth`, `cardExpiryYear` and `cardCVV`',
    }),
    amountInCents: amountMinor.optional().meta({ description: 'Default: the whole balance' }),
  }),
  responses: { 201: json(linkPayment), 202: json(linkPayment) },
  errors: {
    404: ['payment_link_not_found'],
    409: [
      'no_gateway_account',
      'payment_link_deleted',
      'payment_link_expired',
      'payment_link_paid',
      'payment_in_progress',
      'payment_outcome_unknown',
      'amount_exceeds_balance',
      'part_payment_refused',
    ],
  },
  idempotent: true,
  origin: 'project',
});
