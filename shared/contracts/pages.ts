import { z } from 'zod';
import { amountMinor } from '../money.ts';
import { claimRefusals } from './claims.ts';
import { contract, id } from './contract.ts';
import { asset, json, page, redirect } from './responses.ts';
import { machineWord, oneLine } from './text.ts';

/** Pages that customers open in a browser, and what these load. Whoever has the address may. */

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

/** The id of what a page is about. Whoever opens a wrong address sees a page that says so: it is taken for the id of nothing. */
export function pageId(prefix: string) {
  return id(prefix).catch('');
}

const linkParams = z.object({ id: pageId('pl') });

/** Made by the page for each time that a customer pays: whoever has it may go on with that payment, and it pays once. */
export const attemptKey = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: 'must be 32 hexadecimal digits' })
  .meta({ example: '0123456789abcdef0123456789abcdef' });

/** Why what a customer asked for without a script was not done, for the page that they are sent back to. */
export const pageProblems = [
  'rate_unavailable',
  'bitcoin_unavailable',
  'payment_in_progress',
  ...claimRefusals,
] as const;

/** A page is opened all the same where this is no key. */
const attemptQuery = z.object({
  attempt: attemptKey.optional().catch(undefined),
  problem: z.enum(pageProblems).optional().catch(undefined),
});

export const getPaymentPage = contract({
  name: 'getPaymentPage',
  method: 'GET',
  path: '/pay/{id}',
  authentication: ['none'],
  summary: 'The page on which a customer pays a payment link',
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
  summary: 'Whether the page of a payment link still shows what is the case',
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
  summary: 'The page on which a customer gives a tip',
  tag: 'Pages',
  params: z.object({ id: pageId('tip') }),
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

/** What a bank's check wants to know of a browser. */
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
  body: z.object({
    attempt: attemptKey,
    method: z.enum(['card', 'apple_pay', 'google_pay']),
    paymentToken: machineWord(4096),
    amountInCents: amountMinor.meta({ description: 'What the page said is to be paid' }),
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
  summary: 'Give up a payment that waits for the customer at their bank, to begin another',
  description:
    'Only whoever has the key of that payment can: others with the link wait until the check ends by itself.',
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
  summary: 'Go on without the bank’s hidden page, which did not answer in time',
  tag: 'Pages',
  params: z.object({ id: id('pl') }),
  body: z.object({ attempt: attemptKey }),
  responses: { 200: json(z.object({ state: z.string() })) },
  errors: { 404: ['payment_link_not_found'] },
  origin: 'project',
});

/** The customer's bank sends their browser back here, in the hidden frame or in the whole window, with fields of its own. */
export const returnFromBank = contract({
  name: 'returnFromBank',
  method: 'POST',
  path: '/pay/{id}/return/{attempt}',
  authentication: ['none'],
  summary: 'Take what the customer’s browser brings back from their bank',
  tag: 'Pages',
  params: z.object({ id: pageId('pl'), attempt: attemptKey.catch('') }),
  query: z.object({ threeDSAcsResponse: z.enum(['method', 'challenge']).optional().catch(undefined) }),
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 50_000, fields: 50 },
  responses: { 200: page(), 303: redirect() },
  origin: 'project',
});

/** A form of the page, which works without a script; the customer is sent back to the page. */
const linkForm = {
  method: 'POST',
  authentication: ['none'],
  tag: 'Pages',
  params: z.object({ id: pageId('pl') }),
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
  summary: 'Ask for the amount of a link in bitcoin, at the price of now',
});

export const leaveLinkInBitcoin = contract({
  ...linkForm,
  name: 'leaveLinkInBitcoin',
  path: '/pay/{id}/bitcoin/leave',
  summary: 'Pay a link another way than in bitcoin',
});

export const claimOnPaymentPage = contract({
  ...linkForm,
  name: 'claimOnPaymentPage',
  path: '/pay/{id}/claim',
  summary: 'Take where the customer wants money returned to, from the form of the page',
  bodyLimits: { bytes: 10_000, fields: 5 },
});

const checkoutParams = z.object({ id: pageId('chk') });

export const getCheckoutPage = contract({
  name: 'getCheckoutPage',
  method: 'GET',
  path: '/checkout/{id}',
  authentication: ['none'],
  summary: 'The page on which a customer pays a checkout',
  tag: 'Pages',
  params: checkoutParams,
  query: z.object({
    network: z.enum(['lightning', 'onchain']).optional().catch(undefined),
    problem: z.enum(claimRefusals).optional().catch(undefined),
    iframe: z.enum(['true', 'false']).optional().catch(undefined).meta({
      description: '`true` to show it inside a page of the business',
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
  summary: 'Take where the customer wants money returned to, from the form of the page',
  tag: 'Pages',
  params: z.object({ id: id('chk') }),
  body: z.string(),
  bodyFormat: 'text',
  bodyLimits: { bytes: 10_000, fields: 5 },
  isOwnForm: true,
  responses: { 303: redirect() },
  origin: 'project',
});
