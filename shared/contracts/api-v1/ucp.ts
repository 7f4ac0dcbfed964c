import { z } from 'zod';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { ucpCheckoutId, ucpCurrency, ucpInvoiceFacts, ucpInvoicePath } from '../ucp.ts';

const common = { authentication: ['apiKey'], tag: 'UCP', origin: 'project' } as const;

export const verifyUcpPayment = contract({
  ...common,
  name: 'verifyUcpPayment',
  method: 'POST',
  path: '/api/v1/ucp/verify',
  permissions: ['ucp:verify'],
  summary: 'Verify a preimage that a UCP platform presents as proof of payment',
  description:
    'For Lightning invoices created with UCP’s Invoice API. Checked in this order: the invoice with this payment hash, its checkout, whether the business’s own node was paid, and the exact amount. The first hash accepted for a checkout stays the only one; verifying it again returns the same response.',
  body: z.object({
    preimage: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, { error: 'must be 64 hexadecimal digits' })
      .meta({ description: '32 bytes as hexadecimal digits', example: `${'0'.repeat(63)}1` }),
    checkout_id: ucpCheckoutId,
  }),
  responses: {
    200: json(
      ucpInvoiceFacts
        .extend({
          settled: z.literal(true),
          settled_at: timestamp.meta({ description: 'When the business’s node was paid' }),
        })
        .meta({ id: 'UcpVerification' }),
    ),
  },
  errors: {
    403: ['binding_mismatch'],
    404: ['invoice_not_found'],
    409: ['invoice_not_settled', 'amount_mismatch'],
    410: ['invoice_expired'],
    503: ['provider_unavailable'],
  },
  idempotent: true,
});

export const getUcpProfile = contract({
  ...common,
  name: 'getUcpProfile',
  method: 'GET',
  path: '/api/v1/ucp/profile',
  permissions: [{ anyOf: ['ucp:verify', 'take-payments:read'] }],
  summary: 'Read the configuration of the payment handler com.musqet.invoice-api',
  description: `Copy this into the business’s own \`/.well-known/ucp\`. \`invoice_endpoint\` is this service’s \`POST ${ucpInvoicePath}\`, which platforms call without a key.`,
  responses: {
    200: json(
      z
        .object({
          merchant_id: z.string().meta({ example: 'biz_019a8f3e6b7c7d2e8a1b2c3d4e5f6071' }),
          invoice_endpoint: z.string().meta({ example: `https://pay.example${ucpInvoicePath}` }),
          display_name: z.string().meta({ example: 'Corner Shop' }),
          supported_currencies: z.array(ucpCurrency).meta({ example: ['SAT', 'GBP'] }),
        })
        .meta({ id: 'UcpProfile' }),
    ),
  },
  errors: { 409: ['lightning_not_enabled'] },
});
