import { z } from 'zod';
import { cardScheme } from '../../card-schemes.ts';
import { currencyCode } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { terminalReference } from './actors.ts';
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
      '`payment`: money was taken; `void`: a payment was cancelled in full before it settled, by a CANCEL or at the gateway itself; `refund`: a REFUND_SALE; `uncapped_refund`: a REFUND; `bitcoin_refund`: recorded, the merchant returns the funds; `reversal`: the service took back a sale that its terminal had given up; `settlement_rejected`: the bank did not pay; `correction`: a person decided, on evidence, that a refund our records had given up went back after all',
  });
export type TransactionType = z.infer<typeof transactionType>;

export const transactionRecord = z
  .object({
    id: id('txn'),
    type: transactionType,
    amountInCents: z.int().meta({
      description:
        'Positive where money came in, negative where it went back. Of a bitcoin refund: the share of the payment that its satoshis are. All refunds of a payment together are rounded down to the smallest unit, and the last satoshi brings them to exactly what was paid; one alone may be 0',
      example: 1250,
    }),
    amountSats: z.int().nullable().meta({ description: 'The same in satoshis; null for cards', example: null }),
    currency: z.string().meta({ example: 'GBP' }),
    method: paymentMethod,
    paymentId: id('pay'),
    refundId: id('ref').nullable(),
    paymentLinkId: id('pl').nullable(),
    ...whatItPaid,
    invoiceNumber: z.string().meta({ description: 'Of the payment', example: 'INV-000042' }),
    cardScheme: cardScheme.nullable(),
    cardLastFour: z.string().nullable().meta({ example: '0821' }),
    gatewayReference: z.string().nullable().meta({ description: 'The gateway’s own reference of this operation' }),
    terminal: terminalReference.nullable().meta({ description: 'Where it was done; null where no terminal did it' }),
    staff: staffReference.nullable().meta({ description: 'Who authorised it with their password' }),
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
  summary: 'Everything that moved money, newest first',
  description:
    'One line for each movement: a payment that was refunded twice has three. Lines never change; the sum of `amountInCents` by currency is what the business kept.',
  tag: 'Transactions',
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
