import { z } from 'zod';
import { contract, id } from './contract.ts';
import { json } from './responses.ts';
import { machineWord } from './text.ts';

/**
 * The progress of returning money that arrived late, in part or in excess. `requested`: the customer gave a
 * destination. `disputed`: different destinations were given. `returned`: nothing is left to return.
 */
export const claimStatuses = ['open', 'requested', 'disputed', 'returned'] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

/** Why a return destination cannot receive the money. */
export const destinationRefusals = [
  'destination_invalid',
  'other_network',
  'destination_of_merchant',
  'invoice_expired',
  'invoice_amount_differs',
] as const;

/** Why a customer's return destination is refused. */
export const claimRefusals = [...destinationRefusals, 'too_many_destinations'] as const;
export type ClaimRefusal = (typeof claimRefusals)[number];

/** A return destination. */
export const claimDestination = machineWord(2000).meta({
  description: 'A bitcoin address, a Lightning invoice or a Lightning address',
  example: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
});

export const howDestinationsAreTaken =
  'The merchant returns the money there; this call sends nothing. Giving the same destination again changes nothing; a different one is stored beside the first, and the merchant has to find out which is right. At most five are stored.';

/** A claim as its customer sees it; the claim's address authorises giving a destination. */
const customerClaim = z.object({
  businessName: z.string(),
  reason: z.enum(['underpaid', 'overpaid', 'late']),
  amountSats: z.int(),
  returnedSats: z.int(),
  refundedSats: z.int().meta({ description: 'Settled by refunds of the payments' }),
  status: z.enum(claimStatuses),
});
const common = { authentication: ['none'], tag: 'Bitcoin claims', origin: 'project' } as const;
const params = z.object({ id: id('clm') });

export const getCustomerClaim = contract({
  ...common,
  name: 'getCustomerClaim',
  method: 'GET',
  path: '/claims/{id}',
  summary: 'Read a claim as its customer',
  params,
  responses: { 200: json(customerClaim) },
  errors: { 404: ['claim_not_found'] },
});

export const requestReturn = contract({
  ...common,
  name: 'requestReturn',
  method: 'POST',
  path: '/claims/{id}/destination',
  summary: 'Give a return destination for a late, partial or excess payment',
  description: howDestinationsAreTaken,
  params,
  body: z.object({ destination: claimDestination }),
  responses: { 200: json(customerClaim) },
  errors: { 400: destinationRefusals, 404: ['claim_not_found'], 409: ['nothing_to_claim', 'too_many_destinations'] },
});
