import { z } from 'zod';
import { amountMinor, currencyCode } from '../../money.ts';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { keyedInReference, saleId, saleRecord } from './sales.ts';

/** The bitcoin request of a sale and its progress. */
export const bitcoinSale = z
  .object({
    saleId,
    /** Incremented with every change: of two responses, the one with the higher sequence is newer. */
    sequence: z.int(),
    state: z.enum([
      'waiting',
      /** Unconfirmed on chain, in full or (`processingSats`) in part. The terminal is free. */
      'seen',
      /** Expired, and the node has not reported yet whether it was paid in time. */
      'checking',
      'paid',
      /** Expired with a partial payment, which is to be returned. */
      'underpaid',
      'expired',
      /** Cancelled, or abandoned for the card. */
      'withdrawn',
    ]),
    amountInCents: z.int(),
    currency: z.string(),
    /** Fixed until `expiresAt`, at `rate` for one bitcoin. */
    amountSats: z.int(),
    rate: z.string(),
    /** Confirmed, and unconfirmed. */
    receivedSats: z.int(),
    processingSats: z.int(),
    /** The content of the code on the screen: BIP 21 with the Lightning invoice. Null if nothing is to be paid now. */
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
  summary: 'Request the amount of a sale in bitcoin',
  description:
    'Reserves the sale: it cannot be paid by card until this is withdrawn. The amount in satoshis is fixed. Safe to repeat, also if the node did not respond. Changes arrive as `bitcoin` on the stream of commands.',
  tag,
  params,
  body: z.object({ amountInCents: amountMinor, currency: currencyCode, reference: keyedInReference }),
  responses: { 200: json(bitcoinSale) },
  errors: {
    400: ['currency_differs'],
    409: [
      'bitcoin_not_available',
      'amount_out_of_range',
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
  summary: 'Read the progress of a bitcoin sale',
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
  summary: 'Withdraw a bitcoin request',
  description:
    'The node is polled first, so that a payment in progress is found: the response then contains it, and nothing is withdrawn. With `card` this is strict: it is refused unless the node confirms that it accepts no more payments.',
  tag,
  params,
  body: z.object({
    /** `card`: the same sale continues with the card, or a new one if it was keyed in. */
    to: z.enum(['card', 'end']),
    reason: z.enum(['staff_cancelled', 'customer_cancelled', 'node_unreachable']),
  }),
  responses: { 200: json(bitcoinSale) },
  errors: { 404: ['sale_not_found'], 409: ['node_unreachable'] },
  origin: 'project',
});
