import { z } from 'zod';
import { customerLanguages } from '../languages.ts';
import { amountMinor } from '../money.ts';
import { claimRefusals } from './claims.ts';
import { contract, id } from './contract.ts';
import { receiptToken } from './receipts.ts';
import { asset, json, page, redirect } from './responses.ts';
import { machineWord, oneLine } from './text.ts';

/** Pages that customers open in a browser, and their assets. Authorised by their address. */

const fileName = z.object({
  name: z
    .string()
    .regex(/^[a-z]{1,40}-[0-9a-f]{16}$/)
    .meta({ example: 'style-0123456789abcdef' }),
});

export const getStyle = contract({
  name: 'getStyle',
  method: 'GET',
  path: '/assets/{name}.css',
  authentication: ['none'],
  summary: 'The stylesheet of a page',
  tag: 'Pages',
  params: fileName,
  responses: { 200: asset('text/css; charset=utf-8') },
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
});

/** Pages load it only where a shop has a colour of its own. */
export const getAccentStyle = contract({
  name: 'getAccentStyle',
  method: 'GET',
  path: '/accents/{colour}.css',
  authentication: ['none'],
  summary: 'The style of pages in a shop’s colour',
  tag: 'Pages',
  params: z.object({
    colour: z
      .string()
      .regex(/^[0-9a-f]{6}$/)
      .meta({ example: '1f4fe0' }),
  }),
  responses: { 200: asset('text/css; charset=utf-8') },
  origin: 'project',
});

export const getPageFont = contract({
  name: 'getPageFont',
  method: 'GET',
  path: '/assets/{name}.woff2',
  authentication: ['none'],
  summary: 'The font of pages',
  tag: 'Pages',
  params: fileName,
  responses: { 200: asset('font/woff2') },
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
});

const logo = {
  method: 'GET',
  authentication: ['none'],
  summary: 'The logo of a shop on its pages',
  tag: 'Pages',
  params: z.object({
    businessId: id('biz'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ example: '0123456789abcdef'.repeat(4) }),
  }),
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
} as const;

export const getPngLogo = contract({
  ...logo,
  name: 'getPngLogo',
  path: '/logos/{businessId}/{hash}.png',
  responses: { 200: asset('image/png') },
});

export const getJpegLogo = contract({
  ...logo,
  name: 'getJpegLogo',
  path: '/logos/{businessId}/{hash}.jpg',
  responses: { 200: asset('image/jpeg') },
});

export const getScript = contract({
  name: 'getScript',
  method: 'GET',
  path: '/assets/{name}.js',
  authentication: ['none'],
  summary: 'The script of a page',
  tag: 'Pages',
  params: fileName,
  responses: { 200: asset('text/javascript; charset=utf-8') },
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
});

/** The language chosen on a page, which its links and forms keep. An unknown one is ignored. */
const languageQuery = z.object({
  lang: z.enum(customerLanguages).optional().catch(undefined).meta({
    description: 'Instead of the language that the browser prefers',
    example: 'de',
  }),
});

/** The id in a page's address. An invalid one is treated as unknown, so that the customer gets the error page. */
export function pageId(prefix: string) {
  return id(prefix).catch('');
}

const linkParams = z.object({ id: pageId('pl') });

/** Created by the page for each payment attempt: it authorises continuing that payment, which is made once. */
export const attemptKey = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: 'must be 32 hexadecimal digits' })
  .meta({ example: '0123456789abcdef0123456789abcdef' });

/** Why a request of a page without JavaScript failed, for the page it redirects to. */
export const pageProblems = [
  'rate_unavailable',
  'bitcoin_unavailable',
  'bitcoin_amount_out_of_range',
  'payment_in_progress',
  ...claimRefusals,
] as const;

/** An invalid key is ignored. */
const attemptQuery = languageQuery.extend({
  attempt: attemptKey.optional().catch(undefined),
  problem: z.enum(pageProblems).optional().catch(undefined),
});

