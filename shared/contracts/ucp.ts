import { z } from 'zod';
import { amountMinor } from '../money.ts';
import { contract, timestamp } from './contract.ts';
import { json } from './responses.ts';
import { machineWord } from './text.ts';

/**
 * The Invoice API of UCP's Lightning payment handler `com.musqet.invoice-api`; names, codes and error format are those
 * of its specification (2026-04-28).
 */
export const ucpInvoicePath = '/ucp/v1/invoices';

export const ucpCheckoutId = machineWord(255).meta({
  description: 'The checkout at the business: opaque and unguessable',
  example: 'chk_01HXYZ5T2Q9W8E7R6T5Y4U3I2O',
});

/** A satoshi has no smaller unit. */
export const ucpCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be SAT or a three-letter ISO 4217 currency code' })
  .meta({ description: 'SAT, or an ISO 4217 code', example: 'GBP' });

/** The facts of an invoice, in UCP's fields. */
export const ucpInvoiceFacts = z.object({
  invoice_id: z.string().meta({ example: 'ucp_019a8f3e6b7c7d2e8a1b2c3d4e5f6071' }),
  payment_hash: z.string().meta({
    description: 'SHA-256 of the preimage, hexadecimal',
    example: 'ec4916dd28fc4c10d78e287ca5d9cc51'.repeat(2),
  }),
  currency: ucpCurrency,
  amount: z.int().meta({ description: 'As requested, in the smallest unit of the currency', example: 2500 }),
  amount_sats: z.int().meta({ description: 'The exact amount to pay', example: 45_230 }),
  fx_rate: z
    .number()
    .optional()
    .meta({ description: 'Satoshis per smallest unit of the currency; omitted for SAT', example: 18.092 }),
});

const ucpInvoice = ucpInvoiceFacts
  .extend({
    bolt11: z.string().meta({
      description: 'The Lightning invoice, for the customer’s wallet',
      example: 'lnbc452300n1pn2example',
    }),
    expires_at: timestamp,
  })
  .meta({ id: 'UcpInvoice' });

export const createUcpInvoice = contract({
  name: 'createUcpInvoice',
  method: 'POST',
  path: ucpInvoicePath,
  authentication: ['apiKey', 'none'],
  permissions: ['take-payments:write'],
  summary: 'Create or read the Lightning invoice of a UCP checkout',
  description:
    'Needs no key. Only so many made without a key of the merchant wait to be paid at once: further ones are 429 `rate_limited` with Retry-After. With an API key of the merchant itself (its own server asking on behalf of a platform) there is no such limit; a key of another business is 404 `merchant_not_found`.',
  tag: 'UCP',
  body: z.object({
    merchant_id: machineWord(100).meta({ description: 'As in the profile of the business', example: 'biz_019a8f3e' }),
    checkout_id: ucpCheckoutId,
    currency: ucpCurrency,
    amount: amountMinor.meta({ description: 'In the smallest unit of the currency; whole satoshis for SAT' }),
  }),
  responses: {
    200: json(ucpInvoice),
    201: json(ucpInvoice),
  },
  errors: {
    400: ['unsupported_currency', 'amount_out_of_range'],
    404: ['merchant_not_found'],
    409: ['amount_mismatch', 'lightning_not_enabled'],
    429: ['rate_limited'],
    503: ['provider_unavailable'],
  },
  errorShape: 'ucp',
  origin: 'project',
});
