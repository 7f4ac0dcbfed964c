import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { merchantRefundReasons } from './refunds.ts';

/** A positive whole number in an address. */
const amountInQuery = z.coerce
  .string<string | number>()
  .regex(/^[1-9]\d{0,14}$/, { error: 'must be a whole number from 1' })
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1 } });

export const refundOptions = z
  .object({
    action: z.enum(['void', 'refund', 'record']).nullable().meta({
      description:
        'What returns money of this payment now. `void`: in full, before it settles. `record`: a bitcoin payment, whose money you return yourself. Null where nothing does, see `blocked`',
    }),
    blocked: z
      .object({
        reason: z.enum(merchantRefundReasons),
        message: z.string().meta({ example: 'Payment has already been refunded' }),
        retryAfter: timestamp
          .nullable()
          .meta({ description: 'When it is looked at again; null if waiting changes nothing' }),
      })
      .nullable()
      .meta({ description: 'Why the amount in question, or any amount, cannot be returned now', example: null }),
    currency: z.string(),
    remainingInCents: z.int().meta({ description: 'The amount that can still be refunded', example: 2000 }),
    remainingSats: z
      .int()
      .nullable()
      .meta({ description: 'The same of a bitcoin payment, in satoshis', example: null }),
    confirmation: z.string().nullable().meta({
      description: 'What will happen, to be confirmed by who asks for it; null without an amount that can be returned',
      example:
        '£12.50 goes back to Visa ••1234, usually in one to five working days. £7.50 is left. Issuing it again pays it again.',
    }),
    forCustomer: z.string().meta({
      description:
        'What to tell the customer about this payment. Of several refunds: their sum and what is left, then a line for each',
      example:
        'Your refund of £5.00 to Visa ••1234 was sent on 3 March 2026; it usually appears in one to five working days, longer over a weekend or a bank holiday. If it has not appeared after ten working days, ask your bank about the reference 26030309300100RF42.',
    }),
  })
  .meta({ id: 'RefundOptions' });
export type RefundOptionsRecord = z.infer<typeof refundOptions>;

export const getRefundOptions = contract({
  name: 'getRefundOptions',
  method: 'GET',
  path: '/api/v1/payments/{id}/refund-options',
  authentication: ['apiKey'],
  permissions: [{ anyOf: ['sales:read', 'take-payments:read'] }],
  summary: 'What a refund of a payment will do, in words',
  description:
    'Sentences are in the first language of Accept-Language among English and German, otherwise in that of the business. Settlement is as last known: a refund asks the gateway again.',
  tag: 'Refunds',
  params: z.object({ id: id('pay') }),
  query: z.strictObject({
    amountInCents: amountInQuery.optional().meta({ description: 'The amount to be returned, of a card payment' }),
    amount: amountInQuery.optional().meta({ description: 'The same of a bitcoin payment, in satoshis' }),
  }),
  responses: { 200: json(refundOptions) },
  errors: { 404: ['payment_not_found'] },
  origin: 'project',
});