export const getPaymentPage = contract({
  name: 'getPaymentPage',
  method: 'GET',
  path: '/pay/{id}',
  authentication: ['none'],
  summary: 'Show the page of a payment link',
  tag: 'Pages',
  params: linkParams,
  query: attemptQuery,
  responses: { 200: page(), 404: page() },
  origin: 'project',
});

export const getPaymentPageState = contract({
  name: 'getPaymentPageState',
  method: 'GET',
  path: '/pay/{id}/state',
  authentication: ['none'],
  summary: 'Read the current state of a payment link’s page',
  tag: 'Pages',
  params: z.object({ id: id('pl') }),
  query: z.object({ attempt: attemptKey.optional() }),
  responses: { 200: json(z.object({ state: z.string() })) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

export const getTipPage = contract({
  name: 'getTipPage',
  method: 'GET',
  path: '/tip/{id}',
  authentication: ['none'],
  summary: 'Show the page of a tip link',
  tag: 'Pages',
  params: z.object({ id: pageId('tip') }),
  query: languageQuery,
  responses: { 200: page(), 404: page() },
  origin: 'project',
});

const linkRefusals = {
  404: ['payment_link_not_found'],
  409: [
    'no_gateway_account',
    'payment_link_expired',
    'payment_link_paid',
    'payment_in_progress',
    'payment_outcome_unknown',
    'part_payment_unavailable',
    'method_not_offered',
  ],
} as const;

/** The browser data that a bank's check requires. */
const browser = z.object({
  userAgent: oneLine(400),
  language: oneLine(40),
  timeZoneOffsetMinutes: z.int().min(-1_440).max(1_440),
  screen: z.string().regex(/^\d{1,5}x\d{1,5}x\d{1,2}$/, { error: 'must be width x height x depth' }),
});

export const payPaymentLink = contract({
  name: 'payPaymentLink',
  method: 'POST',
  path: '/pay/{id}/payments',
  authentication: ['none'],
  summary: 'Pay a link with a card or a wallet, by a token of the gateway’s own fields',
  description: 'The same attempt pays once, however often it is sent.',
  tag: 'Pages',
  params: z.object({ id: id('pl') }),
  query: z.object({
    lang: z
      .enum(customerLanguages, { error: `must be one of ${customerLanguages.join(', ')}` })
      .optional()
      .meta({ description: 'The language chosen on the page' }),
  }),
  body: z.object({
    attempt: attemptKey,
    method: z.enum(['card', 'apple_pay', 'google_pay']),
    paymentToken: machineWord(4096),
    amountInCents: amountMinor.meta({ description: 'The amount shown on the page' }),
    browser,
  }),
  responses: { 200: json(z.object({ state: z.string() })) },
  errors: linkRefusals,
  origin: 'project',
});

export const abandonLinkPayment = contract({
  name: 'abandonLinkPayment',
  method: 'POST',
  path: '/pay/{id}/abandon',
  authentication: ['none'],
  summary: 'Abandon a payment that waits for the bank’s check, to start another',
  description: 'Requires the key of that payment: other customers of the link wait until the check ends by itself.',
  tag: 'Pages',
  params: z.object({ id: id('pl') }),
  body: z.object({ attempt: attemptKey }),
  responses: { 200: json(z.object({ state: z.string() })) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

export const skipBankMethod = contract({
  name: 'skipBankMethod',
  method: 'POST',
  path: '/pay/{id}/skip-method',
  authentication: ['none'],
  summary: 'Continue without the bank’s hidden page, which did not respond in time',
  tag: 'Pages',
  params: z.object({ id: id('pl') }),
  body: z.object({ attempt: attemptKey }),
  responses: { 200: json(z.object({ state: z.string() })) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

/** The bank redirects the customer's browser here, in the hidden frame or the window, with its own fields. */
export const returnFromBank = contract({
  name: 'returnFromBank',
  method: 'POST',
  path: '/pay/{id}/return/{attempt}',
  authentication: ['none'],
  summary: 'Receive the result of the bank’s check from the customer’s browser',
  tag: 'Pages',
  params: z.object({ id: pageId('pl'), attempt: attemptKey.catch('') }),
  query: languageQuery.extend({ threeDSAcsResponse: z.enum(['method', 'challenge']).optional().catch(undefined) }),
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 50_000, fields: 50 },
  responses: { 200: page(), 303: redirect() },
  origin: 'project',
});

/** A form of the page that works without a script and redirects back to the page. */
const linkForm = {
  method: 'POST',
  authentication: ['none'],
  tag: 'Pages',
  params: z.object({ id: pageId('pl') }),
  query: languageQuery,
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 1_000, fields: 10 },
  isOwnForm: true,
  responses: { 303: redirect() },
  origin: 'project',
} as const;

export const payLinkInBitcoin = contract({
  ...linkForm,
  name: 'payLinkInBitcoin',
  path: '/pay/{id}/bitcoin',
  summary: 'Request the amount of a link in bitcoin at the current price',
});

export const leaveLinkInBitcoin = contract({
  ...linkForm,
  name: 'leaveLinkInBitcoin',
  path: '/pay/{id}/bitcoin/leave',
  summary: 'Withdraw the bitcoin request of a link',
});

export const claimOnPaymentPage = contract({
  ...linkForm,
  name: 'claimOnPaymentPage',
  path: '/pay/{id}/claim',
  summary: 'Receive a return destination from the page’s form',
  bodyLimits: { bytes: 10_000, fields: 5 },
});

const checkoutParams = z.object({ id: pageId('chk') });

export const getCheckoutPage = contract({
  name: 'getCheckoutPage',
  method: 'GET',
  path: '/checkout/{id}',
  authentication: ['none'],
  summary: 'Show the page of a checkout',
  tag: 'Pages',
  params: checkoutParams,
  query: languageQuery.extend({
    network: z.enum(['lightning', 'onchain']).optional().catch(undefined),
    problem: z.enum(claimRefusals).optional().catch(undefined),
    iframe: z.enum(['true', 'false']).optional().catch(undefined).meta({
      description: '`true` to embed it in a page of the business',
    }),
  }),
  responses: { 200: page(), 404: page() },
  origin: 'project',
});

export const claimOnCheckoutPage = contract({
  name: 'claimOnCheckoutPage',
  method: 'POST',
  path: '/checkout/{id}/claim',
  authentication: ['none'],
  summary: 'Receive a return destination from the page’s form',
  tag: 'Pages',
  params: z.object({ id: id('chk') }),
  query: languageQuery,
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 10_000, fields: 5 },
  isOwnForm: true,
  responses: { 303: redirect() },
  origin: 'project',
});

/** An invalid token is treated as unknown, so that the customer gets the error page. */
const receiptParams = z.object({ token: receiptToken.catch('') });

export const receiptEmailOutcomes = ['sent', 'address_invalid', 'too_many_addresses', 'too_many_emails'] as const;

export const getReceiptPage = contract({
  name: 'getReceiptPage',
  method: 'GET',
  path: '/r/{token}',
  authentication: ['none'],
  summary: 'Show the receipt of a sale, void or refund',
  tag: 'Pages',
  params: receiptParams,
  query: languageQuery.extend({
    email: z.enum(receiptEmailOutcomes).optional().catch(undefined).meta({
      description: 'What became of the e-mail that was asked for',
    }),
  }),
  responses: { 200: page(), 404: page() },
  origin: 'project',
});

export const sendReceipt = contract({
  name: 'sendReceipt',
  method: 'POST',
  path: '/r/{token}/email',
  authentication: ['none'],
  summary: 'Send a receipt to the address in the page’s form',
  tag: 'Pages',
  params: receiptParams,
  query: languageQuery,
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 2_000, fields: 5 },
  isOwnForm: true,
  responses: { 303: redirect() },
  origin: 'project',
});

export const getReceiptVerifier = contract({
  name: 'getReceiptVerifier',
  method: 'GET',
  path: '/receipts/verify',
  authentication: ['none'],
  summary: 'Show the page that checks signed receipts, also once it is saved',
  tag: 'Pages',
  query: languageQuery,
  responses: { 200: page() },
  origin: 'project',
});
