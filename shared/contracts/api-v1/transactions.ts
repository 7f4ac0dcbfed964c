import { z } from 'zod';
import { cardScheme } from '../../card-schemes.ts';
import { currencyCode } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { actorRecord, terminalReference } from './actors.ts';
import { paymentMethod, whatItPaid } from './payment-links.ts';
import { period } from './payments.ts';
import { staffReference } from './refunds.ts';

export const transactionType = z
  .enum([
    'payment',
    'void',
    'refund',
    'uncapped_refund',
    'bitcoin_refund',
    'reversal',
    'settlement_rejected',
    'correction',
  ])
  .meta({
    description:
      '`payment`: money was taken; `void`: a payment was cancelled in full before it settled, by a CANCEL or at the gateway itself; `refund`: a REFUND_SALE; `uncapped_refund`: a REFUND; `bitcoin_refund`: recorded, the merchant returns the funds; `reversal`: the service reversed a sale that its terminal did not complete; `settlement_rejected`: the bank did not pay; `correction`: a refund recorded as failed was found, on evidence, to have been made',
  });
export type TransactionType = z.infer<typeof transactionType>;

export const transactionRecord = z
  .object({
    id: id('txn'),
    type: transactionType,
    amountInCents: z.int().meta({
      description:
        'Positive for money received, negative for money returned. For a bitcoin refund: the share of the payment that its satoshis are. The sum of a payment’s refunds is rounded down to the smallest unit, and refunding the last satoshi brings it to exactly the amount paid; a single one may be 0',
      example: 1250,
    }),
    amountSats: z.int().nullable().meta({ description: 'The same in satoshis; null for cards', example: null }),
    currency: z.string().meta({ example: 'GBP' }),
    method: paymentMethod,
    paymentId: id('pay'),
    refundId: id('ref').nullable(),
    paymentLinkId: id('pl').nullable(),
    ...whatItPaid,
    invoiceNumber: z.string().meta({ description: 'The payment’s invoice number', example: 'INV-000042' }),
    cardScheme: cardScheme.nullable(),
    cardLastFour: z.string().nullable().meta({ example: '0821' }),
    gatewayReference: z.string().nullable().meta({ description: 'The gateway’s reference of this operation' }),
    terminal: terminalReference.nullable().meta({ description: 'The terminal used, if any' }),
    staff: staffReference.nullable().meta({ description: 'The staff member who authorised it' }),
    by: actorRecord.nullable().meta({
      description:
        'Who voided or refunded it, or decided the correction; null for a payment, and for what was not done with this service',
    }),
    at: timestamp.meta({ description: 'When its outcome became known' }),
  })
  .meta({ id: 'Transaction' });
export type TransactionRecord = z.infer<typeof transactionRecord>;

export const listTransactions = contract({
  name: 'listTransactions',
  method: 'GET',
  path: '/api/v1/transactions',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'List all movements of money, newest first',
  description:
    'One line per movement: a payment that was refunded twice has three. Lines never change; the sum of `amountInCents` by currency is the business’s net amount.',
  tag: 'Transactions',
  mayBeStale: true,
  query: pageQuery('transactions').extend({
    type: transactionType.optional(),
    currency: currencyCode.optional(),
    method: paymentMethod.optional(),
    deviceId: id('dev').optional().meta({ description: 'Done on this terminal' }),
    staffId: id('staff').optional().meta({ description: 'Authorised by this staff member' }),
    paymentLinkId: id('pl').optional(),
    paymentId: id('pay').optional(),
    ...period,
  }),
  responses: { 200: json(listOf(transactionRecord)) },
  origin: 'project',
});
