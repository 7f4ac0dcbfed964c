import { z } from 'zod';
import { contract, id, timestamp } from './contract.ts';
import { file, json } from './responses.ts';

/** Where the customer finds the receipt of a payment or refund. */
export const receiptReference = z
  .object({
    url: z.string().meta({
      description: 'The page of the receipt, for the customer: whoever has the address can read it',
      example: 'https://pay.example/r/5pVhGfWq8nCkY2mTzRb7Lx',
    }),
  })
  .nullable();
export type ReceiptReference = z.infer<typeof receiptReference>;

/** The part of a receipt's address that cannot be guessed: 128 bits in base62. */
export const receiptToken = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/, { error: 'must be 22 letters and digits' })
  .meta({ description: 'From the address of the receipt', example: '5pVhGfWq8nCkY2mTzRb7Lx' });

/** The token in the address of a receipt, or in a text that is nothing else; undefined if it has none. */
export function receiptTokenIn(text: string): string | undefined {
  return /(?:^|\/r\/)([0-9A-Za-z]{22})(?:$|[/?#])/.exec(text.trim())?.[1];
}

export const receiptKeys = z
  .object({
    businessId: id('biz'),
    name: z.string().meta({ description: 'The name of the business', example: 'Corner Shop' }),
    keys: z.array(
      z.object({
        id: id('rkey'),
        algorithm: z.literal('Ed25519'),
        publicKey: z.string().meta({ description: 'SPKI, base64' }),
        createdAt: timestamp,
        retiredAt: timestamp.nullable().meta({ description: 'From when it signs no more; null for the current key' }),
      }),
    ),
  })
  .meta({ id: 'ReceiptKeys' });

/** The file that `npm run receipt -- verify` and the page at `/receipts/verify` check. */
export const getReceiptDocument = contract({
  name: 'getReceiptDocument',
  method: 'GET',
  path: '/r/{token}/receipt.json',
  authentication: ['none'],
  summary: 'Download a receipt as a signed document',
  tag: 'Receipts',
  params: z.object({ token: receiptToken }),
  responses: { 200: file('application/json') },
  errors: { 404: ['receipt_not_found'] },
  origin: 'project',
});

export const getReceiptKeys = contract({
  name: 'getReceiptKeys',
  method: 'GET',
  path: '/.well-known/florin-receipts/{businessId}.json',
  authentication: ['none'],
  summary: 'Read the keys with which a business signs its receipts, and signed them before',
  tag: 'Receipts',
  params: z.object({ businessId: id('biz') }),
  responses: { 200: json(receiptKeys) },
  errors: { 404: ['business_not_found'] },
  origin: 'project',
});
