import { z } from 'zod';
import { amountSats } from '../../money.ts';
import { claimDestination, claimStatuses } from '../claims.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { lines, machineWord } from '../text.ts';
import { bitcoinPurpose } from './payment-links.ts';

const networks = ['lightning', 'onchain'] as const;

const claim = z.object({
  id: id('clm'),
  purpose: bitcoinPurpose.meta({ description: 'The purpose of the payment' }),
  purposeId: z.string().meta({ description: 'The id of that checkout, payment link, sale …' }),
  reason: z.enum(['underpaid', 'overpaid', 'late']).meta({ description: 'Why there is something to return' }),
  status: z.enum(claimStatuses).meta({
    description:
      '`requested`: the customer gave a destination. `disputed`: different destinations were given; find out which is right before you return anything. `returned`: nothing is left to return',
  }),
  amountSats: z.int().meta({ description: 'The total to return; it grows if more arrives', example: 6_000 }),
  returnedSats: z.int().meta({ description: 'The amount recorded as returned', example: 0 }),
  refundedSats: z.int().meta({
    description: 'The amount settled by bitcoin refunds of the payments',
    example: 0,
  }),
  destination: z.string().nullable().meta({
    description:
      'The return destination; null until the customer gave one, and if several were given: see `destinations`',
  }),
  createdAt: timestamp,
  requestedAt: timestamp.nullable(),
  returnedAt: timestamp.nullable(),
});
export type BitcoinClaimFacts = z.infer<typeof claim>;

export const bitcoinClaimRecord = claim
  .extend({
    receipts: z
      .array(
        z.object({
          network: z.enum(networks),
          txId: z.string(),
          amountSats: z.int(),
          paymentId: id('pay').nullable(),
        }),
      )
      .meta({ description: 'The customer’s payments' }),
    destinations: z
      .array(z.object({ destination: claimDestination, givenAt: timestamp }))
      .meta({ description: 'All given destinations, in the order given' }),
    returns: z.array(
      z.object({
        network: z.enum(networks),
        txId: z.string().meta({ description: 'The transaction; over Lightning the payment hash' }),
        amountSats: z.int(),
        destination: z
          .string()
          .nullable()
          .meta({ description: 'The given destination that was paid; null if none was given' }),
        note: z.string().nullable().meta({ description: 'As given' }),
        by: z.object({
          kind: z.string().meta({ description: 'Its kind, as of an `Actor`', example: 'api_key' }),
          id: z.string().nullable(),
        }),
        returnedAt: timestamp,
      }),
    ),
  })
  .meta({ id: 'BitcoinClaim' });
export type BitcoinClaimRecord = z.infer<typeof bitcoinClaimRecord>;

const common = { authentication: ['apiKey'], tag: 'Bitcoin claims', origin: 'project' } as const;
const params = z.object({ id: id('clm') });
const read = [{ anyOf: ['sales:read', 'take-payments:read'] }] as const;

export const listBitcoinClaims = contract({
  ...common,
  name: 'listBitcoinClaims',
  method: 'GET',
  path: '/api/v1/bitcoin-claims',
  permissions: read,
  summary: 'List amounts to return to customers who paid late, too little or too much in bitcoin, newest first',
  query: pageQuery('bitcoin-claims').extend({
    status: z.enum(claimStatuses).optional(),
    purpose: bitcoinPurpose.optional(),
    purposeId: machineWord(100).optional(),
  }),
  responses: { 200: json(listOf(claim)) },
});

export const getBitcoinClaim = contract({
  ...common,
  name: 'getBitcoinClaim',
  method: 'GET',
  path: '/api/v1/bitcoin-claims/{id}',
  permissions: read,
  summary: 'Read one claim with its payments and returns',
  params,
  responses: { 200: json(bitcoinClaimRecord) },
  errors: { 404: ['claim_not_found'] },
});

export const returnBitcoinClaim = contract({
  ...common,
  name: 'returnBitcoinClaim',
  method: 'POST',
  path: '/api/v1/bitcoin-claims/{id}/return',
  permissions: ['take-payments:write'],
  summary: 'Record that a claim was returned to the customer',
  description:
    'This call sends nothing: it records that the merchant did. The return is recorded as a bitcoin refund of the payments, and their discrepancy is resolved once everything is returned. The same transaction is recorded once.',
  params,
  body: z.object({
    network: z.enum(networks),
    txId: z
      .string()
      .regex(/^[0-9a-f]{64}$/, {
        error: 'must be a transaction id or a payment hash: 64 lower-case hexadecimal digits',
      })
      .meta({ description: 'The transaction; over Lightning the payment hash', example: 'ab'.repeat(32) }),
    amountSats: amountSats.optional().meta({ description: 'Default: all that is left to return' }),
    destination: claimDestination.optional().meta({
      description: 'The given destination that was paid. Required if the claim is disputed; default: the only one',
      example: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    }),
    note: lines(500).optional().meta({ description: 'For the merchant’s own records', example: 'Sent from the till' }),
  }),
  responses: { 200: json(bitcoinClaimRecord) },
  errors: {
    404: ['claim_not_found'],
    409: [
      'claim_already_returned',
      'return_exceeds_claim',
      'return_differs',
      'destination_required',
      'destination_not_given',
    ],
  },
  idempotent: true,
});
