import { z } from 'zod';
import { contract } from './contract.ts';
import { lnurlProblem } from './problem.ts';
import { json } from './responses.ts';
import { machineWord } from './text.ts';

/** LNURL-pay for wallets: LUD-06, LUD-16 (Lightning address), LUD-21 (verification). Errors have status 200. */
const payRequest = z.object({
  tag: z.literal('payRequest'),
  callback: z.string(),
  minSendable: z.int().meta({ description: 'Millisatoshis' }),
  maxSendable: z.int().meta({ description: 'Millisatoshis' }),
  metadata: z.string().meta({ description: 'The text whose SHA-256 the invoice contains' }),
});
const tipInvoice = z.object({ pr: z.string(), routes: z.array(z.never()), verify: z.string() });
const verified = z.object({
  status: z.literal('OK'),
  settled: z.boolean(),
  preimage: z.string().nullable(),
  pr: z.string(),
});

const common = {
  method: 'GET',
  authentication: ['none'],
  tag: 'LNURL',
  errorShape: 'lnurl',
  origin: 'project',
} as const;
const name = machineWord(200);
const tipLink = z.object({ id: name });

export const getTipPayRequest = contract({
  ...common,
  name: 'getTipPayRequest',
  path: '/lnurl/tip/{id}',
  summary: 'Read the pay request of a tip link (LUD-06)',
  params: tipLink,
  responses: { 200: json(z.union([payRequest, lnurlProblem])) },
});

export const getLightningAddress = contract({
  ...common,
  name: 'getLightningAddress',
  path: '/.well-known/lnurlp/{name}',
  summary: 'Read a pay request by Lightning address (LUD-16)',
  params: z.object({ name }),
  responses: { 200: json(z.union([payRequest, lnurlProblem])) },
});

export const getTipInvoice = contract({
  ...common,
  name: 'getTipInvoice',
  path: '/lnurl/tip/{id}/invoice',
  summary: 'Create an invoice for an amount in millisatoshis (LUD-06)',
  params: tipLink,
  query: z.object({ amount: machineWord(40).optional().meta({ description: 'Millisatoshis' }) }),
  responses: { 200: json(z.union([tipInvoice, lnurlProblem])) },
});

export const getTipVerification = contract({
  ...common,
  name: 'getTipVerification',
  path: '/lnurl/tip/{id}/verify/{paymentHash}',
  summary: 'Check whether an invoice was paid (LUD-21)',
  params: tipLink.extend({ paymentHash: name }),
  responses: { 200: json(z.union([verified, lnurlProblem])) },
});
