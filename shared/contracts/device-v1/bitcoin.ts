import { z } from 'zod';
import { amountMinor, currencyCode } from '../../money.ts';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { saleId, saleRecord } from './sales.ts';

/** What a sale asks for in bitcoin, and what has come of it. */
export const bitcoinSale = z
  .object({
    saleId,
    /** Grows with every change: of two answers, the one with the higher sequence is the later one. */
    sequence: z.int(),
    state: z.enum([
      'waiting',
      /** On chain and not confirmed yet, whole or, as `processingSats` says, in part. The terminal is free. */
      'seen',
      /** Time is up, and the node has not said yet whether anything was paid in time. */
      'checking',
      'paid',
      /** Time was up with a part of it, which is to be returned. */
      'underpaid',
      'expired',
      /** Cancelled, or given up for the card. */
      'withdrawn',
    ]),
    amountInCents: z.int(),
    currency: z.string(),
    /** Fixed until `expiresAt`, at `rate` for one bitcoin. */
    amountSats: z.int(),
    rate: z.string(),
    /** Confirmed, and seen without being confirmed. */
    receivedSats: z.int(),
    processingSats: z.int(),
    /** What the code on the screen says: BIP 21 with the Lightning invoice in it. Null where nothing is to be paid now. */
    paymentUri: z.string().nullable(),
    expiresAt: timestamp,
    /** Once it is paid. */
    sale: saleRecord.nullable(),
  })
  .meta({ id: 'BitcoinSale' });
export type BitcoinSale = z.infer<typeof bitcoinSale>;

const path = '/device/v1/sales/{saleId}/bitcoin';
const params = z.object({ saleId });
const tag = 'Sales';

export const openBitcoinSale = contract({
  name: 'openBitcoinSale',
  method: 'POST',
  path,
  authentication: ['deviceToken'],
  summary: 'Ask for the amount of a sale in bitcoin',
  description:
    'Reserves the sale: no card pays it until this is withdrawn. The amount in satoshis is fixed. Harmless to repeat, also where the node did not answer. Changes arrive as `bitcoin` on the stream of commands.',
  tag,
  params,
  body: z.object({ amountInCents: amountMinor, currency: currencyCode }),
  responses: { 200: json(bitcoinSale) },
  errors: {
    400: ['currency_differs'],
    409: [
      'bitcoin_not_available',
      'rate_unavailable',
      'node_unreachable',
      'payment_in_progress',
      'sale_differs',
      'sale_ended',
      'sale_of_another_terminal',
      'terminal_busy',
    ],
  },
  origin: 'project',
});

export const getBitcoinSale = contract({
  name: 'getBitcoinSale',
  method: 'GET',
  path,
  authentication: ['deviceToken'],
  summary: 'What became of a sale in bitcoin',
  tag,
  params,
  responses: { 200: json(bitcoinSale) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

export const withdrawBitcoinSale = contract({
  name: 'withdrawBitcoinSale',
  method: 'POST',
  path: `${path}/withdraw`,
  authentication: ['deviceToken'],
  summary: 'Stop asking for bitcoin',
  description:
    'The node is asked first, so that a payment under way is found: the answer then has what was paid, and nothing is withdrawn. For the card that holds strictly: where the node cannot say that it takes no payment any more, it is refused.',
  tag,
  params,
  body: z.object({
    /** `card`: the same sale goes on with the card, or a new one where it was keyed in. */
    to: z.enum(['card', 'end']),
    reason: z.enum(['staff_cancelled', 'customer_cancelled', 'node_unreachable']),
  }),
  responses: { 200: json(bitcoinSale) },
  errors: { 404: ['sale_not_found'], 409: ['node_unreachable'] },
  origin: 'project',
});
